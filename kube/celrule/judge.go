package celrule

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"

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
	wrong             error  // the rule of an annotation could not be read; then there is nothing else
	generation        string // as written; empty: as the kind's table has it
	terminal          bool   // a failure that the rule tells cannot heal
	message           string
	messageExpression *expression.Expression
	inProgress        *expression.Expression // any of these may be nil
	failed            *expression.Expression
	current           *expression.Expression
}

// An origin says who has written a rule, for Result.Rule.
type origin int

// The origins, from those that are trusted most.
const (
	originFile origin = iota
	originDefinition
	originObject
)

var ruleWords = [...]string{originFile: "file rule", originDefinition: "definition rule", originObject: "object rule"}

// judge answers for an object, and says where the rule is. An object that decides about
// itself is not believed as its kind would be.
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
		if result.Reason != "RuleError" { // whose message names the rule
			result.Message = "by the rule in " + r.Source + ": " + result.Message
		}
	}
	return result
}

// verdict returns what the rule says about an object. As with Flux, inProgress comes first, then failed,
// then current; the first that is true decides. A rule that has current always
// decides: what is none of the three is InProgress. One that has not leaves all
// else to whoever would judge without it.
func (r *Rule) verdict(o *status.Fields) status.Result {
	if r.wrong != nil {
		return status.InProgress("RuleError", "rule in %v", short(strings.ReplaceAll(r.wrong.Error(), "\n", "; ")))
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
	switch x := d.decided; {
	case d.err != nil:
		return r.errorResult(x, d.err)
	case x == nil:
		return status.Result{}
	case x == r.inProgress:
		return status.InProgress("RuleNotMet", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case x == r.failed && r.terminal:
		return status.FailedTerminal("RuleDeclared", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case x == r.failed:
		return status.FailedRecoverable("RuleFailed", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case d.missing != "":
		return status.InProgress("RuleNotMet", "%s", r.messageFor(o, d, "there is "+d.missing+" yet"))
	case !d.is:
		return status.InProgress("RuleNotMet", "%s", r.messageFor(o, d, decidingFact(o, x)))
	case r.generation != "ignore":
		if stale := staleCondition(o, x); stale != "" {
			return status.InProgress("StaleCondition", "condition %s is for an earlier generation than %d", stale, o.Generation())
		}
	}
	return status.Current("Reconciled", "%s", r.messageFor(o, d, decidingFact(o, d.decided)))
}

// A decision is what the expressions of a rule say about an object.
type decision struct {
	evaluated []*expression.Expression
	decided   *expression.Expression // the one that decides, or that has failed; nil: none
	is        bool                   // it is true; if not, it is current
	missing   string                 // what it needs and the object does not have; empty: nothing
	err       error                  // why it could not be evaluated

	message any // of messageExpression: a string, or an error; nil if there is none
}

// decide evaluates the expressions in their order until one decides. It does not change the
// rule or the object.
func (r *Rule) decide(object map[string]any, m *expression.Meter) (d decision) {
	ruletest.Evaluate(object)
	for _, x := range []*expression.Expression{r.inProgress, r.failed, r.current} {
		if x == nil {
			continue
		}
		is, missing, err := x.Holds(object, m)
		d.evaluated = append(d.evaluated, x)
		if err != nil || is || x == r.current {
			d.decided, d.is, d.missing, d.err = x, is, missing, err
			break
		}
	}
	if d.decided != nil && d.err == nil && r.messageExpression != nil {
		d.message = r.messageOf(object, m)
	}
	return d
}

// messageOf returns the value of messageExpression: a string, or an error; nil if it needs
// something that the object does not have.
func (r *Rule) messageOf(object map[string]any, m *expression.Meter) any {
	v, missing, err := r.messageExpression.Evaluate(object, m)
	switch text, ok := v.(types.String); {
	case ok && len(text) > expression.MaxText:
		return expression.TextError(len(text))
	case ok:
		return string(text)
	case err != nil:
		return err
	case missing == "":
		return fmt.Errorf("want a text, have a value of type %s", v.Type().TypeName())
	}
	return nil
}

// copyOfFields returns a copy of the fields of an object that the rule reads. An evaluation
// that takes too long goes on to read them after the verdict.
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

// errorResult is the verdict where an expression could not be evaluated: nothing is
// known then, so it is neither there nor failed.
func (r *Rule) errorResult(x *expression.Expression, err error) status.Result {
	return status.InProgress("RuleError", "rule in %s: %s: %s: %v", r.Source, x.Name, short(x.Text), err)
}

// messageFor returns the message of the rule; what else there is to say if it has none,
// or if its expression has no text for the object.
func (r *Rule) messageFor(o *status.Fields, d decision, otherwise string) string {
	if r.message != "" {
		otherwise = r.message
	}
	switch text := d.message.(type) {
	case string:
		return short(text)
	case error:
		o.Warn("rule in %s: messageExpression: %v", r.Source, text)
	}
	return otherwise
}

// reportReads tells an explanation what x has read.
func reportReads(o *status.Fields, x *expression.Expression) {
	for _, path := range x.Paths {
		o.RecordRead(path, valueAtPath(o.Object(), path))
	}
}

// staleCondition returns a condition that x names and that speaks of an earlier generation
// of the object; empty if there is none.
func staleCondition(o *status.Fields, x *expression.Expression) string {
	for _, t := range conditionsNamed(o.Object(), x) {
		if o.Condition(t).Stale {
			return t
		}
	}
	return ""
}

// decidingFact says what of an object decided about x: a condition that it names, else
// a field.
func decidingFact(o *status.Fields, x *expression.Expression) string {
	for _, t := range conditionsNamed(o.Object(), x) {
		return conditionOf(o.Object(), t).Sentence()
	}
	for _, path := range x.Paths {
		switch v := valueAtPath(o.Object(), path).(type) {
		case nil, map[string]any, []any:
		default:
			return short(fmt.Sprintf("%s is %v", path, v))
		}
	}
	return short(x.Name + ": " + x.Text)
}

// conditionsNamed returns the types of the object's conditions that x names, in the order of the
// alphabet.
func conditionsNamed(object map[string]any, x *expression.Expression) (all []string) {
	list, _ := valueAtPath(object, "status.conditions").([]any)
	if len(x.Words) == 0 || len(list) == 0 {
		return nil
	}
	last := make(map[string]bool, len(list)) // by type, whether the last one has a status
	for _, item := range list {
		m, _ := item.(map[string]any)
		if t, ok := m["type"].(string); ok {
			is, _ := m["status"].(string)
			last[t] = is != ""
		}
	}
	for _, t := range x.Words {
		if last[t] {
			all = append(all, t)
		}
	}
	return all
}

// conditionOf reads a condition for a message. Unlike a verdict, a message does
// not rest on it, so what is no condition is passed over.
func conditionOf(object map[string]any, t string) (c status.Condition) {
	list, _ := valueAtPath(object, "status.conditions").([]any)
	for _, item := range list {
		m, _ := item.(map[string]any)
		if m["type"] != t {
			continue
		}
		is, _ := m["status"].(string)
		c.Type, c.Status = t, status.ConditionStatus(is)
		c.Reason, _ = m["reason"].(string)
		c.Message, _ = m["message"].(string)
	}
	return c
}

// valueAtPath returns the value at a dotted path, nil if there is none.
func valueAtPath(object map[string]any, path string) any {
	var v any = object
	for key := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// short cuts a text so that it fits into a message.
func short(s string) string {
	return text.Cut(strings.Join(strings.Fields(s), " "), 500+len(text.Ellipsis))
}
