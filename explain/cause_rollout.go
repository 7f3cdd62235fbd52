package explain

import (
	"cmp"
	"fmt"
	"strings"

	"kstatus.dev/status"
)

// paused finds that a Deployment is paused and does not roll out its template.
func paused(o *object) []finding {
	if !o.Is("spec.paused") || o.Int("status.updatedReplicas", 0) >= o.Int("spec.replicas", 1) {
		return nil
	}
	return []finding{{
		kind: "Paused", text: "its rollout is paused",
		evidence: []Evidence{o.evidence("spec.paused"), o.evidenceAs("status.updatedReplicas", fmt.Sprint(o.Int("status.updatedReplicas", 0)))},
		next:     []string{commandFor(o.ID, "rollout", "resume", slash(o.ID))},
	}}
}

// deadlineExceeded finds a rollout without progress before its deadline, if no part
// explains why.
func deadlineExceeded(o *object) []finding {
	c := o.Under("status.conditions[Progressing]")
	if c.Text("reason") != "ProgressDeadlineExceeded" {
		return nil
	}
	return []finding{{
		kind: "ProgressDeadlineExceeded", text: "its rollout has made no progress for progressDeadlineSeconds", key: "rollout of " + o.ID.String(), weak: true,
		evidence: []Evidence{c.evidence("reason"), c.evidence("message"), o.evidence("spec.progressDeadlineSeconds")},
		next:     []string{commandFor(o.ID, "rollout", "status", slash(o.ID)), commandFor(o.ID, "get", "events")},
	}}
}

// warmingUp finds ready replicas that have not been ready for minReadySeconds.
func warmingUp(o *object) []finding {
	if o.Result.Reason != status.ReasonMinReadySeconds {
		return nil
	}
	return []finding{{
		kind: "MinReadySeconds", text: fmt.Sprintf("its Pods are ready, and count as available after minReadySeconds (%d s)", o.Int("spec.minReadySeconds", 0)),
		evidence: []Evidence{o.evidence("spec.minReadySeconds"), o.firstEvidence("status.availableReplicas", "status.numberAvailable")},
	}}
}

// onDelete finds outdated Pods that a user must delete because of the strategy OnDelete.
func onDelete(o *object) []finding {
	if o.Result.Reason != status.ReasonAwaitingManualDeletion || o.Text("spec.updateStrategy.type") != "OnDelete" {
		return nil
	}
	f := finding{
		kind: "OnDelete", text: "Pods of its earlier template stay until they are deleted (updateStrategy OnDelete)",
		evidence: []Evidence{o.evidence("spec.updateStrategy.type"), o.firstEvidence("status.updatedReplicas", "status.updatedNumberScheduled")},
	}
	for _, p := range o.outdatedPods() {
		if len(f.next) < 5 {
			f.next = append(f.next, commandFor(p.ID, "delete", slash(p.ID)))
		}
	}
	if len(f.next) == 0 {
		f.next = []string{commandFor(o.ID, "get", "pods", "-L", "controller-revision-hash")}
	}
	return []finding{f}
}

// heldByPartition finds Pods that a partition keeps at the former template.
func heldByPartition(o *object) []finding {
	partition := o.Int("spec.updateStrategy.rollingUpdate.partition", 0)
	revision := o.Text("status.updateRevision")
	if partition <= 0 || revision == "" || revision == o.Text("status.currentRevision") || o.Int("status.updatedReplicas", 0) >= o.Int("spec.replicas", 1) {
		return nil
	}
	if o.Result.Reason != status.ReasonReconciled {
		return nil
	}
	return []finding{{
		kind: "Partition", text: fmt.Sprintf("Pods below %s-%d keep its earlier template (partition)", o.ID.Name, partition),
		evidence: []Evidence{o.evidence("spec.updateStrategy.rollingUpdate.partition"), o.evidence("status.updatedReplicas")},
		next:     []string{commandFor(o.ID, "patch", slash(o.ID), "-p", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`)},
	}}
}

// firstEvidence returns the first of two fields that exists, as evidence.
func (o *object) firstEvidence(a, b string) Evidence {
	if !o.Has(a) && o.Has(b) {
		return o.evidence(b)
	}
	return o.evidence(a)
}

// revisionLabel is the label of a Pod with the revision of its template.
const revisionLabel = "metadata.labels[controller-revision-hash]"

// outdatedPods returns the known Pods of a StatefulSet or DaemonSet that do not run its
// latest template, in order.
func (o *object) outdatedPods() (all []*object) {
	latest := o.latestRevision()
	for _, p := range o.parts {
		if have := p.Text(revisionLabel); p.ID.Kind == pod && have != "" && latest != "" && have != latest {
			all = append(all, p)
		}
	}
	return all
}

// revisionTitle returns the title of a revision: "Deployment revision". A Helm release has
// revisions with other numbers.
func (o *object) revisionTitle() string {
	if o.Text("metadata.annotations[meta.helm.sh/release-name]") != "" {
		return o.ID.Kind.Kind + " revision (not Helm's)"
	}
	return o.ID.Kind.Kind + " revision"
}

// latestRevision returns the value of the revision label of Pods with the latest
// template.
func (o *object) latestRevision() string {
	if o.ID.Kind == statefulSet {
		return o.Text("status.updateRevision")
	}
	if r := newest(o.revisions()); r != nil {
		return r.of.Text(revisionLabel)
	}
	return ""
}

// rollbackTrap finds an outdated Pod that is not ready and is never replaced. With
// ordered Pod management, a Pod is updated only after all Pods are ready
// (kubernetes#67250).
func rollbackTrap(o *object) (all []finding) {
	if o.podManagement() == "" || o.Text("spec.updateStrategy.type") == "OnDelete" {
		return nil
	}
	for _, p := range o.outdatedPods() {
		ready := p.Under("status.conditions[Ready]")
		if p.isDone() || ready.Text("status") == "True" || p.Text("metadata.deletionTimestamp") != "" || !p.failedOrFailing() {
			continue
		}
		name := p.ID.Name
		all = append(all, finding{
			kind: "RollbackTrap", text: "Pod " + name + " runs an earlier template and is not ready; it is not replaced until it is ready or deleted",
			key: p.ID.String(), chain: newLink(p, nil), at: p,
			evidence: []Evidence{
				p.evidence(revisionLabel), o.evidence("status.updateRevision"), p.firstEvidence("status.conditions[Ready].status", "status.phase"),
				o.evidenceAs("spec.podManagementPolicy", cmp.Or(o.Text("spec.podManagementPolicy"), "not set, so OrderedReady")),
			},
			next: []string{commandFor(p.ID, "delete", slash(p.ID))},
		})
	}
	return all
}

// failedOrFailing reports whether an object has a problem, and is not only in progress.
func (o *object) failedOrFailing() bool {
	return o.Result.Failure != "" || o.isFailing()
}

// podManagement returns the policy of a StatefulSet that starts its Pods one after
// another, or "".
func (o *object) podManagement() string {
	if o.ID.Kind != statefulSet || cmp.Or(o.Text("spec.podManagementPolicy"), "OrderedReady") != "OrderedReady" {
		return ""
	}
	return "OrderedReady"
}

// waitingPods describes which Pods of a StatefulSet wait until another one is ready:
// "db-2 to db-4 wait for db-1".
func (o *object) waitingPods(p *object) string {
	if o.podManagement() == "" || p.ID.Kind != pod || p.isDone() {
		return ""
	}
	at, ok := ordinal(p.ID.Name, o.ID.Name)
	start := o.Int("spec.ordinals.start", 0)
	last := start + o.Int("spec.replicas", 1) - 1
	if !ok || last <= at || o.Int("status.replicas", 0) > at+1-start {
		return ""
	}
	from := fmt.Sprintf("%s-%d", o.ID.Name, at+1)
	if last == at+1 {
		return from + " waits for " + p.ID.Name
	}
	return fmt.Sprintf("%s to %s-%d wait for %s", from, o.ID.Name, last, p.ID.Name)
}

// ordinal returns the ordinal of a Pod of a StatefulSet.
func ordinal(name, set string) (n int64, ok bool) {
	digits, ok := strings.CutPrefix(name, set+"-")
	if !ok || digits == "" || len(digits) > 9 {
		return 0, false
	}
	for _, r := range digits {
		if r < '0' || r > '9' {
			return 0, false
		}
		n = n*10 + int64(r-'0')
	}
	return n, true
}

// waitsForSuspended finds that an object waits for a suspended object, according to a
// message.
func (o *object) waitsForSuspended(to *object) []finding {
	if o.mentions(to.ID) {
		return o.needsSuspended(to)
	}
	return nil
}

// suspendedReferences finds suspended objects that an object refers to. They explain why the object
// is in progress if nothing else does. An object that reports an error has another cause.
func (o *object) suspendedReferences() (all []finding) {
	if o.Result.Status != status.InProgressStatus {
		return nil
	}
	for _, ref := range o.references() {
		if to := o.index.referent(ref); to != nil && to != o && !ref.Guessed && !ref.Optional && !ref.isFieldsOnly && !o.isPartOf(to) {
			all = append(all, o.needsSuspended(to)...)
		}
	}
	return all
}

// needsSuspended finds that an object that is not ready needs a suspended one.
func (o *object) needsSuspended(to *object) []finding {
	if to.Result.Suspended == "" || !to.isDone() || o.isDone() {
		return nil
	}
	f := finding{kind: "Suspended", text: kindAndName(to.ID) + " is suspended", evidence: []Evidence{to.lookupEvidence(to.Result.Message)}, chain: newLink(to, nil), at: to}
	for _, path := range [...]string{"spec.suspend", "spec.suspended", "spec.paused"} {
		if to.Is(path) {
			f.evidence = []Evidence{to.evidence(path)}
			break
		}
	}
	return []finding{f}
}
