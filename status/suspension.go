package status

import (
	"maps"
	"strings"
)

// queueLabel is the label with which Kueue assigns an object to a queue.
const queueLabel = "kueue.x-k8s.io/queue-name"

// suspendedByField returns a result for an object that a field of its spec stops, such as suspend
// or paused. If the applier set the field, the reason is the given one; otherwise it is
// SuspendedByOther.
func (f *Fields) suspendedByField(field, reason, what string) Result {
	if by := f.suspendedBy(field); by != "" {
		return Suspended(SuspendedByController, "SuspendedByOther", "%s by %s", what, by)
	}
	r := Suspended(SuspendedByUser, reason, "")
	r.Message = what
	return r
}

// suspendedWithoutRule returns a result for an object of a kind without a rule that a field of its
// spec stops. It does not look at managedFields, since any program may suspend objects of such
// kinds for a user.
func (f *Fields) suspendedWithoutRule(path, value string) Result {
	if queue := f.MapText("metadata.labels", queueLabel); queue != "" {
		return Suspended(SuspendedByController, "SuspendedByOther", "%s is %s by the queue %s", path, value, queue)
	}
	return Suspended(SuspendedByUser, "Suspended", path+" is "+value)
}

// suspendedBy returns the name of the writer, other than the applier, that set a field of spec. It
// is empty if the applier set it or if that is not known.
//
//   - A queue: Kueue suspends an object that has the label of a queue during
//     admission, so the write has the name of the applier.
//   - Another controller: in metadata.managedFields the field belongs to
//     managers that set no other field of spec. A manager that also set other
//     fields is the applier. kubectl is always a user.
func (f *Fields) suspendedBy(field string) string {
	if queue := f.MapText("metadata.labels", queueLabel); queue != "" {
		return "the queue " + queue
	}
	suspender := ""
	for entry := range f.Each("metadata.managedFields") {
		spec := entry.Map("fieldsV1.f:spec")
		if spec["f:"+field] == nil {
			continue
		}
		manager := entry.Text("manager", "")
		others := len(spec) - 1
		if spec["."] != nil {
			others--
		}
		if others > 0 || manager == "" || strings.HasPrefix(manager, "kubectl") {
			return ""
		}
		suspender = max(suspender, manager)
	}
	return suspender
}

// pauseAnnotations are the annotations that pause objects of kinds with a rule.
var pauseAnnotations = []string{"cluster.x-k8s.io/paused", "baremetalhost.metal3.io/paused", "baremetalhost.metal3.io/detached"}

// repeatFailure adds the failure that a suspended object reports to its result. A suspension
// explains that nothing happens, but not a failure. So such an object is Current with a caveat. In
// the strict profile the result is that of the object without its suspension.
func (e Evaluator) repeatFailure(f *Fields, r *Result) {
	isSuspended := r.Status == CurrentStatus && r.Suspended != "" && (r.Reason == ReasonSuspended || r.Reason == ReasonPaused)
	if !isSuspended || f.eval.err != nil || f.eval.status == nil {
		return
	}
	active, err := e.computeAs(f.withoutSuspension(), nil, true)
	if err != nil || active.Failure == "" {
		return
	}
	if f.eval.profile.whole {
		active.Message += "; " + r.Message
		*r = Result{Status: active.Status, Reason: active.Reason, Message: active.Message, Failure: active.Failure, Rule: r.Rule}
		return
	}
	*r = r.WithCaveat(f.eval.profile.shorten("it is suspended with a failure: " + active.Reason + ": " + active.Message))
}

// failureOfReport returns the result of the conditions, state words and errors alone.
func (f *Fields) failureOfReport() (r Result) {
	f.eval.signals.reset()
	if standardConditions(f, &r); r.Status == "" {
		report(f, &r)
	}
	return r
}

// withoutSuspension returns a copy of the object without the fields and annotations that suspend
// it.
func (f *Fields) withoutSuspension() Map {
	object := maps.Clone(f.node)
	if spec := maps.Clone(f.eval.spec); spec != nil {
		for _, field := range [...]string{"suspend", "suspended", "paused"} {
			delete(spec, field)
		}
		object["spec"] = spec
	}
	metadata := maps.Clone(f.eval.metadata)
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		annotations = maps.Clone(annotations)
		for _, name := range pauseAnnotations {
			delete(annotations, name)
		}
		metadata["annotations"] = annotations
		object["metadata"] = metadata
	}
	return object
}
