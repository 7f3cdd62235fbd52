package lint

import "kstatus.dev/severity"

var conditionSeverity = &Check{
	ID: "L-20", Name: "condition-severity", Severity: severity.Warning,
	Doc: `a condition has no severity

metav1.Condition has none: readers of foreign kinds do not see it, and a condition
whose meaning depends on it says two things at once. Cluster API had it in v1beta1
and dropped it in v1beta2. How bad a state is shows in the type of the condition
and in its reason.

Repair: another reason, or a condition of its own, for what the severity told. What
that is only its author knows, so that there is no fix.`,
	Version: func(p *Pass, v Version) {
		item, _ := v.condition()
		if field := item.Property("severity"); field.Exists() {
			p.Report(Finding{
				Path:       field.Path,
				Message:    "generic readers of conditions do not see a severity",
				Suggestion: "reasons that tell, and no severity",
			})
		}
	},
}
