package lint

import "kstatus.dev/severity"

// neverCatchesUp is the note of fixes that rest on an observed generation, where the status is no subresource.
const neverCatchesUp = "without the status subresource each write of the status is a new generation, which no observedGeneration " +
	"catches up with; " + hasToWrite

var statusSubresource = &Check{
	ID: "L-01", Name: "status-subresource", Severity: severity.Error,
	Doc: `the status is a subresource

Without the subresource each write of the status raises metadata.generation, so
that no observedGeneration ever catches up with it, and whoever may change the
spec may change the status too, by accident with every kubectl apply. That is how
the API server works: "Status subresource" in the documentation of custom
resources.

Repair: subresources: {status: {}} in each version; where Go types make the
definition, //+kubebuilder:subresource:status on the type. Once it is there, the
controller has to write the status by its own endpoint; an Update of the whole
object leaves the status as it was. That is why the fix has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		if v.StatusSubresource() {
			return
		}
		edit := Edit{OpAdd, v.Path.With("subresources", "status"), map[string]any{}}
		if object(v.Raw, "subresources") == nil {
			edit = Edit{OpAdd, v.Path.With("subresources"), map[string]any{"status": map[string]any{}}}
		}
		p.Report(Finding{
			Path:       v.Status().Path,
			Message:    "the status is part of the object: each write of it is a new generation",
			Suggestion: "subresources: {status: {}}",
			Fix:        &Fix{Edits: []Edit{edit}, Unsafe: true, ChangesController: true, Note: "the controller has to write the status by its subresource"},
		})
	},
}
