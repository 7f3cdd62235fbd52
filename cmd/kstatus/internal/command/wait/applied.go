package wait

import (
	"context"
	"sync"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An appliedObjects holds what is known about the applied versions of objects.
type appliedObjects struct {
	minVersions map[observe.Target]observe.Version
	objects     map[observe.Target]status.Object

	mu     sync.Mutex // guards ofSets
	ofSets map[observe.Target]bool
}

func newAppliedObjects(all []selection.Object) *appliedObjects {
	a := &appliedObjects{minVersions: map[observe.Target]observe.Version{}, objects: map[observe.Target]status.Object{}, ofSets: map[observe.Target]bool{}}
	for _, o := range all {
		if o.MinVersion != (observe.Version{}) {
			a.minVersions[o.Target] = o.MinVersion
		}
		if o.Applied != nil {
			a.objects[o.Target] = o.Applied
		}
	}
	a.addOfSets(all)
	return a
}

func (a *appliedObjects) addOfSets(all []selection.Object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range all {
		if o.OfSet {
			a.ofSets[o.Target] = true
		}
	}
}

func (a *appliedObjects) isOfSet(t observe.Target) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ofSets[t]
}

// addTo makes a watcher compare objects with the applied ones.
func (a *appliedObjects) addTo(w *observe.Watcher) {
	w.MinVersion = func(t observe.Target) observe.Version { return a.minVersions[t] }
	w.Applied = func(t observe.Target) status.Object { return a.objects[t] }
	w.FirstApplied = a.isOfSet
}

// resolve returns a function that resolves requests for sets during a wait, and records their objects.
func (a *appliedObjects) resolve(f *selection.Flags) func(context.Context, *connection.Cluster, selection.Request) ([]selection.Object, error) {
	return func(ctx context.Context, c *connection.Cluster, r selection.Request) ([]selection.Object, error) {
		all, err := f.Resolve(ctx, c, r)
		a.addOfSets(all)
		return all, err
	}
}
