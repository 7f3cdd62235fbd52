package status

import "strings"

// The label by which Kueue knows the queue that an object waits in.
const queueLabel = "kueue.x-k8s.io/queue-name"

// stopped answers for an object that a field of its spec stops, such as
// suspend or paused. Whoever applied the object may have asked for it, which
// is the reason given; if somebody else did it, it is SuspendedByOther.
func (f *Fields) stopped(field, reason, what string) Result {
	if by := f.imposer(field); by != "" {
		return Suspended(SuspendedByController, "SuspendedByOther", "%s by %s", what, by)
	}
	r := Suspended(SuspendedByUser, reason, "")
	r.Message = what
	return r
}

// halted answers for an object of a kind without a rule that a field of its spec
// stops. Managers of fields tell nothing there, since the programs by which
// people suspend objects of others' kinds are not known.
func (f *Fields) halted(path, value string) Result {
	if queue := f.MapText("metadata.labels", queueLabel); queue != "" {
		return Suspended(SuspendedByController, "SuspendedByOther", "%s is %s by the queue %s", path, value, queue)
	}
	return Suspended(SuspendedByUser, "Suspended", path+" is "+value)
}

// imposer names who, other than whoever applied the object, set a field of
// spec; empty if the applier did, or if nothing tells.
//
//   - A queue: Kueue suspends what carries the label of a queue, and does it
//     during admission, in the applier's name.
//   - Another controller: in metadata.managedFields the field belongs to
//     managers that set nothing else of spec. One that also set other fields
//     applied the object, and kubectl is a person, whatever it set.
func (f *Fields) imposer(field string) string {
	if queue := f.MapText("metadata.labels", queueLabel); queue != "" {
		return "the queue " + queue
	}
	imposer := ""
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
		imposer = max(imposer, manager)
	}
	return imposer
}
