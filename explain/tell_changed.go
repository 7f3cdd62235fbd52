package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var controllerRevision = status.Kind{Group: "apps", Kind: "ControllerRevision"}

// A revision is one template that a workload has had.
type revision struct {
	template fields.Section
	number   int64
	of       *object // the ReplicaSet or ControllerRevision that holds it
}

// revisionChanges returns what changed in the template of a workload in a chain,
// without any value that may be secret. It is empty if no former template is known,
// and if the Pod at fault runs a former one.
func revisionChanges(chain []*object) []string {
	for i, o := range chain {
		before, now := o.rollout()
		if now == nil || before == nil || i+1 < len(chain) && !chain[i+1].isOfRevision(now) {
			continue
		}
		changes := podspec.Changes(before.template, now.template)
		if len(changes) == 0 {
			continue
		}
		if most := 8; len(changes) > most {
			changes = append(changes[:most:most], fmt.Sprintf("and %d more", len(changes)-most))
		}
		return []string{show.Line(fmt.Sprintf("revision %d -> %d: %s", before.number, now.number, strings.Join(changes, "; ")))}
	}
	return nil
}

// The kinds of causes that a template decides, so that going back to the former
// one may mend them.
var mendedByUndo = map[string]bool{
	"ImageNotFound": true, "ImageAccessDenied": true, "ImageNeverPull": true, "InvalidImageName": true, "ImagePlatform": true, "ImageSignature": true, "ImagePull": true,
	"ReferenceMissing": true, "KeyMissing": true, "RunAsNonRoot": true, "CreateContainerConfigError": true, "CreateContainerError": true, "StartError": true, "PostStartHook": true,
	"OutOfMemory": true, "LivenessProbe": true, "StartupProbe": true, "ReadinessProbe": true, "CrashLoop": true, "ContainerCompleted": true, "ContainerFailed": true,
	"InitContainerRunning": true, "SidecarNotStarted": true, "Unschedulable": true,
	"QuotaUnmet": true, "LimitRange": true, "PodSecurity": true, "PolicyDenied": true, "WebhookDenied": true, "AdmissionDenied": true, "InvalidTemplate": true,
}

// undoCommands returns commands that go back to the former template of the workload
// in a chain. A StatefulSet that starts Pods in order does not replace a Pod that is
// not ready until that is deleted. A workload of Helm goes back with its release, and Flux
// would take back what is undone.
func undoCommands(chain []*object) []string {
	for i, o := range chain {
		before, now := o.rollout()
		if before == nil {
			continue
		}
		if next := kubectl.OwnerCommands(o.ID.Cluster, o.ID.Namespace, o.Text); next != nil {
			return next
		}
		words := []kubectl.Word{"rollout", "undo", o.ID.slash()}
		if before.number != now.number-1 {
			words = append(words, kubectl.Word("--to-revision=").With(kubectl.Number(before.number)))
		}
		next := []string{o.ID.kubectl(words...)}
		if o.podManagement() != "" && i+1 < len(chain) && chain[i+1].ID.GroupKind() == pod {
			next = append(next, o.ID.kubectl("delete", chain[i+1].ID.slash()))
		}
		return next
	}
	return nil
}

// rollout returns the template that a workload rolls out and the one to compare it
// with: the latest former one with Pods that are ready, or else the one before.
// They are nil where they are not known.
func (o *object) rollout() (before, now *revision) {
	all := o.revisions()
	now = newest(all)
	if now == nil {
		return nil, nil
	}
	all = slices.DeleteFunc(all, func(r revision) bool { return r.number >= now.number })
	serving := slices.DeleteFunc(slices.Clone(all), func(r revision) bool { return !o.isServing(r) })
	if len(serving) > 0 {
		all = serving
	}
	return newest(all), now
}

// isServing reports whether Pods of a revision are ready, as far as that is known.
func (o *object) isServing(r revision) bool {
	if r.of.ID.GroupKind() == replicaSet {
		return r.of.Int("status.readyReplicas", 0) > 0
	}
	if o.Text("status.currentRevision") == r.of.ID.Name {
		return true
	}
	return slices.ContainsFunc(o.parts, func(p *object) bool {
		return p.ID.GroupKind() == pod && p.Text(revisionLabel) != "" && p.isOfRevision(&r) && p.Text("status.conditions[Ready].status") == "True"
	})
}

// newest returns the revision of the highest number, nil if there is none.
func newest(all []revision) *revision {
	if len(all) == 0 {
		return nil
	}
	r := slices.MaxFunc(all, func(a, b revision) int {
		return cmp.Or(cmp.Compare(a.number, b.number), a.of.ID.Compare(b.of.ID))
	})
	return &r
}

// revisions returns the templates that a workload has and has had, as far as
// they are known: those of the ReplicaSets of a Deployment, and those that
// ControllerRevisions keep of others.
func (o *object) revisions() (all []revision) {
	switch o.ID.GroupKind() {
	case deployment:
		for _, p := range o.parts {
			number, err := strconv.ParseInt(p.Text("metadata.annotations[deployment.kubernetes.io/revision]"), 10, 64)
			if p.ID.GroupKind() == replicaSet && err == nil && p.Has("spec.template") {
				all = append(all, revision{p.Section.Under("spec.template"), number, p})
			}
		}
	case statefulSet, daemonSet:
		for _, p := range o.parts {
			if p.ID.GroupKind() == controllerRevision && p.Has("data.spec.template") {
				all = append(all, revision{p.Section.Under("data.spec.template"), p.Int("revision", 0), p})
			}
		}
	}
	return all
}

// isOfRevision reports whether a part of a workload is of a revision, or does not
// say of which one it is.
func (o *object) isOfRevision(r *revision) bool {
	switch o.ID.GroupKind() {
	case replicaSet:
		return o == r.of
	case pod:
		have, want := o.Text(revisionLabel), r.of.Text(revisionLabel)
		return have == "" || have == want || have == r.of.ID.Name
	}
	return true
}
