package lint

import "kstatus.dev/severity"

var observedGeneration = &Check{
	ID: "L-03", Name: "observed-generation",
	Severity: severity.Warning, InProfile: map[Profile]severity.Level{ProfileKstatus: severity.Error},
	Doc: `the status has an observedGeneration

Without it nobody can tell a status that was computed from the present spec from
one of the spec before: after each change the old Ready=True still stands, and
kubectl wait and cli-utils (Helm 4, Flux) take it for the answer. The conventions
of the Kubernetes API ask for the field ("Typical status properties").

Repair: add the field to the schema, and let the controller write the generation
that it has read, in the same request as the conditions that it computed from it.
Where Go types make the definition: ObservedGeneration int64
` + "`json:\"observedGeneration,omitempty\"`" + `. Where the race is open, the fix gives it the
default -1 at once, see creation-race.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		if object(s.Node, "properties") == nil || v.hasGeneration() || v.generationElsewhere() {
			return // elsewhere: served-versions and legacy-version tell
		}
		fix := &Fix{Edits: s.fieldEdits("observedGeneration", map[string]any{"type": "integer", "format": "int64"}), Unsafe: s.holdsAnything() || !v.StatusSubresource(), Note: "the controller has to write it"}
		if raceOpen(v) {
			fix = p.raceFix(v)
		}
		p.Report(Finding{
			Path:       s.Path.With("properties"),
			Message:    "the status has no observedGeneration",
			Suggestion: "observedGeneration: {type: integer, format: int64}",
			Fix:        fix,
		})
	},
}
