package status

import (
	"fmt"
	"time"
)

// An HTTPRoute, GRPCRoute, TLSRoute, TCPRoute or UDPRoute is Current when at
// least one controller has reported on every parent in spec.parentRefs. Every
// such controller must accept the route for the current generation and resolve
// its references. Entries in the status for parents that are no longer in the
// spec do not count. Neither do controllers that find no such parent, if another
// one accepts the route for it. A route without parents is Current at once.
//
// It fails when a parent rejects it, wholly or in part, and when a reference to
// a backend does not resolve. Both failures are recoverable. If no controller
// has reported on a parent after a minute, the parent may have no controller.
func route(o *Fields) Result {
	declared := o.Len("spec.parentRefs")
	byDefault := o.Text("spec.useDefaultGateways", "None") != "None"
	if declared == 0 && !byDefault {
		return Current("Reconciled", "it has no parents")
	}
	namespace := o.Text("metadata.namespace", "")
	reported := map[parent]bool{}
	for ref := range o.Each("spec.parentRefs") {
		reported[ref.parent(&specFields, namespace)] = false
	}
	var worst Result
	entries := 0
	for entry := range o.Each("status.parents") {
		p := entry.parent(&statusFields, namespace)
		if _, ok := reported[p]; !ok && !byDefault || o.isOfOther("status.parents", entry, &p) {
			continue
		}
		reported[p] = true
		entries++
		if r := entry.parentResult(); r.Status != "" {
			worst = worse(worst, r.withSubject(p.String()))
		}
	}
	for p, is := range reported {
		if !is {
			worst = worse(worst, o.withoutParentReport("%s has not reported yet", p))
		}
	}
	switch {
	case worst.Status != "":
		return worst
	case entries == 0:
		return o.withoutParentReport("no default Gateway has reported yet")
	}
	return Current("Reconciled", "accepted, %d/%d parents", len(reported), len(reported))
}

// A parent is the object to which a route or a policy is attached.
type parent struct {
	group, kind, namespace, name, section string
	port                                  int64
}

// parentPaths are the fields of a reference to a parent, in one of the three
// places where an API has one.
type parentPaths struct{ group, kind, namespace, name, section, port string }

var (
	specFields     = parentPaths{"group", "kind", "namespace", "name", "sectionName", "port"}
	statusFields   = parentPaths{"parentRef.group", "parentRef.kind", "parentRef.namespace", "parentRef.name", "parentRef.sectionName", "parentRef.port"}
	ancestorFields = parentPaths{"ancestorRef.group", "ancestorRef.kind", "ancestorRef.namespace", "ancestorRef.name", "ancestorRef.sectionName", "ancestorRef.port"}
)

// parent reads a reference to a parent, with the defaults of its API.
func (f *Fields) parent(at *parentPaths, namespace string) parent {
	return parent{
		group:     f.Text(at.group, "gateway.networking.k8s.io"),
		kind:      f.Text(at.kind, "Gateway"),
		namespace: f.Text(at.namespace, namespace),
		name:      f.Text(at.name, ""),
		section:   f.Text(at.section, ""),
		port:      f.Int(at.port, 0),
	}
}

// String returns the parent as it appears in messages: "Gateway infra/public,
// section https, port 443".
func (p parent) String() string {
	s := p.kind + " " + p.name
	if p.namespace != "" {
		s = p.kind + " " + p.namespace + "/" + p.name
	}
	if p.section != "" {
		s += ", section " + p.section
	}
	if p.port != 0 {
		s += fmt.Sprintf(", port %d", p.port)
	}
	return s
}

// parentResult judges the report of one controller on one parent or ancestor.
// ResolvedRefs, and Programmed, which some controllers add, are checked if they
// exist.
func (f *Fields) parentResult() Result {
	worst := f.requireCondition("conditions", "Accepted", "NotAccepted")
	if f.ConditionIn("conditions", "ResolvedRefs").Status != "" {
		worst = worse(worst, f.requireCondition("conditions", "ResolvedRefs", "RefsNotResolved"))
	}
	if f.ConditionIn("conditions", "Programmed").Status != "" {
		worst = worse(worst, f.requireCondition("conditions", "Programmed", ""))
	}
	if c := f.ConditionIn("conditions", "PartiallyInvalid"); c.Is(conditionTrue) {
		worst = worse(worst, FailedRecoverable("NotAccepted", "%s", c.Text()).by(c))
	}
	return worst
}

// parentReportTimeout is the time after which the reason of an object without a
// report says that it may have no controller.
const parentReportTimeout = time.Minute

// withoutParentReport returns a result for an object on which no controller has reported.
func (f *Fields) withoutParentReport(format string, args ...any) Result {
	left := parentReportTimeout - f.Age()
	if left <= 0 {
		return InProgress("NoControllerEvidence", format, args...)
	}
	r := InProgress("WaitingForParents", format, args...)
	r.Recheck = left
	return r
}
