// Package setsource is the part of a wait that is about sets of objects. It turns the releases that were
// found, and what does not exist yet, into the sets of package follow.
package setsource

import (
	"context"
	"errors"
	"fmt"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Missing is a set, or an object of a type, that does not exist yet in a cluster.
type Missing struct {
	Target  observe.Target // represents it
	Owner   sets.Owner     // zero for an object
	Text    string         // the error as text
	Request selection.Request
	Cluster *connection.Cluster
}

// NewMissing returns the missing set or object in an error of a cluster. It returns false for
// other errors.
func NewMissing(c *connection.Cluster, err error) (Missing, bool) {
	if set, ok := errors.AsType[*selection.MissingSetError](err); ok {
		return Missing{selection.SetTarget(c, set.Owner), set.Owner, set.Text, set.Request(), c}, true
	}
	if t, ok := errors.AsType[*connection.TypeError](err); ok && t.Arg != "" && t.MayAppear() {
		return Missing{selection.UnservedTarget(c, t.Arg), sets.Owner{}, t.Error(), selection.Request{Args: []string{t.Arg}}, c}, true
	}
	return Missing{}, false
}

// A Config holds the parameters of a Source.
type Config struct {
	Missing  []Missing
	Resolve  func(ctx context.Context, c *connection.Cluster, r selection.Request) (selection.Found, error)
	Note     func(format string, args ...any) // prints a note
	Once     bool                             // read objects once, without searching again
	Revision int64                            // the only revision of a Helm release that counts; 0: any
}

// A Source is the source of a wait that follows sets.
type Source struct {
	*follow.Source
	clusters map[string]*connection.Cluster // by their names in targets
}

// Source returns a source that follows releases and searches for missing sets. It returns nil if
// there are neither.
func (f Followed) Source(objects observe.Source, c Config) *Source {
	if len(c.Missing)+len(f.releases) == 0 {
		return nil
	}
	s := &Source{&follow.Source{Objects: objects, Once: c.Once, OnNote: func(note string) { c.Note("%s", note) }}, map[string]*connection.Cluster{}}
	s.OnRelease = s.advise
	add := func(in *connection.Cluster, set follow.Set, r selection.Request) {
		s.clusters[in.Name] = in
		set.Cluster, set.Find, set.Revision = in.Sets(), c.find(in, r), c.Revision
		s.Sets = append(s.Sets, set)
	}
	for _, r := range f.releases {
		add(r.in, r.set, selection.RequestSet(r.set.Owner))
	}
	for _, m := range c.Missing {
		add(m.Cluster, follow.Set{Owner: m.Owner, Target: m.Target, Absent: m.Text}, m.Request)
	}
	return s
}

// find returns a function that finds the objects of a request.
func (c Config) find(in *connection.Cluster, r selection.Request) func(context.Context) (sets.Set, error) {
	return func(ctx context.Context) (sets.Set, error) {
		found, err := c.Resolve(ctx, in, r)
		set := sets.Set{Objects: selection.Targets(found.Objects)}
		for _, r := range found.Releases {
			set.Revision = &r.Revision
		}
		if err != nil {
			return set, &searchError{err, unreadable(in, err)}
		}
		return set, nil
	}
}

// A searchError is the error of a search, and what it means for the target that represents the set.
type searchError struct {
	error
	meaning *observe.Unreadable
}

// Unwrap returns both errors.
func (e *searchError) Unwrap() []error { return []error{e.meaning, e.error} }

// unreadable returns what the error of a search means.
func unreadable(c *connection.Cluster, err error) *observe.Unreadable {
	for _, err := range connection.FlattenErrors(err) {
		if still, ok := NewMissing(c, err); ok {
			return &observe.Unreadable{Reason: status.ReasonNeverSeen, Text: still.Text}
		}
	}
	if connection.IsForbidden(err) {
		return &observe.Unreadable{Reason: status.ReasonForbidden, Text: err.Error()}
	}
	return &observe.Unreadable{Reason: status.ReasonTransport, Text: err.Error()}
}

// advise prints what users can do about a release that has failed or was uninstalled.
func (s *Source) advise(r follow.Release) {
	if s.Once || r.State != follow.StateFailed && r.State != follow.StateRemoved {
		return
	}
	if advice := (selection.Release{Owner: r.Owner, Revision: r.Revision}).Advice(); advice != "" {
		s.clusters[r.Target.Cluster].Note(r.Owner.String() + ": " + advice)
	}
}

// NotePending prints what users can do about releases that Helm is still changing, in case Helm
// was interrupted. It does nothing if the source is nil or reads objects once.
func (s *Source) NotePending() {
	if s == nil || s.Once {
		return
	}
	for _, r := range s.Releases() {
		advice := selection.Release{Owner: r.Owner, Revision: r.Revision}.InterruptedAdvice()
		if advice != "" && r.State == follow.StatePending {
			s.clusters[r.Target.Cluster].Note(fmt.Sprintf("%s: %s. %s", r.Owner, r.Revision, advice))
		}
	}
}
