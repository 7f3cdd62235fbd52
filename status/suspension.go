package status

import "strings"

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
