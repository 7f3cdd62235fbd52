package listwatch

import (
	"context"
	"maps"
	"time"

	"kstatus.dev/kube/source/internal/client"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	stalenessTimeout = 30 * time.Second       // how long a watch may tell no news before it is checked
	maxStaleness     = 5 * time.Minute        // and how long before that though it tells some
	confirmDelay     = 100 * time.Millisecond // how long deletions are gathered before they are confirmed
	MaxSingleReads   = 5                      // how many objects are rather read one by one
)

// A quiet says when a watch that tells no news has to be checked.
type stalenessTimer struct {
	lastNews  time.Time // when there was news, or a check
	lastCheck time.Time // when there was a check
}

// heard takes note of news.
func (q *stalenessTimer) news() { q.lastNews = time.Now() }

// checked takes note that nothing has been missed.
func (q *stalenessTimer) checked() { q.lastNews, q.lastCheck = time.Now(), time.Now() }

// due returns when to check.
func (q *stalenessTimer) due() time.Time {
	due, sure := q.lastNews.Add(stalenessTimeout), q.lastCheck.Add(maxStaleness)
	if sure.Before(due) {
		return sure
	}
	return due
}

// doubt takes note that a watch says that an object is gone.
func (s *Stream) unconfirm(o metav1.Object) {
	version := VersionOf(o.GetResourceVersion())
	if s.Trusting || s.blind {
		s.Sink.Lose(o.GetNamespace(), o.GetName(), version)
		return
	}
	if len(s.unconfirmed) == 0 {
		s.unconfirmedSince = time.Now()
	}
	if s.unconfirmed == nil {
		s.unconfirmed = map[Key]uint64{}
	}
	s.unconfirmed[Key{o.GetNamespace(), o.GetName()}] = version
}

// next returns how long it is until something is to be looked at.
func (s *Stream) next() time.Duration {
	if s.listing {
		return time.Until(s.staleness.lastNews.Add(listStallTimeout))
	}
	due := s.staleness.due()
	if len(s.unconfirmed) > 0 && s.unconfirmedSince.Add(confirmDelay).Before(due) {
		due = s.unconfirmedSince.Add(confirmDelay)
	}
	return max(time.Until(due), 0)
}

// A question is which objects to look at.
type verification struct {
	unconfirmed map[Key]uint64 // are these gone, of which a watch said so?
	known       map[Key]uint64 // are these still as they were seen?
	whole       bool           // are there no others?
}

// A looked is what a look has found: the versions of those that are there.
type verified struct {
	verification
	found map[Key]uint64
	err   error
}

// question returns what is to be looked at now.
func (s *Stream) verification() (verification, bool) {
	if len(s.unconfirmed) > 0 && time.Since(s.unconfirmedSince) >= confirmDelay {
		return verification{unconfirmed: maps.Clone(s.unconfirmed)}, true
	}
	if time.Now().Before(s.staleness.due()) {
		return verification{}, false
	}
	known, waitedFor := s.Sink.Pending()
	if !waitedFor || s.Trusting || s.blind {
		s.staleness.checked()
		return verification{}, false
	}
	return verification{known: known, whole: s.Whole}, true
}

// look reads the versions of the objects in question, one by one if they are few.
func (s *Stream) verify(ctx context.Context, q verification) verified {
	l := verified{verification: q, found: map[Key]uint64{}}
	if !q.whole && len(q.unconfirmed)+len(q.known) <= MaxSingleReads {
		for _, keys := range []map[Key]uint64{q.unconfirmed, q.known} {
			for k := range keys {
				if l.err = s.verifyOne(ctx, k, l.found); l.err != nil {
					return l
				}
			}
		}
		return l
	}
	ctx, cancel := context.WithTimeout(ctx, client.ListTimeout)
	defer cancel()
	all := s.Scope
	all.MetadataOnly = true
	_, l.err = s.Client.List(ctx, all, func(o metav1.Object) {
		l.found[Key{o.GetNamespace(), o.GetName()}] = VersionOf(o.GetResourceVersion())
	})
	return l
}

// one looks at one object.
func (s *Stream) verifyOne(ctx context.Context, k Key, found map[Key]uint64) error {
	this := s.Scope
	this.Namespace, this.Name = k.Namespace, k.Name
	if this.Match == "" {
		o, err := s.Client.Get(ctx, this)
		switch {
		case err == nil:
			found[k] = VersionOf(o.GetResourceVersion())
			return nil
		case client.IsMissing(err, k.Name):
			return nil
		case !client.IsRefused(err):
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, client.RequestTimeout)
	defer cancel()
	_, err := s.Client.List(ctx, this, func(o metav1.Object) { found[k] = VersionOf(o.GetResourceVersion()) })
	return err
}

// answer takes what a look has found. Where it was not permitted, a watch is
// believed as it is.
func (s *Stream) apply(l verified) error {
	s.unconfirmedSince = time.Now()
	if client.IsRefused(l.err) {
		s.blind = true
		l.found = nil
	} else if l.err != nil {
		return l.err
	}
	for k, version := range l.unconfirmed {
		if s.unconfirmed[k] != version {
			continue // it has been seen since, or has gone again
		}
		if _, there := l.found[k]; there {
			return errMissed
		}
		delete(s.unconfirmed, k)
		s.Sink.Lose(k.Namespace, k.Name, version)
	}
	if l.known == nil || s.blind {
		return nil
	}
	now, _ := s.Sink.Pending()
	for k, version := range l.known {
		if now[k] != version || s.unconfirmed[k] != 0 {
			continue // there has been news of it since
		}
		if found, there := l.found[k]; there && found > version || !there && version != 0 {
			return errMissed
		}
	}
	if s.Whole {
		for k := range l.found {
			if _, known := now[k]; !known {
				return errMissed
			}
		}
	}
	s.staleness.checked()
	return nil
}
