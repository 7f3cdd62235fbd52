package lint

import (
	"strings"

	"kstatus.dev/severity"
)

var conditionColumn = &Check{
	ID: "L-22", Name: "condition-column", Severity: severity.Info,
	Doc: `kubectl get shows a condition

The columns of a kind are what people see first of its objects. One that shows the
condition that sums up, such as Ready or Available, spares them a describe; it also
tells programs which condition that is: kstatus waits for the one that is printed.

Repair: a column such as {name: Ready, type: string, jsonPath:
.status.conditions[?(@.type=="Ready")].status}; where Go types make the definition,
//+kubebuilder:printcolumn. Which condition sums up no schema tells: there is a fix
where the conditions of the kind are declared or an object of it is at hand, and
else where the default of the status has a condition Ready.`,
	Version: func(p *Pass, v Version) {
		if list, ok := v.conditions(); !ok || len(list.Node) == 0 {
			return
		}
		name, known := p.summary(v)
		for _, c := range v.columns() {
			if c.showsConditions() {
				return
			}
			known = known && c.name != name // the name is taken: legacy-column tells what to do about it
		}
		column := map[string]any{"name": name, "type": "string", "jsonPath": conditionPath(name)}
		var fix *Fix
		switch list, is := v.Raw["additionalPrinterColumns"].([]any); {
		case !known:
		case is && len(list) > 0:
			fix = &Fix{Edits: []Edit{{OpAdd, v.Path.With("additionalPrinterColumns", beforeAge(v.columns())), column}}}
		default: // columns of one's own replace the one that the API server prints by itself
			age := map[string]any{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
			fix = &Fix{Edits: []Edit{{OpAdd, v.Path.With("additionalPrinterColumns"), []any{column, age}}}}
		}
		p.Report(Finding{
			Path:       v.Path.With("additionalPrinterColumns"),
			Message:    "kubectl get shows none of the conditions",
			Suggestion: "a column for " + conditionPath(name),
			Fix:        fix,
		})
	},
}

// beforeAge returns the index at which a column is added, so that scripts that
// count columns find most of them where they were: behind all others, but for
// an age at the end.
func beforeAge(all []column) int {
	if last := len(all) - 1; last >= 0 && strings.HasSuffix(all[last].field, ".metadata.creationTimestamp") {
		return last
	}
	return len(all)
}

// summary returns the type of condition that sums the kind up, and whether that
// is known or just a guess.
func (p *Pass) summary(v Version) (name string, known bool) {
	types, _ := p.declaredConditions(*v.CRD)
	if len(types) > 0 {
		return summaryOf(types), true
	}
	d, _ := v.Status().Node["default"].(map[string]any)
	list, _ := d["conditions"].([]any)
	for _, item := range list {
		if c, _ := item.(map[string]any); text(c, "type") == "Ready" {
			return "Ready", true
		}
	}
	return "Ready", p.writesReady(v)
}
