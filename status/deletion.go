package status

import (
	"math"
	"slices"
	"strings"

	"kstatus.dev/status/internal/value"
)

// deletion: an object with a deletionTimestamp is being deleted, whatever else
// stands in it. The message names the finalizers that hold it, or what else the
// deletion of its kind waits for.
func deletion(o *Fields, r *Result) {
	at := o.eval.metadata["deletionTimestamp"]
	if o.eval.malformedSection {
		at = o.get("metadata.deletionTimestamp") // for the complaint
	}
	if at == nil || at == "" {
		return
	}
	due, _ := value.Text(at)
	o.saw("metadata.deletionTimestamp", due)
	holders := o.finalizers()
	if rule := o.eval.entry.DeletionRule; rule != nil {
		if *r = rule(o); r.Status == TerminatingStatus {
			if len(holders) > 0 {
				r.Message += "; then its finalizers: " + strings.Join(holders, ", ")
			}
			return
		}
	}
	when := "deletion was requested"
	switch age := o.Since(due); {
	case age < 0:
		when = "deletion is due at " + due
	case age < math.MaxInt64: // what cannot be read is as old as can be
		when = "deletion has been due since " + due
	}
	switch {
	case len(holders) == 1 && holders[0] == "foregroundDeletion":
		r.Reason, r.Message = "DependentsBlocking", when+"; waiting for its dependents to be deleted"
	case len(holders) > 0:
		r.Reason, r.Message = "Finalizers", when+"; waiting for finalizers to be removed: "+strings.Join(holders, ", ")
	default:
		r.Reason, r.Message = "Deleting", when+"; waiting for garbage collection"
	}
	r.Status = TerminatingStatus
}

// finalizers returns the finalizers of the object, sorted. What is none is
// passed over: nothing may hide that an object is being deleted.
func (f *Fields) finalizers() []string {
	var holders []string
	for _, v := range value.List(f.get("metadata.finalizers")) {
		if s, ok := v.(string); ok {
			holders = append(holders, s)
		}
	}
	slices.Sort(holders)
	if len(holders) > 0 {
		f.saw("metadata.finalizers", strings.Join(holders, ", "))
	}
	return holders
}
