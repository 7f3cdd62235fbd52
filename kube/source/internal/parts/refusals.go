package parts

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var eventKind = status.Kind{Kind: "Event"}

// refusalEvents selects the events about controllers. The events about Pods are many, and a ReplicaSet
// reports a refusal in its status.
const refusalEvents = "involvedObject.kind!=Pod,involvedObject.kind!=ReplicaSet"

// A Refusal is a part that represents the Pods that a controller could not create. The status of a
// StatefulSet, a DaemonSet or a Job does not say that; only an event does.
type Refusal struct{ status.Map }

// SelectRule returns a selector that knows the rule for a [Refusal], and asks another one about other
// objects. The other may be nil.
func SelectRule(other status.RuleSelector) status.RuleSelector {
	return func(kind status.Kind, obj status.Object, builtin status.KindRule) status.KindRule {
		if _, is := obj.(Refusal); is {
			builtin.Rule = judgeRefusal
		} else if other != nil {
			return other(kind, obj, builtin)
		}
		return builtin
	}
}

func judgeRefusal(o *status.Fields) status.Result {
	return o.FailAfterWindow(o.Text("status.since", ""), status.FailedRecoverable("QuotaOrAdmissionDenied", "%s", o.Text("status.message", "")))
}

// reportsRefusals reports whether only events say that Pods of a kind of workload are refused.
func reportsRefusals(kind status.Kind) bool {
	switch kind.Kind {
	case "StatefulSet", "DaemonSet", "Job":
		return true
	}
	return false
}

// A creation is what the events about a controller say about the creation of its Pods.
type creation struct {
	refusal           Refusal
	failed, succeeded time.Time
}

// isRefused reports whether no creation has succeeded since the last failure.
func (c *creation) isRefused() bool {
	return c != nil && !c.failed.IsZero() && !c.succeeded.After(c.failed)
}

// lacksPods reports whether a controller has fewer Pods than its spec requires.
func lacksPods(kind string, u *unstructured.Unstructured) bool {
	number := func(otherwise int64, path ...string) int64 {
		if n, exists := decoded.Int(u.Object, path...); exists {
			return n
		}
		return otherwise
	}
	switch kind {
	case "DaemonSet":
		return number(0, "status", "currentNumberScheduled") < number(0, "status", "desiredNumberScheduled")
	case "Job":
		return !decoded.Bool(u.Object, "spec", "suspend") && number(0, "status", "active") < number(1, "spec", "parallelism")
	}
	return number(0, "status", "replicas") < number(1, "spec", "replicas")
}

// eventSeen handles an event, and reports whether it is relevant. During a list it only records the
// event, since a later one may follow.
func (pt *podTracker) eventSeen(u *unstructured.Unstructured, listing bool) bool {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	of, _, _ := unstructured.NestedStringMap(u.Object, "involvedObject")
	reason := decoded.Text(u.Object, "reason")
	if reason != "FailedCreate" && reason != "SuccessfulCreate" || !pt.isTarget(of["kind"], of["name"]) {
		return false
	}
	uid := types.UID(of["uid"])
	known := pt.creations[uid]
	if known == nil {
		known = &creation{}
		pt.creations[uid] = known
	}
	switch at := lastTime(u); {
	case reason == "SuccessfulCreate" && at.After(known.succeeded):
		known.succeeded = at
	case reason == "FailedCreate" && !at.Before(known.failed):
		message := decoded.Text(u.Object, "message")
		since := eventTime(u, "firstTimestamp")
		if since.IsZero() {
			since = at
		}
		known.failed = at
		known.refusal = Refusal{status.Map{
			"apiVersion": "v1", "kind": eventKind.Kind, "metadata": map[string]any{"namespace": pt.namespace, "name": of["kind"] + "/" + of["name"]},
			"status": map[string]any{"message": message, "since": since.UTC().Format(time.RFC3339)},
		}}
	default:
		return true
	}
	if w := pt.workloads[uid]; w != nil && !listing {
		pt.reportRefusal(w)
	}
	return true
}

// lastTime returns when an event happened last.
func lastTime(u *unstructured.Unstructured) (last time.Time) {
	for _, path := range [...][]string{{"series", "lastObservedTime"}, {"lastTimestamp"}, {"eventTime"}, {"firstTimestamp"}} {
		if at := eventTime(u, path...); at.After(last) {
			last = at
		}
	}
	return last
}

// eventTime reads a time of an event; zero if it is not set.
func eventTime(u *unstructured.Unstructured, path ...string) time.Time {
	at, err := time.Parse(time.RFC3339, decoded.Text(u.Object, path...))
	if err != nil {
		return time.Time{}
	}
	return at
}

// reportRefusal reports that the Pods of a workload are refused, or that they no longer are.
func (pt *podTracker) reportRefusal(w *workload) {
	known := pt.creations[w.uid]
	if !w.lacksPods || !known.isRefused() {
		pt.revokeRefusal(w)
		return
	}
	w.isRefused = true
	pt.tracker.Report(observe.Event{Of: w.target, Target: pt.refusalTarget(w), Object: known.refusal})
}

// revokeRefusal reports that the Pods of a workload are not refused.
func (pt *podTracker) revokeRefusal(w *workload) {
	if w.isRefused {
		pt.tracker.Report(observe.Event{Of: w.target, Target: pt.refusalTarget(w)})
		w.isRefused = false
	}
}

// refusalTarget returns the part of a workload for its refusal. The names of events have no meaning and
// change, so it has that of the workload.
func (pt *podTracker) refusalTarget(w *workload) observe.Target {
	return observe.Target{Kind: eventKind, Namespace: pt.namespace, Name: w.target.Kind.Kind + "/" + w.target.Name, Cluster: w.target.Cluster}
}
