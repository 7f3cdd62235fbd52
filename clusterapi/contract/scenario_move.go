package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/decoded"
)

// deleteForMoveAnnotation is on objects that are deleted because they have been moved.
const deleteForMoveAnnotation = "clusterctl.cluster.x-k8s.io/delete-for-move"

// move replaces objects by copies, as a move to another cluster does.
var move = &Scenario{
	Name:  "move",
	Rules: []string{"C-ALL-8", "C-ALL-9", "C-ALL-10"},
	Doc: "A ready Cluster is paused. Its objects are deleted as after a move: without their finalizers, and with the annotation delete-for-move. " +
		"Then copies of them are created: with new UIDs, the mapped owners and the finalizers, but without a status. When the pause ends, the " +
		"provider restores the status from the spec and the external resources. These never change.",
	run: func(f *fixture) error {
		machines, err := f.createReady()
		if err != nil {
			return err
		}
		if err := f.pause(f.ctx, machines.cluster, true); err != nil {
			return err
		}
		// A missing acknowledgement is a finding of another scenario.
		found := len(f.findings)
		if err := f.awaitAcknowledgements(machines, "before the move"); err != nil && err != errUnmet {
			return err
		}
		f.findings = f.findings[:found]
		if err := f.waitQuietPeriod(); err != nil {
			return err
		}
		return f.moveObjects(machines)
	},
}

// A moved is one of the provider's objects before a move.
type moved struct {
	state    map[string]any // the status, without times
	spec     any
	external []string
}

// moveObjects deletes the paused objects, creates copies of them, and ends their pause.
func (f *fixture) moveObjects(machines *clusterMachines) error {
	before := map[string]moved{}
	err := machines.each(func(s subject) error {
		obj, _, err := f.last(s)
		if err != nil {
			return err
		}
		external, _, err := f.externalObjects(s)
		before[s.role] = moved{summaryUnpaused(obj), decoded.At(obj.Object, "spec"), external}
		return err
	})
	if err != nil {
		return err
	}
	copies, err := f.copy(machines)
	if err != nil {
		return err
	}
	if err := f.deleteMoved(machines); err != nil {
		return err
	}
	if err := f.expectExternal("C-ALL-9", machines, before, "it was deleted after a move"); err != nil {
		return err
	}
	if err := f.createCopies(copies); err != nil {
		return err
	}
	if err := f.expectExternal("C-ALL-8", copies, before, "its copy is paused"); err != nil {
		return err
	}
	start := time.Now()
	if err := f.pause(f.ctx, copies.cluster, false); err != nil {
		return err
	}
	if err := f.provision(copies); err != nil {
		return err
	}
	return copies.each(func(s subject) error { return f.expectMoved(s, before[s.role], start) })
}

// summaryUnpaused returns the status that a copy must have after its pause.
func summaryUnpaused(obj *unstructured.Unstructured) map[string]any {
	state := summary(obj)
	texts := state["conditions"].(map[string]any)
	delete(texts, "Paused")
	return state
}

// copy reads the objects of a Cluster as they are.
func (f *fixture) copy(machines *clusterMachines) (*clusterMachines, error) {
	read := func(obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		if obj == nil {
			return nil, nil
		}
		resource, err := f.env.resource(obj.GroupVersionKind())
		if err != nil {
			return nil, err
		}
		now, err := resource.Get(f.ctx, obj.GetName(), metav1.GetOptions{})
		if err != nil {
			return nil, fmt.Errorf("read %s %s: %w", obj.GetKind(), obj.GetName(), err)
		}
		return now, nil
	}
	copies := &clusterMachines{ic: subject{role: infraCluster}, im: subject{role: infraMachine}}
	for _, pair := range []struct{ from, to **unstructured.Unstructured }{
		{&machines.cluster, &copies.cluster}, {&machines.ic.Unstructured, &copies.ic.Unstructured},
		{&machines.machine, &copies.machine}, {&machines.im.Unstructured, &copies.im.Unstructured},
	} {
		var err error
		if *pair.to, err = read(*pair.from); err != nil {
			return nil, err
		}
	}
	return copies, nil
}

// deleteMoved deletes objects as after a move. It deletes owners last.
func (f *fixture) deleteMoved(machines *clusterMachines) error {
	for _, obj := range []*unstructured.Unstructured{machines.im.Unstructured, machines.machine, machines.ic.Unstructured, machines.cluster} {
		if obj == nil {
			continue
		}
		// Also the garbage collector must finish, and the provider does not decide how long that takes.
		limit := max(f.env.provider.Timeout, 2*time.Minute)
		ctx, cancel := context.WithTimeoutCause(f.ctx, limit, fmt.Errorf("delete %s %s: it still exists after %s", obj.GetKind(), obj.GetName(), limit))
		err := f.deleteForMove(ctx, obj)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteForMove deletes an object so that no controller sees a deleted object with a finalizer.
// It starts again if somebody else writes to the object meanwhile.
func (f *fixture) deleteForMove(ctx context.Context, obj *unstructured.Unstructured) error {
	resource, err := f.env.resource(obj.GroupVersionKind())
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		now, err := resource.Get(ctx, obj.GetName(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && now.GetUID() != obj.GetUID() {
			return nil
		}
		if err == nil {
			err = deleteVersion(ctx, resource, now)
		}
		if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			return fmt.Errorf("delete %s %s: %w", obj.GetKind(), obj.GetName(), err)
		}
		time.Sleep(pollInterval)
	}
	return context.Cause(ctx)
}

// deleteVersion deletes an object if it still has this version: it adds the annotation, removes
// the finalizers, and then deletes.
func deleteVersion(ctx context.Context, resource dynamic.ResourceInterface, obj *unstructured.Unstructured) error {
	metadata := []map[string]any{{"annotations": map[string]any{deleteForMoveAnnotation: ""}}}
	// The garbage collector removes this finalizer when it has removed the owner from other objects.
	kept := slices.DeleteFunc(obj.GetFinalizers(), func(name string) bool { return name != metav1.FinalizerOrphanDependents })
	if len(obj.GetFinalizers()) > len(kept) {
		metadata = append(metadata, map[string]any{"finalizers": kept})
	}
	for _, change := range metadata {
		change["resourceVersion"] = obj.GetResourceVersion()
		data, err := json.Marshal(map[string]any{"metadata": change})
		if err != nil {
			return err
		}
		obj, err = resource.Patch(ctx, obj.GetName(), types.MergePatchType, data, metav1.PatchOptions{FieldManager: manager})
		if err != nil {
			return err
		}
	}
	uid, version, policy := obj.GetUID(), obj.GetResourceVersion(), metav1.DeletePropagationOrphan
	return resource.Delete(ctx, obj.GetName(), metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}, PropagationPolicy: &policy,
	})
}

// createCopies creates copies of objects, owners first. It maps the owners, and leaves out the
// status.
func (f *fixture) createCopies(copies *clusterMachines) error {
	uids := map[types.UID]types.UID{}
	for _, obj := range []**unstructured.Unstructured{&copies.cluster, &copies.ic.Unstructured, &copies.machine, &copies.im.Unstructured} {
		if *obj == nil {
			continue
		}
		created := (*obj).DeepCopy()
		old := created.GetUID()
		unstructured.RemoveNestedField(created.Object, "status")
		for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"} {
			unstructured.RemoveNestedField(created.Object, "metadata", name)
		}
		refs := created.GetOwnerReferences()
		for i := range refs {
			if uid, found := uids[refs[i].UID]; found {
				refs[i].UID = uid
			}
		}
		created.SetOwnerReferences(refs)
		created, err := f.create(created)
		if err != nil {
			return err
		}
		uids[old], *obj = created.GetUID(), created
	}
	return nil
}

// expectExternal waits for a while, and checks that the external resources are as before a move.
func (f *fixture) expectExternal(rule string, machines *clusterMachines, before map[string]moved, when string) error {
	if err := f.waitQuietPeriod(); err != nil {
		return err
	}
	return machines.each(func(s subject) error {
		now, known, err := f.externalObjects(s)
		if known && fmt.Sprint(before[s.role].external) != fmt.Sprint(now) {
			f.report(rule, s, "%s, and its external resources changed from %v to %v", when, before[s.role].external, now)
		}
		return err
	})
}

// expectMoved checks that a copy reaches the state from before the move.
func (f *fixture) expectMoved(s subject, before moved, start time.Time) error {
	after, err := f.await("C-ALL-10", s, "in the same state as before its move: "+short(before.state), func(obj *unstructured.Unstructured) bool {
		return !hasCondition("Paused", "True")(obj) && reflect.DeepEqual(summaryUnpaused(obj), before.state)
	})
	switch {
	case err == errUnmet: // the external resources are checked as well
	case err != nil:
		return err
	default:
		f.measure("%s: the status was restored within %s", s.role, time.Since(start).Round(pollInterval))
		if now := decoded.At(after.Object, "spec"); !reflect.DeepEqual(before.spec, now) {
			f.report("C-ALL-10", s, "after its move, its spec changed from %s to %s", short(before.spec), short(now))
		}
	}
	now, known, err := f.externalObjects(s)
	if known && fmt.Sprint(before.external) != fmt.Sprint(now) {
		f.report("C-ALL-10", s, "after its move, its external resources changed from %v to %v", before.external, now)
	}
	return err
}
