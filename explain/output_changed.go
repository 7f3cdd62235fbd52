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
	of       *object // the ReplicaSet or ControllerRevision with the template
}

// revisionChanges returns the changes in the template of a workload in a chain, without
// values that may be secret. It is empty if no former template is known, or if the Pod of
// the cause runs a former template.
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
		return []string{show.Line(fmt.Sprintf("%s %d -> %d: %s", o.revisionTitle(), before.number, now.number, strings.Join(changes, "; ")))}
	}
	return nil
}

// The kinds of causes that depend on the template, so that a rollback may fix them.
var fixedByRollback = map[string]bool{
	"ImageNotFound": true, "ImageAccessDenied": true, "ImageNeverPull": true, "InvalidImageName": true, "ImagePlatform": true, "ImageSignature": true, "ImagePull": true,
	"ReferenceMissing": true, "KeyMissing": true, "RunAsNonRoot": true, "CreateContainerConfigError": true, "CreateContainerError": true, "StartError": true, "PostStartHook": true,
	"OutOfMemory": true, "LivenessProbe": true, "StartupProbe": true, "ReadinessProbe": true, "CrashLoop": true, "ContainerCompleted": true, "ContainerFailed": true,
	"InitContainerRunning": true, "SidecarNotStarted": true, "Unschedulable": true,
	"QuotaUnmet": true, "LimitRange": true, "PodSecurity": true, "PolicyDenied": true, "WebhookDenied": true, "AdmissionDenied": true, "InvalidTemplate": true,
}

// undoCommands returns commands that roll back the workload in a chain. A StatefulSet
// with ordered Pods replaces an unready Pod only after that Pod is deleted. A workload of
// Helm is rolled back with its release, and Flux would revert a rollback.
func undoCommands(chain []*object) []string {
	for i, o := range chain {
		before, now := o.rollout()
		if before == nil {
			continue
		}
		if next := kubectl.OwnerCommands(o.ID.Cluster, o.ID.Namespace, o.Text); next != nil {
			return next
		}
		words := []kubectl.Word{"rollout", "undo", slash(o.ID)}
		if before.number != now.number-1 {
			words = append(words, kubectl.Word("--to-revision=").With(kubectl.Number(before.number)))
		}
		next := []string{commandFor(o.ID, words...)}
		if o.podManagement() != "" && i+1 < len(chain) && chain[i+1].ID.Kind == pod {
			next = append(next, commandFor(o.ID, "delete", slash(chain[i+1].ID)))
		}
		return next
	}
	return nil
}

// rollout returns the current template of a workload and the one to compare it with. That is the
// latest former template with ready Pods, or else the previous one. Unknown templates are nil.
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

// isServing reports whether Pods of a revision are known to be ready.
func (o *object) isServing(r revision) bool {
	if r.of.ID.Kind == replicaSet {
		return r.of.Int("status.readyReplicas", 0) > 0
	}
	if o.Text("status.currentRevision") == r.of.ID.Name {
		return true
	}
	return slices.ContainsFunc(o.parts, func(p *object) bool {
		return p.ID.Kind == pod && p.Text(revisionLabel) != "" && p.isOfRevision(&r) && p.Text("status.conditions[Ready].status") == "True"
	})
}

// newest returns the revision with the highest number, or nil.
func newest(all []revision) *revision {
	if len(all) == 0 {
		return nil
	}
	r := slices.MaxFunc(all, func(a, b revision) int {
		return cmp.Or(cmp.Compare(a.number, b.number), a.of.ID.Compare(b.of.ID))
	})
	return &r
}

// revisions returns the known templates of a workload, current and former. They are in
// the ReplicaSets of a Deployment, and in the ControllerRevisions of other workloads.
func (o *object) revisions() (all []revision) {
	switch o.ID.Kind {
	case deployment:
		for _, p := range o.parts {
			number, err := strconv.ParseInt(p.Text("metadata.annotations[deployment.kubernetes.io/revision]"), 10, 64)
			if p.ID.Kind == replicaSet && err == nil && p.Has("spec.template") {
				all = append(all, revision{p.Section.Under("spec.template"), number, p})
			}
		}
	case statefulSet, daemonSet:
		for _, p := range o.parts {
			if p.ID.Kind == controllerRevision && p.Has("data.spec.template") {
				all = append(all, revision{p.Section.Under("data.spec.template"), p.Int("revision", 0), p})
			}
		}
	}
	return all
}

// isOfRevision reports whether a part of a workload has a revision, or does not say which
// one.
func (o *object) isOfRevision(r *revision) bool {
	switch o.ID.Kind {
	case replicaSet:
		return o == r.of
	case pod:
		have, want := o.Text(revisionLabel), r.of.Text(revisionLabel)
		return have == "" || have == want || have == r.of.ID.Name
	}
	return true
}
