package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var observedGeneration = &Check{
	ID: "L-03", Name: "observed-generation",
	Severity: severity.Warning, InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `the status has an observedGeneration

Without it, no reader can tell whether a status is for the current spec or for the
previous one. After each change the old Ready=True remains, and kubectl wait and
cli-utils (Helm 4, Flux) accept it. The conventions
of the Kubernetes API request the field ("Typical status properties").

Fix: add the field to the schema. Let the controller write the generation that it has
read, together with the conditions that it computed from it. In Go types:
ObservedGeneration int64 ` + "`json:\"observedGeneration,omitempty\"`" + `. If the creation
race is open, the fix also adds the default -1, see creation-race.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		if decoded.Map(s.Node, "properties") == nil || v.hasGeneration() || v.hasSiblingWithGeneration() {
			return // in another version: served-versions and legacy-version report it
		}
		fix := &Fix{Edits: s.fieldEdits("observedGeneration", map[string]any{"type": "integer", "format": "int64"}), Unsafe: s.allowsAnything() || !v.StatusSubresource(), Risk: v.newGenerationRisk(), Note: "the controller has to write status.observedGeneration"}
		if raceOpen(v) {
			// The fix of the race may be another default. Then this one has to be safe too, since
			// the finding would remain.
			if both := p.raceFix(v); both == nil || both.summary == "" || !fix.Unsafe {
				fix = both
			}
		}
		p.Report(Finding{
			Path:       s.Path.With("properties"),
			Message:    "the status has no observedGeneration",
			Suggestion: "observedGeneration: {type: integer, format: int64}",
			Fix:        fix,
		})
	},
}

// newGenerationRisk returns why a new observedGeneration is unsafe.
func (v Version) newGenerationRisk() string {
	if !v.StatusSubresource() {
		return "without the status subresource, objects would stay InProgress"
	}
	return unknownFieldRisk
}
