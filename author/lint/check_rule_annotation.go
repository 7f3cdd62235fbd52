package lint

import "kstatus.dev/author/severity"

// ruleAnnotation is the annotation of a definition with the rule of its kind.
const ruleAnnotation = "kstatus.dev/rule"

var ruleInAnnotation = &Check{
	ID: "L-46", Name: "rule-annotation", Severity: severity.Error,
	Doc: `the rule in the annotation kstatus.dev/rule is valid

kstatus judges objects of a kind without a built-in rule by the rule in this annotation
of their definition. If the rule has an unknown key or an expression that does not
compile, all objects of the kind are InProgress with the reason RuleError. A wait for
them ends at its timeout. The check runs in kstatus lint, which can compile the rule.

Fix: the keys and expressions in docs/guides/write-rules.md. kstatus get --explain-rule
TYPE prints what a rule does. Only the author knows what the rule should do, so the
check has no fix.`,
	CRD: func(p *Pass, crd CRD) {
		if p.Options.RuleProblems == nil {
			return
		}
		for _, problem := range p.Options.RuleProblems(crd.Raw) {
			p.Report(Finding{
				Path:       Path{"metadata", "annotations", ruleAnnotation},
				Message:    problem,
				Suggestion: "a rule that compiles; all objects of the kind are InProgress until then",
			})
		}
	},
}
