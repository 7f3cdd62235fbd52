package status

import (
	"math"
	"slices"
	"strings"

	"kstatus.dev/status/internal/value"
)

// deletion: an object with a deletionTimestamp is Terminating, whatever its status says. The
// message names its finalizers, or what else blocks the deletion of its kind.
func deletion(o *Fields, r *Result) {
	at := o.eval.metadata["deletionTimestamp"]
	if o.eval.malformedSection {
		at = o.get("metadata.deletionTimestamp") // for the message
	}
	if at == nil || at == "" {
		return
	}
	due, _ := value.Text(at)
	o.recordRead("metadata.deletionTimestamp", due)
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
	case age < math.MaxInt64: // a time that cannot be read counts as long ago
		when = "being deleted since " + due
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

// finalizers returns the finalizers of the object, sorted. It skips malformed ones: no field may
// hide that an object is being deleted.
func (f *Fields) finalizers() []string {
	var holders []string
	for _, v := range value.List(f.get("metadata.finalizers")) {
		if s, ok := v.(string); ok {
			holders = append(holders, s)
		}
	}
	slices.Sort(holders)
	if len(holders) > 0 {
		f.recordRead("metadata.finalizers", strings.Join(holders, ", "))
	}
	return holders
}
