package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var observedGenerationType = &Check{
	ID: "L-04", Name: "observed-generation-type", Severity: severity.Error,
	Doc: `the observedGeneration is a 64-bit integer

It is compared with metadata.generation, which is an int64. cli-utils and kubectl wait
read it as an int64, and treat a text as missing or as an error. The API server rejects
a generation that does not fit into a 32-bit integer.

Fix: {type: integer, format: int64}, or int64 in Go. Stored objects with other values
become invalid, and clients see another type, so the fix is unsafe.`,
	Version: func(p *Pass, v Version) {
		og := v.Status().Property("observedGeneration")
		format := decoded.Text(og.Node, "format")
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
		found := orElse(og.Type(), "no type")
		if format != "" {
			found += " of format " + format
		}
		p.Report(Finding{
			Path:       og.Path,
			Message:    "observedGeneration is " + found,
			Suggestion: "observedGeneration: {type: integer, format: int64}",
			Fix:        &Fix{Edits: []Edit{{OpReplace, og.Path, field}}, Unsafe: true, Risk: storedObjectsRisk, Note: "stored objects with other values become invalid"},
		})
	},
}
