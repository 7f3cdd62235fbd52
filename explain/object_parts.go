package explain

import (
	"cmp"
	"slices"

	"kstatus.dev/status"
)

// PartKinds returns the known kinds of the parts of a kind: the objects that its
// controller creates and owns.
func PartKinds(kind status.Kind) []status.Kind { return slices.Clone(partsOf[kind]) }

// children returns the objects that decide whether an object is ready: its parts, and the
// objects that it selects.
func (o *object) children() []*object {
	switch {
	case o.isDeleting():
		return append(o.relevantParts(), o.deletingContent()...)
	case o.ID.Kind == budget && o.lacksHealthyPods():
		return o.budgetPods()
	case o.ID.Kind == helmRelease:
		return append(o.relevantParts(), o.releasedWorkloads()...)
	case o.ID.Kind == machineHealth:
		return append(o.relevantParts(), o.watchedMachines()...)
	case o.ID.Kind == service:
		return append(o.relevantParts(), o.selectedPods()...)
	}
	return o.relevantParts()
}

// relevantParts returns the parts that decide whether an object is ready. For a
// Deployment these are in its newest ReplicaSet. Parts that are being deleted do not
// count, unless the object itself is being deleted.
func (o *object) relevantParts() []*object {
	if o.isDeleting() {
		return o.parts
	}
	parts := slices.DeleteFunc(slices.Clone(o.parts), func(p *object) bool {
		return p.isDeleting() && !o.waitsForDeletion()
	})
	switch o.ID.Kind {
	case deployment:
		parts = o.currentSet(parts)
	case replicaSet, controller, statefulSet, daemonSet:
		parts = o.withoutReplaced(parts)
	case job:
		if o.isDone() {
			return nil
		}
	case cronJob:
		parts = lastCreated(parts)
	case certificate:
		parts = lastIssue(parts)
	}
	return parts
}

// currentSet returns the ReplicaSet of the current revision of a Deployment. If that waits for the
// end of former Pods, it also returns these.
func (o *object) currentSet(parts []*object) (all []*object) {
	const revision = "metadata.annotations[deployment.kubernetes.io/revision]"
	newest := o.Text(revision)
	for _, p := range parts {
		if p.Text(revision) == newest {
			all = append(all, p)
		}
	}
	for _, l := range recreateLists(o) {
		for _, p := range o.index.objectsIn(l) {
			if owner := o.index.owner(p); p.isDeleting() && owner != nil && o.index.owner(owner) == o {
				all = append(all, p)
			}
		}
	}
	return all
}

// recreateLists returns the list of the Pods of a Deployment that creates new Pods only after
// all former ones are gone.
func recreateLists(o *object) []List {
	if o.Text("spec.strategy.type") != "Recreate" && o.Text("spec.podReplacementPolicy") != "TerminationComplete" || o.Int("status.updatedReplicas", 0) >= o.Int("spec.replicas", 1) || len(o.Labels("spec.selector.matchLabels")) == 0 {
		return nil
	}
	return []List{o.selectedBy("spec.selector.matchLabels")}
}

// waitsForDeletion reports whether a controller creates a Pod only after a former one is gone. For a
// StatefulSet or DaemonSet, that is the one with that name or on that node.
func (o *object) waitsForDeletion() bool {
	kind := o.ID.Kind
	return kind == statefulSet || kind == daemonSet || kind == job && o.Int("status.terminating", 0) > 0
}

// withoutReplaced removes Pods that have failed and have been replaced.
func (o *object) withoutReplaced(parts []*object) []*object {
	failed := func(p *object) bool { return p.ID.Kind == pod && p.Text("status.phase") == "Failed" }
	living := int64(0)
	for _, p := range o.parts {
		if p.ID.Kind == pod && !failed(p) && p.Result.Status != status.TerminatingStatus {
			living++
		}
	}
	want := o.Int("spec.replicas", 1)
	if o.ID.Kind == daemonSet {
		want = o.Int("status.desiredNumberScheduled", 0)
	}
	if living < want {
		return parts
	}
	return slices.DeleteFunc(parts, failed)
}

// lastCreated returns the part that was created last, by name among equals.
func lastCreated(parts []*object) []*object {
	if len(parts) == 0 {
		return nil
	}
	return []*object{slices.MaxFunc(parts, func(a, b *object) int {
		const created = "metadata.creationTimestamp"
		return cmp.Or(timeOf(a.Text(created)).Compare(timeOf(b.Text(created))), a.ID.Compare(b.ID))
	})}
}
