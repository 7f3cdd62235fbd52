package lint

import "kstatus.dev/author/severity"

var conditionSeverity = &Check{
	ID: "L-20", Name: "condition-severity", Severity: severity.Warning,
	Doc: `a condition has no severity

metav1.Condition has no severity, so generic readers do not see it. A condition whose
meaning depends on its severity has two meanings. Cluster API had the field in v1beta1
and dropped it in v1beta2. The type of a condition and its reason show how bad a state
is.

Fix: another reason or another condition in place of the severity. Only the author
knows which, so the check has no fix.`,
	Version: func(p *Pass, v Version) {
		item, _ := v.condition()
		if field := item.Property("severity"); field.Exists() {
			p.Report(Finding{
				Path:       field.Path,
				Message:    "generic readers of conditions do not see a severity",
				Suggestion: "specific reasons, and no severity",
			})
		}
	},
}
