package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

// generationNeverReached is the note of fixes that need an observed generation if the status is
// not a subresource.
const generationNeverReached = "without the status subresource each write of the status increments the generation, so observedGeneration is " +
	"always behind; " + mustWriteGenerationNote

var statusSubresource = &Check{
	ID: "L-01", Name: "status-subresource", Severity: severity.Error,
	Doc: `the status is a subresource

Without the subresource each write of the status increments metadata.generation, so the
observedGeneration is always behind it. Users that may change the spec may also change
the status, by accident with every kubectl apply. See "Status subresource" in the
documentation of custom resources.

Fix: subresources: {status: {}} in each version, or
//+kubebuilder:subresource:status on the Go type. The controller then has to write the
status through its own endpoint; an Update of the whole object leaves the status
unchanged. So the fix is unsafe.`,
	Version: func(p *Pass, v Version) {
		if v.StatusSubresource() {
			return
		}
		edit := Edit{OpAdd, v.Path.With("subresources", "status"), map[string]any{}}
		if decoded.Map(v.Raw, "subresources") == nil {
			edit = Edit{OpAdd, v.Path.With("subresources"), map[string]any{"status": map[string]any{}}}
		}
		p.Report(Finding{
			Path:       v.Status().Path,
			Message:    "the status subresource is not enabled, so each write of the status increments metadata.generation",
			Suggestion: "subresources: {status: {}}",
			Fix:        &Fix{Edits: []Edit{edit}, Unsafe: true, Risk: "the controller has to write the status through the subresource", ChangesController: true, Note: "the controller has to write the status through its subresource"},
		})
	},
}
