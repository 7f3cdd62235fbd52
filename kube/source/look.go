package source

import (
	"context"
	"maps"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	silent = 30 * time.Second       // how long a watch may tell no news before it is checked
	busy   = 5 * time.Minute        // and how long before that though it tells some
	gather = 100 * time.Millisecond // how long deletions are gathered before they are confirmed
	few    = 5                      // how many objects are rather read one by one
)

// A quiet says when a watch that tells no news has to be checked.
type quiet struct {
	last time.Time // when there was news, or a check
	sure time.Time // when there was a check
}

// heard takes note of news.
func (q *quiet) heard() { q.last = time.Now() }

// checked takes note that nothing has been missed.
func (q *quiet) checked() { q.last, q.sure = time.Now(), time.Now() }

// due returns when to check.
func (q *quiet) due() time.Time {
	due, sure := q.last.Add(silent), q.sure.Add(busy)
	if sure.Before(due) {
		return sure
	}
	return due
}

// doubt takes note that a watch says that an object is gone.
func (s *stream) doubt(o metav1.Object) {
	version := versionOf(o.GetResourceVersion())
	if s.trusting || s.blind {
		s.sink.lose(o.GetNamespace(), o.GetName(), version)
		return
	}
	if len(s.doubts) == 0 {
		s.doubted = time.Now()
	}
	if s.doubts == nil {
		s.doubts = map[key]uint64{}
	}
	s.doubts[key{o.GetNamespace(), o.GetName()}] = version
}

// next returns how long it is until something is to be looked at.
func (s *stream) next() time.Duration {
	if s.listing {
		return time.Until(s.quiet.last.Add(stall))
	}
	due := s.quiet.due()
	if len(s.doubts) > 0 && s.doubted.Add(gather).Before(due) {
		due = s.doubted.Add(gather)
	}
	return max(time.Until(due), 0)
}

// A question is which objects to look at.
type question struct {
	doubts map[key]uint64 // are these gone, of which a watch said so?
	known  map[key]uint64 // are these still as they were seen?
	whole  bool           // are there no others?
}

// A looked is what a look has found: the versions of those that are there.
type looked struct {
	question
	found map[key]uint64
	err   error
}

// question returns what is to be looked at now.
func (s *stream) question() (question, bool) {
	if len(s.doubts) > 0 && time.Since(s.doubted) >= gather {
		return question{doubts: maps.Clone(s.doubts)}, true
	}
	if time.Now().Before(s.quiet.due()) {
		return question{}, false
	}
	known, waitedFor := s.sink.awaited()
	if !waitedFor || s.trusting || s.blind {
		s.quiet.checked()
		return question{}, false
	}
	return question{known: known, whole: s.whole}, true
}

// look reads the versions of the objects in question, one by one if they are few.
func (s *stream) look(ctx context.Context, q question) looked {
	l := looked{question: q, found: map[key]uint64{}}
	if !q.whole && len(q.doubts)+len(q.known) <= few {
		for _, keys := range []map[key]uint64{q.doubts, q.known} {
			for k := range keys {
				if l.err = s.one(ctx, k, l.found); l.err != nil {
					return l
				}
			}
		}
		return l
	}
	ctx, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	all := s.scope
	all.lean = true
	_, l.err = s.link.list(ctx, all, func(o metav1.Object) {
		l.found[key{o.GetNamespace(), o.GetName()}] = versionOf(o.GetResourceVersion())
	})
	return l
}

// one looks at one object.
func (s *stream) one(ctx context.Context, k key, found map[key]uint64) error {
	this := s.scope
	this.namespace, this.name = k.namespace, k.name
	if this.match == "" {
		o, err := s.link.get(ctx, this)
		switch {
		case err == nil:
			found[k] = versionOf(o.GetResourceVersion())
			return nil
		case missing(err, k.name):
			return nil
		case !refused(err):
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	_, err := s.link.list(ctx, this, func(o metav1.Object) { found[k] = versionOf(o.GetResourceVersion()) })
	return err
}

// answer takes what a look has found. Where it was not permitted, a watch is
// believed as it is.
func (s *stream) answer(l looked) error {
	s.doubted = time.Now()
	if refused(l.err) {
		s.blind = true
		l.found = nil
	} else if l.err != nil {
		return l.err
	}
	for k, version := range l.doubts {
		if s.doubts[k] != version {
			continue // it has been seen since, or has gone again
		}
		if _, there := l.found[k]; there {
			return errMissed
		}
		delete(s.doubts, k)
		s.sink.lose(k.namespace, k.name, version)
	}
	if l.known == nil || s.blind {
		return nil
	}
	now, _ := s.sink.awaited()
	for k, version := range l.known {
		if now[k] != version || s.doubts[k] != 0 {
			continue // there has been news of it since
		}
		if found, there := l.found[k]; there && found > version || !there && version != 0 {
			return errMissed
		}
	}
	if s.whole {
		for k := range l.found {
			if _, known := now[k]; !known {
				return errMissed
			}
		}
	}
	s.quiet.checked()
	return nil
}

// missing reports whether the server says that there is no object of that name,
// rather than that it does not know what is asked for.
func missing(err error, name string) bool {
	status, ok := err.(apierrors.APIStatus)
	return apierrors.IsNotFound(err) && ok && status.Status().Details != nil && status.Status().Details.Name == name
}
