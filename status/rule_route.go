package status

import (
	"fmt"
	"time"
)

// An HTTPRoute, GRPCRoute, TLSRoute, TCPRoute or UDPRoute is current once every
// parent that it names in spec.parentRefs is served by at least one controller,
// and every controller that has reported on that parent has accepted the route
// for this generation and resolves its references. What status says of parents
// that spec no longer names does not count. A route without parents is current
// at once.
//
// It is failing when a parent refuses it, wholly or in part, and when a
// reference to a backend does not resolve; both may heal. A parent that nobody
// has reported on for a minute may have no controller.
func route(o *Fields) Result {
	asked := o.Len("spec.parentRefs")
	byDefault := o.Text("spec.useDefaultGateways", "None") != "None"
	if asked == 0 && !byDefault {
		return Current("Reconciled", "it names no parent that would have to accept it")
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
		if _, ok := reported[p]; !ok && !byDefault {
			continue
		}
		reported[p] = true
		entries++
		if r := entry.attached(); r.Status != "" {
			worst = worse(worst, r.withSubject(p.String()))
		}
	}
	for p, is := range reported {
		if !is {
			worst = worse(worst, o.unclaimed("%s has not reported yet", p))
		}
	}
	switch {
	case worst.Status != "":
		return worst
	case entries == 0:
		return o.unclaimed("no default Gateway has reported yet")
	}
	return Current("Reconciled", "accepted, %d/%d parents", len(reported), len(reported))
}

// A parent is what a route or a policy is attached to.
type parent struct {
	group, kind, namespace, name, section string
	port                                  int64
}

// The fields of a reference to a parent, in the three places where one stands.
type parentPaths struct{ group, kind, namespace, name, section, port string }

var (
	specFields     = parentPaths{"group", "kind", "namespace", "name", "sectionName", "port"}
	statusFields   = parentPaths{"parentRef.group", "parentRef.kind", "parentRef.namespace", "parentRef.name", "parentRef.sectionName", "parentRef.port"}
	ancestorFields = parentPaths{"ancestorRef.group", "ancestorRef.kind", "ancestorRef.namespace", "ancestorRef.name", "ancestorRef.sectionName", "ancestorRef.port"}
)

// parent reads a reference to a parent with the defaults of its API.
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

// String names the parent as messages do: "Gateway infra/public, section https, port 443".
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

// attached judges what one controller says about one parent or ancestor.
// References, and Programmed, which some controllers add, are looked at where
// they are reported.
func (f *Fields) attached() Result {
	worst := f.must("conditions", "Accepted", "NotAccepted")
	if f.ConditionIn("conditions", "ResolvedRefs").Status != "" {
		worst = worse(worst, f.must("conditions", "ResolvedRefs", "RefsNotResolved"))
	}
	if f.ConditionIn("conditions", "Programmed").Status != "" {
		worst = worse(worst, f.must("conditions", "Programmed", ""))
	}
	if c := f.ConditionIn("conditions", "PartiallyInvalid"); c.Is(conditionTrue) {
		worst = worse(worst, FailedRecoverable("NotAccepted", "%s", c.Text()))
	}
	return worst
}

// How long a new object may go without a word from any controller before its
// reason says that there may be none.
const claimedWithin = time.Minute

// unclaimed answers that nobody has reported on the object yet.
func (f *Fields) unclaimed(format string, args ...any) Result {
	left := claimedWithin - f.Age()
	if left <= 0 {
		return InProgress("NoControllerEvidence", format, args...)
	}
	r := InProgress("WaitingForParents", format, args...)
	r.Recheck = left
	return r
}
