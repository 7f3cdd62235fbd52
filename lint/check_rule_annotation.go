package lint

import "kstatus.dev/severity"

// ruleAnnotation is the annotation of a definition that holds the rule of its kind.
const ruleAnnotation = "kstatus.dev/rule"

var ruleInAnnotation = &Check{
	ID: "L-46", Name: "rule-annotation", Severity: severity.Error,
	Doc: `the rule in the annotation kstatus.dev/rule can be read

kstatus judges objects of a kind without a built-in rule by the rule in this annotation of
their definition. A rule with an unknown key, or with an expression that does not compile,
judges nothing: all objects of the kind are InProgress with the reason RuleError, and a wait
for them ends at its timeout. The check runs in kstatus lint, which can compile the rule.

Repair: the keys and expressions that docs/rules-by-users.md lists; kstatus get
--explain-rule TYPE prints what a rule does. Only its author knows what is meant, so that
there is no fix.`,
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
