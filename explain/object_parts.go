package explain

import (
	"cmp"
	"slices"

	"kstatus.dev/status"
)

// What the controllers of a kind make, as far as it tells why the object is not
// there. They are found by their owner references.
var partsOf = map[status.Kind][]status.Kind{
	deployment:  {replicaSet},
	replicaSet:  {pod},
	statefulSet: {pod, claim, {Group: "apps", Kind: "ControllerRevision"}},
	daemonSet:   {pod, {Group: "apps", Kind: "ControllerRevision"}},
	controller:  {pod},
	job:         {pod},
	cronJob:     {job},

	capiCluster:       {machineDeployment, machinePool},
	machineDeployment: {machineSet},
	machineSet:        {machine},
	{Group: controlGroup, Kind: "KubeadmControlPlane"}: {machine},

	certificate:        {certificateRequest},
	certificateRequest: {order},
	order:              {challenge},

	{Group: "pkg.crossplane.io", Kind: "Provider"}:         {{Group: "pkg.crossplane.io", Kind: "ProviderRevision"}},
	{Group: "pkg.crossplane.io", Kind: "ProviderRevision"}: {deployment},

	{Group: "serving.knative.dev", Kind: "Service"}:       {{Group: "serving.knative.dev", Kind: "Configuration"}, {Group: "serving.knative.dev", Kind: "Route"}},
	{Group: "serving.knative.dev", Kind: "Configuration"}: {{Group: "serving.knative.dev", Kind: "Revision"}},
	{Group: "serving.knative.dev", Kind: "Revision"}:      {deployment},

	{Group: "tekton.dev", Kind: "PipelineRun"}:             {{Group: "tekton.dev", Kind: "TaskRun"}},
	{Group: "tekton.dev", Kind: "TaskRun"}:                 {pod},
	{Group: "argoproj.io", Kind: "Rollout"}:                {replicaSet},
	{Group: "argoproj.io", Kind: "Workflow"}:               {pod},
	{Group: "jobset.x-k8s.io", Kind: "JobSet"}:             {job},
	{Group: "kubevirt.io", Kind: "VirtualMachine"}:         {{Group: "kubevirt.io", Kind: "VirtualMachineInstance"}},
	{Group: "kubevirt.io", Kind: "VirtualMachineInstance"}: {pod},
}

// PartsOf returns the kinds of which objects may be parts of an object of a kind:
// made and controlled by it. What is not known is not among them.
func PartsOf(kind status.Kind) []status.Kind { return slices.Clone(partsOf[kind]) }

// beneath returns the objects by which an object stands or falls: its parts, and
// those that it selects.
func (n *node) beneath() []*node {
	switch {
	case n.ending():
		return append(n.counting(), n.held()...)
	case n.ID.GroupKind() == budget && n.short():
		return n.scene.standing(n.selectedBy("spec.selector.matchLabels"))
	case n.ID.GroupKind() == helmRelease:
		return append(n.counting(), n.released()...)
	case n.ID.GroupKind() == machineHealth:
		return append(n.counting(), n.watched()...)
	case n.ID.GroupKind() == service:
		return append(n.counting(), n.selected()...)
	}
	return n.counting()
}

// counting returns the parts by which an object stands or falls: of a Deployment
// the newest ReplicaSet, of others those that are not there and not on their way
// out, and of one that is being deleted those that are to go before it.
func (n *node) counting() []*node {
	if n.ending() {
		return n.parts
	}
	parts := slices.DeleteFunc(slices.Clone(n.parts), func(p *node) bool {
		return p.Result.Status == status.TerminatingStatus && !(n.awaits() && p.overdue())
	})
	switch n.ID.GroupKind() {
	case deployment:
		parts = n.newestSet(parts)
	case replicaSet, controller, statefulSet, daemonSet:
		parts = n.unreplaced(parts)
	case job:
		if n.done() {
			return nil
		}
	case cronJob:
		parts = lastCreated(parts)
	case certificate:
		parts = lastIssue(parts)
	}
	return parts
}

// newestSet returns the ReplicaSet of the revision that a Deployment rolls out,
// and, where it ends all former Pods first, those that do not end.
func (n *node) newestSet(parts []*node) (all []*node) {
	const revision = "metadata.annotations[deployment.kubernetes.io/revision]"
	newest := n.Text(revision)
	for _, p := range parts {
		if p.Text(revision) == newest {
			all = append(all, p)
		}
	}
	for _, l := range recreated(n) {
		for _, p := range n.scene.among(l) {
			if owner := n.scene.owner(p); p.ending() && p.overdue() && owner != nil && n.scene.owner(owner) == n {
				all = append(all, p)
			}
		}
	}
	return all
}

// recreated are the Pods of a Deployment that makes new ones only once all former
// ones are gone.
func recreated(n *node) []List {
	if n.Text("spec.strategy.type") != "Recreate" || n.Int("status.updatedReplicas", 0) >= n.Int("spec.replicas", 1) || len(n.Labels("spec.selector.matchLabels")) == 0 {
		return nil
	}
	return []List{n.selectedBy("spec.selector.matchLabels")}
}

// awaits reports whether a controller makes a Pod only once the former one of
// that name or on that node is gone.
func (n *node) awaits() bool {
	kind := n.ID.GroupKind()
	return kind == statefulSet || kind == daemonSet
}

// unreplaced leaves out Pods that have failed and in whose place others have been made.
func (n *node) unreplaced(parts []*node) []*node {
	failed := func(p *node) bool { return p.ID.GroupKind() == pod && p.Text("status.phase") == "Failed" }
	living := int64(0)
	for _, p := range n.parts {
		if p.ID.GroupKind() == pod && !failed(p) && p.Result.Status != status.TerminatingStatus {
			living++
		}
	}
	want := n.Int("spec.replicas", 1)
	if n.ID.GroupKind() == daemonSet {
		want = n.Int("status.desiredNumberScheduled", 0)
	}
	if living < want {
		return parts
	}
	return slices.DeleteFunc(parts, failed)
}

// lastCreated returns the part that was created last, by name among equals.
func lastCreated(parts []*node) []*node {
	if len(parts) == 0 {
		return nil
	}
	return []*node{slices.MaxFunc(parts, func(a, b *node) int {
		const created = "metadata.creationTimestamp"
		return cmp.Or(timeOf(a.Text(created)).Compare(timeOf(b.Text(created))), a.ID.Compare(b.ID))
	})}
}
