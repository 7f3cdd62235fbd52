package session

import (
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/watcher"
)

// A lookup finds kinds for all scopes of a session.
type lookup struct {
	mu       sync.Mutex // guards the fields below
	reset    time.Time  // when the mapper was last reset
	versions map[string][]string
}

const (
	resetPause = time.Second      // the minimum time between two resets of the mapper
	maxPause   = 10 * time.Second // the longest time between two attempts
)

// find returns how a kind is served, and false if it is not known.
func (s *Session) find(kind schema.GroupKind) (*meta.RESTMapping, error) {
	mapping, err := s.Mapper.RESTMapping(kind)
	if meta.IsNoMatchError(err) {
		// Some mappers remember for each version, and never for all, that a kind did not exist:
		// https://github.com/kubernetes-sigs/controller-runtime/issues/3542
		if versions := s.lookup.versionsOf(kind.Group); len(versions) > 0 {
			if m, err := s.Mapper.RESTMapping(kind, versions...); err == nil {
				mapping = m
			}
		}
	}
	if mapping == nil {
		return nil, err
	}
	s.lookup.remember(mapping.GroupVersionKind)
	return mapping, nil
}

func (l *lookup) versionsOf(group string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.versions[group])
}

func (l *lookup) remember(gvk schema.GroupVersionKind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.versions == nil {
		l.versions = map[string][]string{}
	}
	if !slices.Contains(l.versions[gvk.Group], gvk.Version) {
		l.versions[gvk.Group] = append(l.versions[gvk.Group], gvk.Version)
	}
}

// refresh makes the mapper read the kinds again, at most once per pause.
func (s *Session) refresh() {
	s.lookup.mu.Lock()
	due := time.Since(s.lookup.reset) >= resetPause
	if due {
		s.lookup.reset = time.Now()
	}
	s.lookup.mu.Unlock()
	if due {
		meta.MaybeResetRESTMapper(s.Mapper)
	}
}

func (l *lookup) lastReset() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reset
}

// mapping waits until the kind is known. It returns nil if ctx has ended, or after a fatal error.
func (k *kindWatch) mapping(ctx context.Context) *meta.RESTMapping {
	var pause watcher.Pause
	begun := time.Now()
	for first := true; ctx.Err() == nil; first = false {
		mapping, err := k.s.find(k.place.Kind)
		switch {
		case err == nil:
			return mapping
		case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
			k.s.fail(err)
			return nil
		case meta.IsNoMatchError(err):
			k.box.Mark(change{op: opUnknown})
			if !first {
				k.wait(ctx, min(max(time.Since(begun)/10, resetPause), maxPause))
			}
			k.s.refresh()
		default: // the discovery does not respond
			k.failing.Store(true)
			pause.Wait(ctx, maxPause)
		}
	}
	return nil
}

func (k *kindWatch) wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
