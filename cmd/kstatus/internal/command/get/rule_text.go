package get

import (
	"fmt"
	"strings"

	"kstatus.dev/docs"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A ruleText describes how a kind is judged.
type ruleText struct {
	evaluator status.Evaluator
	rules     *celrule.Set
}

// explain returns the text about a kind.
func (x *ruleText) explain(kind apiKind) string {
	table := x.evaluator.Profile.Rules()[kind.Kind]
	var b, judges strings.Builder
	decided := false
	for _, rule := range x.rules.RulesFor(kind.Kind, table) {
		fmt.Fprintf(&judges, ", by the rule in %s", rule.Source)
		if decided = rule.IsComplete(); !decided {
			judges.WriteString(", then")
		}
		fmt.Fprintf(&b, "\nThe rule in %s:\n%s", rule.Source, indented(rule.String()))
	}
	switch {
	case decided:
	case table.Rule != nil:
		judges.WriteString(", by its built-in rule")
		b.WriteString(x.builtin(kind.Kind))
	default:
		judges.WriteString(", by the conditions, state words, errors and counters of its objects")
		b.WriteString(x.known(kind))
	}
	how := strings.ReplaceAll(strings.TrimPrefix(judges.String(), ", "), "then, by", "then by")
	entry := x.rules.SelectRule(kind.Kind, status.Map{}, table)
	if entry.Rule == nil && entry.Generation == schema.GenerationCompare { // the declared conditions of a kind without a rule always count
		entry.Generation = schema.GenerationAsDeclared
	}
	fmt.Fprintf(&b, "\nThe observed generation:\n  %s\n", generations[entry.Generation])
	b.WriteString("\nThe stages in this order; the first stage that applies decides:\n")
	for name, doc := range x.evaluator.Profile.Stages() {
		fmt.Fprintf(&b, "  %s: %s\n", name, doc)
	}
	none := ""
	if table.Rule == nil && len(x.rules.RulesFor(kind.Kind, table)) == 0 {
		none = "has no rule. It "
	}
	return fmt.Sprintf("%s %sis judged %s.\nTo write a rule, see docs/guides/write-rules.md, and use --rules FILE. The annotation %s of an object counts only with --object-rules.\n%s",
		kind, none, how, celrule.Annotation, b.String())
}

var generations = map[schema.Generation]string{
	schema.GenerationCompare:    "if status.observedGeneration exists, it must be metadata.generation",
	schema.GenerationRequired:   "status.observedGeneration must exist and be metadata.generation",
	schema.GenerationAllowAhead: "if status.observedGeneration exists, it must be metadata.generation or a later one",
	schema.GenerationByRule:     "left to the rule",
	schema.GenerationAsDeclared: "status.observedGeneration must be metadata.generation, and must exist if the schema of the kind declares it",
}

// builtin returns the built-in rule for a kind, as in docs/reference/rules.md. Compatibility
// profiles have rules of their own, which it does not describe.
func (x *ruleText) builtin(kind status.Kind) string {
	if strings.HasPrefix(x.evaluator.Profile.Name(), "compat") {
		return ""
	}
	return fmt.Sprintf("\nThe built-in rule (all cases: docs/reference/rules.md):\n%s", indented(docs.Rule(kind.String())))
}

// known returns what is known about a kind without a rule.
func (x *ruleText) known(kind apiKind) string {
	var b strings.Builder
	if hint := x.evaluator.Hint(kind.Kind); hint != "" {
		fmt.Fprintf(&b, "\nThe hint for the kind:\n%s", indented(hint))
	}
	if x.evaluator.Expect == nil || kind.version == "" {
		return b.String()
	}
	e := x.evaluator.Expect(strings.TrimPrefix(kind.Group+"/"+kind.version, "/"), kind.Kind.Kind)
	var lines strings.Builder
	for _, row := range []struct {
		what string
		is   schema.Tristate
	}{{"a status", e.Status}, {"an observed generation", e.ObservedGeneration}, {"conditions", e.Conditions}} {
		if row.is != schema.TristateUnknown {
			fmt.Fprintf(&lines, "  %s: %s\n", row.what, map[schema.Tristate]string{schema.TristateYes: "yes", schema.TristateNo: "no"}[row.is])
		}
	}
	if lines.Len() > 0 {
		fmt.Fprintf(&b, "\nThe schema in %s, version %s, declares:\n%s", e.Source, kind.version, lines.String())
	}
	return b.String()
}

func indented(text string) string {
	text = "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
	return strings.ReplaceAll(text, "\n  \n", "\n\n")
}
