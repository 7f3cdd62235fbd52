package lint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var positiveDefault = &Check{
	ID: "L-27", Name: "positive-default", Severity: severity.Warning,
	Doc: `no default of the status reports success

A default exists before a controller has observed the object. With ready: true, a
condition Ready that is True, a number of replicas or an observedGeneration of 1, every
new object looks ready. Stored objects without the field show the default too, whatever
their state.

Fix: no default, or one that means unknown: observedGeneration -1, or a condition
that is Unknown. The fix removes the default.`,
	Version: func(p *Pass, v Version) {
		eachSchema(v.Status(), func(s Schema) {
			d, has := s.Node["default"]
			if !has {
				return
			}
			name, _ := s.Path[len(s.Path)-1].(string)
			eachPositiveValue(name, d, s.Path.With("default"), func(at Path, says string) {
				fix := &Fix{Edits: []Edit{{OpRemove, at, nil}}}
				if required, _ := decoded.AtSteps(v.CRD.Raw, s.Path[:len(s.Path)-2].With("required")...); slices.Contains(texts(required), name) {
					fix.Unsafe, fix.Risk, fix.Note = true, "writes that omit "+name+" are rejected", name+" is required: without the default, writes that omit it are rejected"
				}
				p.Report(Finding{
					Path:       at,
					Message:    "a new object reports " + says + " before its controller has observed it",
					Suggestion: "no default",
					Fix:        fix,
				})
			})
		})
	},
}

// eachPositiveValue visits the positive values in a default, in the order of the fields.
func eachPositiveValue(name string, value any, at Path, visit func(Path, string)) {
	if len(at) > maxDepth {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		if t := decoded.Text(v, "type"); t != "" && decoded.Text(v, "status") == "True" && !negativeTypes.MatchString(t) {
			visit(at, t+" True")
			return
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			eachPositiveValue(k, v[k], at.With(k), visit)
		}
	case []any:
		for i, item := range v {
			eachPositiveValue("", item, at.With(i), visit)
		}
	case bool:
		if v && positiveTypes.MatchString(name) {
			visit(at, name+": true")
		}
	case string:
		if stateName.MatchString(name) && goodWord.MatchString(v) || name == "status" && v == "True" {
			visit(at, name+": "+v)
		}
	default:
		if n, ok := number(v); ok && n > 0 && countName.MatchString(name) {
			visit(at, fmt.Sprintf("%s: %v", name, v))
		}
	}
}

var (
	negativeTypes = regexp.MustCompile(`^(Reconciling|Progressing|Stalled|Degraded|Paused|Deleting|.*(Failed|Failure|Error|Pressure|Pending|Required))$`)
	positiveTypes = regexp.MustCompile(`(?i)(ready|available|provisioned|healthy|initialized|synced|succeeded|completed?|established|bound|installed|reconciled|accepted|programmed|created)$`)
	stateName     = regexp.MustCompile(`(?i)^(phase|state|health|condition|status)$`)
	goodWord      = regexp.MustCompile(`(?i)^(ready|running|active|succeeded|healthy|bound|available|completed?|synced|ok|established|provisioned)$`)
	countName     = regexp.MustCompile(`(?i)(replicas|^observedGeneration)$`)
)
