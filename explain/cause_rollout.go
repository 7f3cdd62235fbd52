package explain

import (
	"cmp"
	"fmt"
	"strings"

	"kstatus.dev/status"
)

// paused tells of a Deployment whose template is not rolled out since it is paused.
func paused(n *node) []found {
	if !n.Is("spec.paused") || n.Int("status.updatedReplicas", 0) >= n.Int("spec.replicas", 1) {
		return nil
	}
	return []found{{
		kind: "Paused", text: "its rollout is paused",
		evidence: []Evidence{n.evidence("spec.paused"), n.as("status.updatedReplicas", fmt.Sprint(n.Int("status.updatedReplicas", 0)))},
		next:     []string{n.ID.kubectl("rollout", "resume", n.ID.slash())},
	}}
}

// deadlineExceeded tells of a rollout that has made no progress in time, if
// nothing below tells why.
func deadlineExceeded(n *node) []found {
	c := n.Under("status.conditions[Progressing]")
	if c.Text("reason") != "ProgressDeadlineExceeded" {
		return nil
	}
	return []found{{
		kind: "ProgressDeadlineExceeded", text: "its rollout has made no progress in time", echo: true,
		evidence: []Evidence{c.evidence("reason"), c.evidence("message"), n.evidence("spec.progressDeadlineSeconds")},
		next:     []string{n.ID.kubectl("rollout", "status", n.ID.slash()), n.ID.kubectl("get", "events")},
	}}
}

// warmingUp tells of replicas that are ready and count only after a while.
func warmingUp(n *node) []found {
	if n.Result.Reason != "MinReadySeconds" {
		return nil
	}
	return []found{{
		kind: "MinReadySeconds", text: fmt.Sprintf("its Pods are ready, and count as available after %d s", n.Int("spec.minReadySeconds", 0)),
		evidence: []Evidence{n.evidence("spec.minReadySeconds"), n.eitherOf("status.availableReplicas", "status.numberAvailable")},
	}}
}

// byHand tells of Pods of a former template that wait to be deleted by a user.
func byHand(n *node) []found {
	if n.Result.Reason != "AwaitingManualDeletion" || n.Text("spec.updateStrategy.type") != "OnDelete" {
		return nil
	}
	f := found{
		kind: "OnDelete", text: "Pods of its former template stay until they are deleted (updateStrategy OnDelete)",
		evidence: []Evidence{n.evidence("spec.updateStrategy.type"), n.eitherOf("status.updatedReplicas", "status.updatedNumberScheduled")},
	}
	for _, p := range n.outdated() {
		if len(f.next) < 5 {
			f.next = append(f.next, p.ID.kubectl("delete", p.ID.slash()))
		}
	}
	return []found{f}
}

// partitioned tells of Pods that a partition keeps at the former template.
func partitioned(n *node) []found {
	partition := n.Int("spec.updateStrategy.rollingUpdate.partition", 0)
	revision := n.Text("status.updateRevision")
	if partition <= 0 || revision == "" || revision == n.Text("status.currentRevision") || n.Int("status.updatedReplicas", 0) >= n.Int("spec.replicas", 1) {
		return nil
	}
	if n.Result.Reason != "Reconciled" {
		return nil
	}
	return []found{{
		kind: "Partition", text: fmt.Sprintf("Pods below %s-%d keep its former template (partition)", n.ID.Name, partition),
		evidence: []Evidence{n.evidence("spec.updateStrategy.rollingUpdate.partition"), n.evidence("status.updatedReplicas")},
	}}
}

// eitherOf returns the first of two fields that is there as evidence.
func (n *node) eitherOf(a, b string) Evidence {
	if !n.Has(a) && n.Has(b) {
		return n.evidence(b)
	}
	return n.evidence(a)
}

// revisionLabel tells which revision of a template a Pod runs.
const revisionLabel = "metadata.labels[controller-revision-hash]"

// outdated returns the Pods of a StatefulSet or DaemonSet that do not run its
// latest template, in order, as far as that is known.
func (n *node) outdated() (all []*node) {
	latest := n.latestRevision()
	for _, p := range n.parts {
		if have := p.Text(revisionLabel); p.ID.GroupKind() == pod && have != "" && latest != "" && have != latest {
			all = append(all, p)
		}
	}
	return all
}

// latestRevision returns the label that Pods of the latest template have.
func (n *node) latestRevision() string {
	if n.ID.GroupKind() == statefulSet {
		return n.Text("status.updateRevision")
	}
	if r := newest(n.revisions()); r != nil {
		return r.template.Text("metadata.labels[controller-revision-hash]")
	}
	return ""
}

// rollbackTrap tells of a Pod of a former template that is not ready and by
// itself is never replaced: Pods that are started in order are updated only once
// all are ready (kubernetes#67250).
func rollbackTrap(n *node) (all []found) {
	if n.ordered() == "" || n.Text("spec.updateStrategy.type") == "OnDelete" {
		return nil
	}
	for _, p := range n.outdated() {
		ready := p.Under("status.conditions[Ready]")
		if p.done() || ready.Text("status") == "True" || p.Text("metadata.deletionTimestamp") != "" || !p.failedOrFailing() {
			continue
		}
		name := p.ID.Name
		all = append(all, found{
			kind: "RollbackTrap", text: "Pod " + name + " runs a former template and is not ready; it is replaced only once it is ready or deleted",
			key: p.ID.String(), chain: []*node{p},
			evidence: []Evidence{
				p.evidence(revisionLabel), n.evidence("status.updateRevision"), p.eitherOf("status.conditions[Ready].status", "status.phase"),
				n.as("spec.podManagementPolicy", cmp.Or(n.Text("spec.podManagementPolicy"), "not set, so OrderedReady")),
			},
			next: []string{p.ID.kubectl("delete", p.ID.slash())},
		})
	}
	return all
}

// failedOrFailing reports whether more is wrong with an object than that it is on
// its way.
func (n *node) failedOrFailing() bool {
	return n.Result.Failure != "" || n.failing()
}

// ordered returns how a StatefulSet starts its Pods if it does so one after
// another; empty if it does not.
func (n *node) ordered() string {
	if n.ID.GroupKind() != statefulSet || cmp.Or(n.Text("spec.podManagementPolicy"), "OrderedReady") != "OrderedReady" {
		return ""
	}
	return "OrderedReady"
}

// waiters tells which Pods of a StatefulSet are not started before another one
// is ready: "db-2 to db-4 wait for db-1".
func (n *node) waiters(p *node) string {
	if n.ordered() == "" || p.ID.GroupKind() != pod || p.done() {
		return ""
	}
	at, ok := ordinal(p.ID.Name, n.ID.Name)
	start := n.Int("spec.ordinals.start", 0)
	last := start + n.Int("spec.replicas", 1) - 1
	if !ok || last <= at || n.Int("status.replicas", 0) > at+1-start {
		return ""
	}
	from := fmt.Sprintf("%s-%d", n.ID.Name, at+1)
	if last == at+1 {
		return from + " waits for " + p.ID.Name
	}
	return fmt.Sprintf("%s to %s-%d wait for %s", from, n.ID.Name, last, p.ID.Name)
}

// ordinal returns the number of a Pod of a StatefulSet.
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

// waitsForSuspended tells that what an object waits for is suspended, where a message
// says that it waits for it.
func (n *node) waitsForSuspended(to *node) []found {
	if to.Result.Suspended == status.NotSuspended || !to.done() || n.done() || !n.names(to.ID) {
		return nil
	}
	f := found{kind: "Suspended", text: lowerKind(to.ID) + " is suspended", evidence: []Evidence{to.lookup(to.Result.Message)}, chain: []*node{to}}
	for _, path := range [...]string{"spec.suspend", "spec.suspended", "spec.paused"} {
		if to.Is(path) {
			f.evidence = []Evidence{to.evidence(path)}
			break
		}
	}
	return []found{f}
}
