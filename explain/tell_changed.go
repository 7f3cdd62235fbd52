package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

var controllerRevision = status.Kind{Group: "apps", Kind: "ControllerRevision"}

// A revision is one template that a workload has had.
type revision struct {
	template fields.Section
	number   int64
	of       *node // the ReplicaSet or ControllerRevision that holds it
}

// changed tells what changed in the template of a workload on the way to a cause
// before it came to be so, without any value that may be secret. It is empty
// where no former template is known, and where the Pod at fault runs a former one.
func changed(chain []*node) []string {
	for i, n := range chain {
		before, now := n.rollout()
		if now == nil || before == nil || i+1 < len(chain) && !chain[i+1].runs(now) {
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

// undo are the commands that go back to the former template of the workload on the
// way to a cause. A StatefulSet that starts Pods in order does not replace one that
// is not ready until it is deleted.
func undo(chain []*node) []string {
	for i, n := range chain {
		before, now := n.rollout()
		if before == nil {
			continue
		}
		words := []string{"rollout", "undo", n.ID.slash()}
		if before.number != now.number-1 {
			words = append(words, fmt.Sprintf("--to-revision=%d", before.number))
		}
		next := []string{n.ID.kubectl(words...)}
		if n.ordered() != "" && i+1 < len(chain) && chain[i+1].ID.GroupKind() == pod {
			next = append(next, n.ID.kubectl("delete", chain[i+1].ID.slash()))
		}
		return next
	}
	return nil
}

// rollout returns the template that a workload rolls out and the one to compare it
// with: the latest former one with Pods that are ready, or else the one before.
// They are nil where they are not known.
func (n *node) rollout() (before, now *revision) {
	all := n.revisions()
	now = newest(all)
	if now == nil {
		return nil, nil
	}
	all = slices.DeleteFunc(all, func(r revision) bool { return r.number >= now.number })
	serving := slices.DeleteFunc(slices.Clone(all), func(r revision) bool { return !n.serves(r) })
	if len(serving) > 0 {
		all = serving
	}
	return newest(all), now
}

// serves reports whether Pods of a revision are ready, as far as that is known.
func (n *node) serves(r revision) bool {
	if r.of.ID.GroupKind() == replicaSet {
		return r.of.Int("status.readyReplicas", 0) > 0
	}
	if n.Text("status.currentRevision") == r.of.ID.Name {
		return true
	}
	return slices.ContainsFunc(n.parts, func(p *node) bool {
		return p.ID.GroupKind() == pod && p.Text(revisionLabel) != "" && p.runs(&r) && p.Text("status.conditions[Ready].status") == "True"
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
func (n *node) revisions() (all []revision) {
	switch n.ID.GroupKind() {
	case deployment:
		for _, p := range n.parts {
			number, err := strconv.ParseInt(p.Text("metadata.annotations[deployment.kubernetes.io/revision]"), 10, 64)
			if p.ID.GroupKind() == replicaSet && err == nil && p.Has("spec.template") {
				all = append(all, revision{p.Section.Under("spec.template"), number, p})
			}
		}
	case statefulSet, daemonSet:
		for _, p := range n.parts {
			if p.ID.GroupKind() == controllerRevision && p.Has("data.spec.template") {
				all = append(all, revision{p.Section.Under("data.spec.template"), p.Int("revision", 0), p})
			}
		}
	}
	return all
}

// runs reports whether a part of a workload is of a revision, as far as it says
// of which one it is.
func (n *node) runs(r *revision) bool {
	switch n.ID.GroupKind() {
	case replicaSet:
		return n == r.of
	case pod:
		have, want := n.Text(revisionLabel), r.of.Text(revisionLabel)
		return have == "" || have == want || have == r.of.ID.Name
	}
	return true
}
