package lint

var observedGeneration = &Check{
	ID: "L-03", Name: "observed-generation",
	Severity: Warning, In: map[Profile]Severity{Kstatus: Error},
	Doc: `the status has an observedGeneration

Without it nobody can tell a status that was computed from the present spec from
one of the spec before: after each change the old Ready=True still stands. Add
the field to the schema, and let the controller write the generation that it has
read, in the same request as the conditions that it computed from it.`,
	Version: func(p *Pass, v Version) {
		status := v.Status()
		at := status.Property("observedGeneration")
		if object(status.Node, "properties") == nil || at.There() {
			return
		}
		p.Report(status.Path.With("properties"), "the status has no observedGeneration", "observedGeneration: {type: integer, format: int64}",
			&Fix{Edits: []Edit{{Add, at.Path, map[string]any{"type": "integer", "format": "int64"}}},
				Note: "the controller has to write it"})
	},
}
