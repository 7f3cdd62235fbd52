package move_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/kube/wiretest"
)

// The sides of a move.
const (
	source = iota
	target
)

// A side is what one cluster has.
type side map[string]*unstructured.Unstructured

// A watcher sees each change on both sides while it is made, and reports what must never happen.
type watcher struct {
	w      *world
	before [2]side // at the beginning

	mu      sync.Mutex // guards the fields below
	now     [2]side
	changes func()          // called after each change, if set
	foreign map[string]bool // names of objects that the test itself deletes
	// tolerated are the names of objects whose copies may differ.
	tolerated map[string]bool
}

// newWatcher watches both clusters of a world.
func newWatcher(w *world) *watcher {
	x := &watcher{w: w, foreign: map[string]bool{}, tolerated: map[string]bool{}}
	for i, s := range []*wiretest.Server{w.from, w.to} {
		x.now[i] = side{}
		for _, u := range s.Objects() {
			x.now[i][nameOf(u)] = u
		}
		x.before[i] = maps.Clone(x.now[i])
		s.Observe(func(before, after *unstructured.Unstructured) { x.change(i, before, after) })
	}
	return x
}

// nameOf returns the kind, the namespace and the name of an object, such as Box shop/a.
func nameOf(u *unstructured.Unstructured) string {
	return u.GetKind() + " " + u.GetNamespace() + "/" + u.GetName()
}

// change checks a change.
func (x *watcher) change(at int, before, after *unstructured.Unstructured) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if after == nil {
		delete(x.now[at], nameOf(before))
	} else {
		x.now[at][nameOf(after)] = after
	}
	if u := after; u != nil && u.GroupVersionKind().GroupKind() == management.Cluster && isActive(x.now[source][nameOf(u)]) && isActive(x.now[target][nameOf(u)]) {
		x.w.Errorf("%s is active on both sides", nameOf(u))
	}
	if u := after; at == target && isActive(u) && u.GroupVersionKind().GroupKind() == management.Cluster && isMoved(u) && x.now[source][nameOf(u)] != nil {
		x.w.Errorf("%s is active in the target although the source still has it", nameOf(u))
	}
	isGoing := before != nil && before.GetDeletionTimestamp() == nil && (after == nil || after.GetDeletionTimestamp() != nil)
	if isGoing && !x.foreign[nameOf(before)] {
		x.checkDeletion(at, before, after)
	}
	if x.changes != nil {
		x.changes()
	}
}

// isActive reports whether the controllers of a side work on a Cluster.
func isActive(u *unstructured.Unstructured) bool {
	return u != nil && !clusterapitest.IsPaused(u)
}

// checkDeletion checks that an original is on the other side when it is deleted. It also checks that
// no controller sees a reason to delete the machine of the object in a cloud.
func (x *watcher) checkDeletion(at int, before, after *unstructured.Unstructured) {
	kind := management.Find(clusterapitest.Kinds(), before.GroupVersionKind().GroupKind())
	if kind == nil {
		return // a Lease or a ConfigMap of the journal
	}
	if x.before[at][nameOf(before)] != nil && !isMoved(before) || at == target && x.before[target][nameOf(before)] != nil {
		x.w.Errorf("a foreign object is deleted: %s", nameOf(before))
	}
	_, marked := before.GetAnnotations()[management.DeleteForMoveAnnotation]
	if !kind.MetadataOnly() && (!marked || len(before.GetFinalizers()) > 0) {
		x.w.Errorf("a controller sees the deletion of %s with the finalizers %v and the annotations %v", nameOf(before), before.GetFinalizers(), before.GetAnnotations())
	}
	if at == target || !isMoved(before) {
		return
	}
	have := x.now[target][nameOf(before)]
	if have != nil && x.tolerated[nameOf(before)] {
		return
	}
	if have == nil || values(have) != values(before) || have.GetDeletionTimestamp() != nil {
		x.w.Errorf("%s is deleted without an equal copy: %s, want %s", nameOf(before), values(have), values(before))
	}
}

// values returns what must be equal on both sides when an original is deleted. It has the labels, the
// annotations, the spec, the data, and the status of a Box.
func values(u *unstructured.Unstructured) string {
	if u == nil {
		return "missing"
	}
	kept := map[string]any{"labels": u.GetLabels(), "annotations": keptAnnotations(u)}
	for name, value := range u.DeepCopy().Object {
		if name != "metadata" && name != "status" {
			kept[name] = value
		}
	}
	if spec, is := kept["spec"].(map[string]any); is && u.GetKind() == "Cluster" {
		delete(spec, "paused")
	}
	if u.GetKind() == box.Kind {
		kept["serial"] = field(u, "status", "serial")
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// keptAnnotations returns the annotations that are not of a move.
func keptAnnotations(u *unstructured.Unstructured) map[string]string {
	kept := map[string]string{}
	for name, value := range u.GetAnnotations() {
		if !slices.Contains(moveAnnotations, name) {
			kept[name] = value
		}
	}
	return kept
}

// moveAnnotations are the annotations that nothing has before or after a move of unpaused Clusters.
var moveAnnotations = []string{"kstatus.dev/move", management.PauseBeforeAnnotation, management.PauseStateAnnotation, management.PauseMessageAnnotation,
	management.WakeAnnotation, management.PausedAnnotation, management.DeleteForMoveAnnotation}

// whole returns values, the finalizers, and the owners without their UIDs.
func whole(u *unstructured.Unstructured) string {
	if u == nil {
		return "missing"
	}
	var owners []string
	for _, r := range u.GetOwnerReferences() {
		owners = append(owners, r.Kind+" "+r.Name)
	}
	slices.Sort(owners)
	return values(u) + fmt.Sprint(u.GetFinalizers(), owners)
}

// checkMoved checks the end of a move. Each object of the Clusters is in the target, as it was in the
// source. Those that move are gone from the source. Everything else is as before.
func (x *watcher) checkMoved(copied ...string) {
	x.w.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for name, u := range x.before[source] {
		if !isMoved(u) {
			continue
		}
		if have, want := whole(x.now[target][name]), whole(u); have != want {
			x.w.Errorf("in the target, %s is\n%s, want\n%s", name, have, want)
		}
		if isCopied := slices.Contains(copied, name); isCopied != (x.now[source][name] != nil) {
			x.w.Errorf("in the source, %s exists: %t", name, !isCopied)
		}
	}
	for name, u := range x.now[target] {
		if isMoved(u) && x.before[source][name] == nil && x.before[target][name] == nil {
			x.w.Errorf("the target has %s, which nobody has created", name)
		}
		if isMoved(u) {
			x.checkEnd(target, u)
		}
	}
	x.checkStrangers()
}

// checkEnd checks that an object has no trace of a move, and that its owners exist.
func (x *watcher) checkEnd(at int, u *unstructured.Unstructured) {
	x.w.Helper()
	for _, name := range moveAnnotations {
		_, after := u.GetAnnotations()[name]
		before := x.before[source][nameOf(u)]
		isResult := name == management.PauseStateAnnotation || name == management.PauseMessageAnnotation // of the end of the pause
		if after && !isResult && (before == nil || before.GetAnnotations()[name] != u.GetAnnotations()[name]) {
			x.w.Errorf("%s still has the annotation %s", nameOf(u), name)
		}
	}
	if clusterapitest.IsPaused(u) && (x.before[source][nameOf(u)] == nil || !clusterapitest.IsPaused(x.before[source][nameOf(u)])) {
		x.w.Errorf("%s is paused", nameOf(u))
	}
	for _, r := range u.GetOwnerReferences() {
		if owner := x.now[at][r.Kind+" "+u.GetNamespace()+"/"+r.Name]; owner == nil || owner.GetUID() != r.UID {
			x.w.Errorf("%s has the owner %s %s, which does not exist", nameOf(u), r.Kind, r.Name)
		}
	}
}

// checkStrangers checks that the objects that do not belong to the move are as before.
func (x *watcher) checkStrangers() {
	x.w.Helper()
	for at, before := range x.before {
		for name, u := range before {
			if u.GetKind() == "CustomResourceDefinition" || at == source && isMoved(u) {
				continue
			}
			if have := x.now[at][name]; have == nil || have.GetResourceVersion() != u.GetResourceVersion() {
				x.w.Errorf("the foreign %s was changed: %s, want %s", name, whole(have), whole(u))
			}
		}
	}
}

// checkRolledBack checks that both sides are as before the move, apart from new namespaces.
func (x *watcher) checkRolledBack() {
	x.w.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for name, u := range x.before[source] {
		if have, want := whole(x.now[source][name]), whole(u); isMoved(u) && have != want {
			x.w.Errorf("in the source, %s is\n%s, want\n%s", name, have, want)
		}
		if now := x.now[source][name]; now != nil && isMoved(u) {
			x.checkEnd(source, now)
		}
	}
	for name, u := range x.now[target] {
		if isMoved(u) && x.before[target][name] == nil {
			x.w.Errorf("the target still has %s", name)
		}
	}
	x.checkStrangers()
}
