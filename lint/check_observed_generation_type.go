package lint

import "kstatus.dev/severity"

var observedGenerationType = &Check{
	ID: "L-04", Name: "observed-generation-type", Severity: severity.Error,
	Doc: `the observedGeneration is a whole number of 64 bits

It is compared with metadata.generation, which is an int64. cli-utils and kubectl
wait read it as one, and take a text for absent or for an error; a number of 32
bits is one that the API server refuses once the generation no longer fits.

Repair: {type: integer, format: int64}; in Go, int64. Stored objects that hold
something else are no longer valid then, and clients see another type, which has
to be agreed to.`,
	Version: func(p *Pass, v Version) {
		og := v.Status().Property("observedGeneration")
		format := text(og.Node, "format")
		if !og.Exists() || og.Type() == "integer" && (format == "" || format == "int64") {
			return
		}
		field := map[string]any{"type": "integer", "format": "int64"}
		if d, ok := og.Node["description"].(string); ok {
			field["description"] = d
		}
		if d, ok := number(og.Node["default"]); ok {
			field["default"] = int64(d)
		}
		found := or(og.Type(), "no type")
		if format != "" {
			found += " of format " + format
		}
		p.Report(Finding{
			Path:       og.Path,
			Message:    "observedGeneration is " + found,
			Suggestion: "observedGeneration: {type: integer, format: int64}",
			Fix:        &Fix{Edits: []Edit{{OpReplace, og.Path, field}}, Unsafe: true, Note: "objects that hold something else become invalid"},
		})
	},
}
