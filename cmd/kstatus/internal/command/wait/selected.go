package wait

import (
	"context"
	"slices"
	"sync"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/setsource"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// selectedObjects are the objects of a wait, with the places where they were found and their applied
// versions.
type selectedObjects struct {
	minVersions map[observe.Target]observe.Version
	objects     map[observe.Target]status.Object

	mu     sync.Mutex // guards the fields below
	found  []selection.Found
	ofSets map[observe.Target]bool
}

func newSelectedObjects(found []selection.Found) *selectedObjects {
	a := &selectedObjects{
		minVersions: map[observe.Target]observe.Version{}, objects: map[observe.Target]status.Object{},
		found: slices.Clone(found), ofSets: map[observe.Target]bool{},
	}
	all := selection.ObjectsOf(found)
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

func (a *selectedObjects) addOfSets(all []selection.Object) {
	for _, o := range all {
		if o.OfSet.Name != "" {
			a.ofSets[o.Target] = true
		}
	}
}

func (a *selectedObjects) isOfSet(t observe.Target) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ofSets[t]
}

// add adds what was found during the wait.
func (a *selectedObjects) add(later selection.Found) {
	if len(later.Objects) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.addOfSets(later.Objects)
	for i, f := range a.found {
		if f.Cluster == later.Cluster {
			a.found[i] = f.With(later)
		}
	}
}

// scopes returns the clusters with the objects that were found in them so far, for an explanation.
func (a *selectedObjects) scopes() []explainer.Scope {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]explainer.Scope, len(a.found))
	for i, f := range a.found {
		all[i] = explainer.Scope{Cluster: f.Cluster, Homes: f.Homes()}
	}
	return all
}

// addChangedSets adds the caveats of [setsource.AddChanged].
func (a *selectedObjects) addChangedSets(ctx context.Context, some []observe.Update, board *observe.Board) []observe.Update {
	a.mu.Lock()
	found := slices.Clone(a.found)
	a.mu.Unlock()
	return setsource.AddChanged(ctx, found, some, board)
}

// addTo makes a watcher compare objects with the applied ones.
func (a *selectedObjects) addTo(w *observe.Watcher) {
	w.MinVersion = func(t observe.Target) observe.Version { return a.minVersions[t] }
	w.Applied = func(t observe.Target) status.Object { return a.objects[t] }
	w.FirstApplied = a.isOfSet
}

// resolve returns a function that resolves requests during a wait, and records their objects.
func (a *selectedObjects) resolve(f *selection.Flags) func(context.Context, *connection.Cluster, selection.Request) (selection.Found, error) {
	return func(ctx context.Context, c *connection.Cluster, r selection.Request) (selection.Found, error) {
		found, err := f.Resolve(ctx, c, r)
		a.add(found)
		return found, err
	}
}
