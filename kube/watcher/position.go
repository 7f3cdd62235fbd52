package watcher

import (
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/integer"
)

// A position is how far a Stream has read.
type position struct {
	version     string    // all changes up to this version have been read; empty: a list is needed
	highest     uint64    // the highest version that has been read; 0: it is not a number
	older       int       // the number of consecutive answers that were older than that
	unsure      bool      // the server may no longer have the version, or not have it yet
	listed      time.Time // the time of the last complete list
	listing     bool      // a streamed list is in progress
	events      int       // of that list so far
	maxEvents   int       // of that list
	marks       int       // of that list so far: bookmarks that do not end it
	noStreaming bool      // do not stream the next list: streaming has failed
}

// isOlder reports whether a list shows an earlier state than the one that was read.
func (p *position) isOlder(version string) bool {
	n := integer.OfVersion(version)
	return n != 0 && n < p.highest
}

// advance moves the position to the version of an event.
func (p *position) advance(version string) {
	n := integer.OfVersion(version)
	p.older = 0
	if version == "" || n != 0 && n < p.highest {
		return
	}
	p.version, p.highest = version, n
}

// Limits of the events in a streamed list.
const (
	maxListed      = 1_000_000 // the same number as in a paged list
	maxListedNamed = 100       // for one object by its name
	maxMarks       = 100       // bookmarks that do not end it; servers send none
)

// count counts an event of a streamed list. It returns an error if the list has more events than a
// server sends.
func (p *position) count(t watch.EventType) error {
	if t == watch.Bookmark {
		p.marks++
	} else {
		p.events++
	}
	if p.events > p.maxEvents || p.marks > maxMarks {
		return errStall
	}
	return nil
}

// selects reports whether the requests are for a part of the objects.
func (s *Stream) selects() bool {
	return s.Options.LabelSelector != "" || s.Options.FieldSelector != ""
}

// maxEvents returns how many objects a streamed list may have.
func (s *Stream) maxEvents() int {
	selector, err := fields.ParseSelector(s.Options.FieldSelector)
	if err != nil {
		return maxListed
	}
	if _, named := selector.RequiresExactMatch("metadata.name"); named {
		return maxListedNamed
	}
	return maxListed
}

// A refusal records that watching a scope is refused.
type refusal struct {
	err     error         // nil: not known to be refused
	retryAt time.Time     // when to try again
	pause   time.Duration // the pause before retryAt
}

// isActive reports whether it is too early to try again.
func (r *refusal) isActive() bool { return r.err != nil && time.Now().Before(r.retryAt) }

// extend records another refusal. The pause doubles with each.
func (r *refusal) extend(err error) {
	r.err = err
	r.pause = min(max(2*r.pause, FirstProbe), LastProbe)
	r.retryAt = time.Now().Add(r.pause)
}
