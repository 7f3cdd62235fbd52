package celrule

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/ruletest"
	"kstatus.dev/internal/text"
	"kstatus.dev/kube/celrule/internal/expression"
	"kstatus.dev/status"
)

// A Rule computes the status of objects of one kind. It is compiled, and may be used by
// several goroutines.
type Rule struct {
	Kind   status.Kind
	Source string // its position, such as "rules.yaml:7"

	origin            origin
	err               error  // the error of an unreadable annotation; then no other field is set.
	generation        string // as written; empty: as in the kind's table.
	terminal          bool   // a failure by the rule is terminal.
	message           string
	messageExpression *expression.Expression
	inProgress        *expression.Expression // each may be nil.
	failed            *expression.Expression
	current           *expression.Expression
}

// An origin is the source of a rule, for Result.Rule.
type origin int

// These are the origins, from the most trusted to the least.
const (
	originFile origin = iota
	originDefinition
	originObject
)

var ruleWords = [...]string{originFile: "file rule", originDefinition: "definition rule", originObject: "object rule"}

// judge computes the result for an object, and adds the position of the rule.
// The confidence is lower if the object has its own rule.
func (r *Rule) judge(o *status.Fields) status.Result {
	result := r.verdict(o)
	if result.Status == "" {
		if r.origin == originObject && r.generation != "" {
			o.Warn("its observed generation is read as %s, by the rule in %s", r.generation, r.Source)
		}
		return result
	}
	result.Rule, result.RuleSource = ruleWords[r.origin], r.Source
	if r.origin == originObject {
		result.Confidence = status.ConfidenceMedium
		if result.Reason != status.ReasonRuleError { // its message already names the rule
			result.Message = "by the rule in " + r.Source + ": " + result.Message
		}
	}
	return result
}

// verdict returns the result of the rule. As with Flux, the order is
// inProgress, failed, current, and the first that is true decides. A rule with
// current always decides: an object that matches none is InProgress. A rule
// without current leaves other objects to the next rule.
func (r *Rule) verdict(o *status.Fields) status.Result {
	if r.err != nil {
		return status.InProgress("RuleError", "rule in %v", shorten(strings.ReplaceAll(r.err.Error(), "\n", "; ")))
	}
	d, err := evaluations.run(keyOf(o.Object()), r.decide, r.copyOfFields(o.Object()))
	if err != nil {
		result := status.InProgress("RuleError", "rule in %s: %v", r.Source, err)
		result.Recheck = retryAfter
		return result
	}
	for _, x := range d.evaluated {
		reportReads(o, x)
	}
	result := r.resultOf(o, d)
	if d.decided == nil {
		return result
	}
	for _, t := range conditionsNamed(o.Object(), d.decided) {
		c, _ := condition.Find(condition.Of(o.Object()), t)
		result.Since = condition.Seconds(c.Since)
		break
	}
	return result
}

// resultOf returns the result of a decision, without its time.
func (r *Rule) resultOf(o *status.Fields, d decision) status.Result {
	switch x := d.decided; {
	case d.err != nil:
		return r.errorResult(o, x, d.err)
	case x == nil:
		return status.Result{}
	case x == r.inProgress:
		return status.InProgress("RuleNotMet", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case x == r.failed && r.terminal:
		return status.FailedTerminal("RuleDeclared", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case x == r.failed:
		return status.FailedRecoverable("RuleFailed", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case d.missing != expression.Missing{}:
		return status.InProgress("RuleNotMet", "%s", r.messageForMissing(o, d))
	case !d.holds:
		return status.InProgress("RuleNotMet", "%s", r.messageFor(o, d, unmetFact(o, x)))
	case r.generation != "ignore":
		if stale := staleCondition(o, x); stale != "" {
			return status.InProgress("StaleCondition", "condition %s is for an earlier generation than %d", stale, o.Generation())
		}
	}
	return status.Current("Reconciled", "%s", r.messageFor(o, d, decidingFact(o, d.decided)))
}

// A decision is the result of the expressions of a rule for an object.
type decision struct {
	evaluated []*expression.Expression
	decided   *expression.Expression // the expression that decides or fails; nil: none.
	holds     bool                   // it is true; false is possible for current only.
	missing   expression.Missing     // what the expression needs but the object lacks.
	err       error                  // the error of the evaluation.

	message any // of messageExpression: a string or an error; nil if there is none
}

// decide evaluates the expressions in order until one decides. It does not
// modify the rule or the object.
func (r *Rule) decide(object map[string]any, m *expression.Meter) (d decision) {
	ruletest.Evaluate(object)
	for _, x := range []*expression.Expression{r.inProgress, r.failed, r.current} {
		if x == nil {
			continue
		}
		is, missing, err := x.Holds(object, m)
		d.evaluated = append(d.evaluated, x)
		if err != nil || is || x == r.current {
			d.decided, d.holds, d.missing, d.err = x, is, missing, err
			break
		}
	}
	if d.decided != nil && d.err == nil && r.messageExpression != nil {
		d.message = r.messageOf(object, m)
	}
	return d
}

// messageOf returns the value of messageExpression: a string or an error. It is
// nil if the object lacks a field that the expression needs.
func (r *Rule) messageOf(object map[string]any, m *expression.Meter) any {
	v, missing, err := r.messageExpression.Evaluate(object, m)
	switch text, ok := v.(types.String); {
	case ok && len(text) > expression.MaxText:
		return expression.TextError(len(text))
	case ok:
		return string(text)
	case err != nil:
		return err
	case missing == expression.Missing{}:
		return fmt.Errorf("want a string, have a value of type %s", v.Type().TypeName())
	}
	return nil
}

// copyOfFields returns a copy of the fields that the rule reads. An abandoned
// evaluation continues to read them after the verdict.
func (r *Rule) copyOfFields(object map[string]any) map[string]any {
	fields := make(map[string]any, len(object))
	for _, x := range []*expression.Expression{r.inProgress, r.failed, r.current, r.messageExpression} {
		if x == nil {
			continue
		}
		for _, root := range x.Roots {
			v, exists := object[root]
			if _, done := fields[root]; exists && !done {
				fields[root] = copyOf(v)
			}
		}
	}
	return fields
}

func copyOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = copyOf(value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, value := range v {
			list[i] = copyOf(value)
		}
		return list
	}
	return v
}

// errorResult returns the result of a failed evaluation: InProgress, because
// the status is not known.
func (r *Rule) errorResult(o *status.Fields, x *expression.Expression, err error) status.Result {
	text := err.Error()
	if strings.HasPrefix(text, noOverload) {
		text = "an operator or function does not accept these types: " + typesOfFields(o.Object(), x)
	}
	return status.InProgress("RuleError", "rule in %s: %s: %s: %s", r.Source, x.Name, shorten(x.Text), text)
}

// noOverload begins the errors of cel-go about the types of operands. Some go on with the name of
// the function.
const noOverload = "no such overload"

// typesOfFields lists the types of the fields that x names, as in "spec.cups is
// an int". Without such a field it returns CEL's name of the error.
func typesOfFields(object map[string]any, x *expression.Expression) string {
	var all []string
	for _, path := range x.Paths {
		if v := decoded.AtPath(object, path); v != nil {
			all = append(all, path+" is "+typeText(v))
		}
	}
	if len(all) == 0 {
		return noOverload
	}
	return shorten(strings.Join(all, ", "))
}

// typeText returns the CEL type of a value, with an article.
func typeText(v any) string {
	switch name := types.DefaultTypeAdapter.NativeToValue(v).Type().TypeName(); name {
	case "int":
		return "an int"
	default:
		return "a " + name
	}
}

// messageForMissing returns the message for an object without a field that the
// rule needs. A field may be missing because its name is misspelled in the
// rule, so the message of the rule does not hide that.
func (r *Rule) messageForMissing(o *status.Fields, d decision) string {
	what := missingFact(o.Object(), d.decided, d.missing)
	if text := r.messageFor(o, d, ""); text != "" {
		return text + "; " + what
	}
	return what
}

// messageFor returns the message of the rule. If the rule has none, or its
// expression has no value for the object, it returns otherwise.
func (r *Rule) messageFor(o *status.Fields, d decision, otherwise string) string {
	if r.message != "" {
		otherwise = r.message
	}
	switch text := d.message.(type) {
	case string:
		return shorten(text)
	case error:
		o.Warn("rule in %s: messageExpression: %v", r.Source, text)
	}
	return otherwise
}

// reportReads adds the fields that x has read to an explanation.
func reportReads(o *status.Fields, x *expression.Expression) {
	for _, path := range x.Paths {
		o.RecordRead(path, decoded.AtPath(o.Object(), path))
	}
}

// staleCondition returns a condition that x names and that is about an earlier
// generation of the object. It is empty if there is none.
func staleCondition(o *status.Fields, x *expression.Expression) string {
	for _, t := range conditionsNamed(o.Object(), x) {
		if o.Condition(t).Stale {
			return t
		}
	}
	return ""
}

// maxFields limits the fields in a message.
const maxFields = 5

// decidingFact describes the condition that x names, or else the fields that it
// names. Fields of the status come first.
func decidingFact(o *status.Fields, x *expression.Expression) string {
	for _, t := range conditionsNamed(o.Object(), x) {
		return conditionOf(o.Object(), t).Sentence()
	}
	return factList(x, fieldFacts(o.Object(), x))
}

// fieldFacts returns the values of the fields that x names, except lists and maps. Fields of
// the status come first.
func fieldFacts(object map[string]any, x *expression.Expression) []string {
	var ofStatus, others []string
	for _, path := range x.Paths {
		switch v := decoded.AtPath(object, path).(type) {
		case nil, map[string]any, []any:
		default:
			fact := fmt.Sprintf("%s is %v", path, v)
			if strings.HasPrefix(path, "status.") {
				ofStatus = append(ofStatus, fact)
			} else {
				others = append(others, fact)
			}
		}
	}
	return append(ofStatus, others...)
}

// factList joins facts about the fields of x. Without a fact, it is the text of x.
func factList(x *expression.Expression, facts []string) string {
	if len(facts) == 0 {
		return shorten(x.Name + ": " + x.Text)
	}
	return shorten(strings.Join(facts[:min(len(facts), maxFields)], ", "))
}

// conditionsNamed returns the types of the object's conditions that x names,
// sorted.
func conditionsNamed(object map[string]any, x *expression.Expression) (all []string) {
	if len(x.Words) == 0 {
		return nil
	}
	types := map[string]bool{}
	for c := range condition.All(condition.Of(object)) {
		types[c.Type] = true
	}
	for _, t := range x.Words {
		if types[t] {
			all = append(all, t)
		}
	}
	return all
}

// conditionOf returns a condition for a message. The verdict does not depend on it.
func conditionOf(object map[string]any, t string) status.Condition {
	c, _ := condition.Find(condition.Of(object), t)
	return status.Condition{Type: c.Type, Status: status.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message}
}

// shorten cuts a text to the length of a message.
func shorten(s string) string {
	return text.Cut(strings.Join(strings.Fields(s), " "), 500+len(text.Ellipsis))
}
