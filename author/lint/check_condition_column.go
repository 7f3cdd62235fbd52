package lint

import (
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
)

var conditionColumn = &Check{
	ID: "L-22", Name: "condition-column", Severity: severity.Info,
	Doc: `kubectl get shows a condition

Users see the printer columns of a kind first. A column with the summary condition,
such as Ready or Available, saves them a kubectl describe. It also shows programs
which condition is the summary: kstatus waits for the printed one.

Fix: a column such as {name: Ready, type: string, jsonPath:
.status.conditions[?(@.type=="Ready")].status}, or //+kubebuilder:printcolumn in Go
types. The schema does not show which condition is the summary. So the check offers a
fix only if the conditions of the kind are declared, or the default of the status has a
condition Ready. An object of the kind in the bundle is evidence too.`,
	Version: func(p *Pass, v Version) {
		if list, ok := v.conditions(); !ok || len(list.Node) == 0 {
			return
		}
		name, known := p.summary(v)
		advice := conditionAdvice(name, known)
		for _, c := range v.columns() {
			if c.showsConditions() {
				return
			}
			known = known && c.name != name // the column exists: legacy-column reports it
		}
		column := map[string]any{"name": name, "type": "string", "jsonPath": conditionPath(name)}
		var fix *Fix
		switch list, is := v.Raw["additionalPrinterColumns"].([]any); {
		case !known:
		case is && len(list) > 0:
			fix = &Fix{Edits: []Edit{{OpAdd, v.Path.With("additionalPrinterColumns", beforeAge(v.columns())), column}}}
		default: // own columns replace the default column Age
			age := map[string]any{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
			fix = &Fix{Edits: []Edit{{OpAdd, v.Path.With("additionalPrinterColumns"), []any{column, age}}}}
		}
		p.Report(Finding{
			Path:       v.Path.With("additionalPrinterColumns"),
			Message:    "kubectl get shows none of the conditions",
			Suggestion: "a column for " + advice,
			Fix:        fix,
		})
	},
}

// beforeAge returns the index for a new column: after all others, but before an age at the end.
// So scripts that count columns find most of them at the same place.
func beforeAge(all []column) int {
	if last := len(all) - 1; last >= 0 && strings.HasSuffix(all[last].field, ".metadata.creationTimestamp") {
		return last
	}
	return len(all)
}

// conditionAdvice returns the path of a condition for a suggestion. Unless the condition is known,
// the suggestion depends on the controller.
func conditionAdvice(name string, known bool) string {
	if known {
		return conditionPath(name)
	}
	return conditionPath(name) + " if the controller writes " + name + "; the schema does not show that, --conditions declares it"
}

// summary returns the summary condition of the kind, and whether it is known or a guess.
func (p *Pass) summary(v Version) (name string, known bool) {
	types, _ := p.declaredConditions(*v.CRD)
	if len(types) > 0 {
		return summaryOf(types), true
	}
	if _, exists := condition.Find(decoded.List(v.Status().Node, "default", "conditions"), "Ready"); exists {
		return "Ready", true
	}
	return "Ready", p.writesReady(v)
}
