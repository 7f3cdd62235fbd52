package status

import "slices"

// A BackendTLSPolicy, or another policy of the Gateway API that reports per
// ancestor, is Current when at least one ancestor has reported. All that have
// reported must accept it for the current generation and resolve its
// references. Not every ancestor has to report, since the status has room for
// sixteen.
//
// A controller reports only on ancestors for which it is responsible. If one
// reports that it does not find the target, and another one accepts the policy,
// the first is not responsible for it. That is only a warning.
//
// It fails when an ancestor rejects it, for example because of a conflict with
// another policy or a missing target. It also fails when a reference does not
// resolve. Both failures are recoverable.
func gatewayPolicy(o *Fields) Result {
	namespace := o.Text("metadata.namespace", "")
	var worst Result
	entries := 0
	for entry := range o.Each("status.ancestors") {
		if o.isOfOther("status.ancestors", entry, nil) {
			continue
		}
		entries++
		if r := entry.parentResult(); r.Status != "" {
			worst = worse(worst, r.withSubject(entry.parent(&ancestorFields, namespace).String()))
		}
	}
	switch {
	case worst.Status != "":
		return worst
	case entries == 0:
		return o.withoutParentReport("no ancestor has reported yet")
	}
	return Current("Reconciled", "accepted, %d/%d ancestors that have reported", entries, entries)
}

// notServedReasons are the reasons of controllers that find nothing for which they are responsible.
var notServedReasons = []string{"TargetNotFound", "NoMatchingParent"}

// isOfOther reports whether the controller of an entry is not responsible, and warns of it then: it
// finds nothing, and another one accepts. If a parent is given, the other one does so for that parent.
func (f *Fields) isOfOther(path string, entry *Fields, of *parent) bool {
	c := entry.ConditionIn("conditions", "Accepted")
	if !c.Is(conditionFalse) || !slices.Contains(notServedReasons, c.Reason) {
		return false
	}
	name, namespace, accepted := entry.Text("controllerName", ""), f.Text("metadata.namespace", ""), false
	for other := range f.Each(path) {
		if of != nil && other.parent(&statusFields, namespace) != *of || !other.ConditionIn("conditions", "Accepted").Is(conditionTrue) {
			continue
		}
		if other.Text("controllerName", "") == name {
			return false
		}
		accepted = true
	}
	if accepted {
		f.Warn("%s is not responsible for it: %s", name, c.Text())
	}
	return accepted
}
