package celrule

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A Rule computes the status of objects of one kind. It is compiled, and may be used by
// several goroutines.
type Rule struct {
	Kind   status.Kind
	Source string // its position, such as "rules.yaml:7"

	wrong             error  // the rule of an annotation could not be read; then there is nothing else
	generation        string // as written; empty: as the kind's table has it
	terminal          bool   // a failure that the rule tells cannot heal
	message           string
	messageExpression *expression
	inProgress        *expression // any of these may be nil
	failed            *expression
	current           *expression
}

// judge answers for an object. As with Flux, inProgress comes first, then failed,
// then current; the first that is true decides. A rule that has current always
// decides: what is none of the three is InProgress. One that has not leaves all
// else to whoever would judge without it.
func (r *Rule) judge(o *status.Fields) status.Result {
	if r.wrong != nil {
		return status.InProgress("RuleError", "rule in %v", short(strings.ReplaceAll(r.wrong.Error(), "\n", "; ")))
	}
	object := o.Object()
	for _, clause := range []struct {
		when   *expression
		answer func(*status.Fields, *expression) status.Result
	}{{r.inProgress, r.inProgressResult}, {r.failed, r.failedResult}, {r.current, r.currentResult}} {
		if clause.when == nil {
			continue
		}
		is, missing, err := clause.when.holds(object)
		clause.when.reportReads(o)
		switch {
		case err != nil:
			return r.errorResult(clause.when, err)
		case is && clause.when == r.current && r.generation != "ignore" && clause.when.stale(o) != "":
			return status.InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", clause.when.stale(o), o.Generation())
		case is:
			return clause.answer(o, clause.when)
		case clause.when == r.current && missing != "":
			return status.InProgress("RuleNotMet", "%s", r.messageFor(o, "there is "+missing+" yet"))
		case clause.when == r.current:
			return r.inProgressResult(o, clause.when)
		}
	}
	return status.Result{}
}

func (r *Rule) currentResult(o *status.Fields, x *expression) status.Result {
	return status.Current("Reconciled", "%s", r.messageFor(o, x.decidingFact(o)))
}

func (r *Rule) inProgressResult(o *status.Fields, x *expression) status.Result {
	return status.InProgress("RuleNotMet", "%s", r.messageFor(o, x.decidingFact(o)))
}

func (r *Rule) failedResult(o *status.Fields, x *expression) status.Result {
	if r.terminal {
		return status.FailedTerminal("RuleDeclared", "%s", r.messageFor(o, x.decidingFact(o)))
	}
	return status.FailedRecoverable("RuleFailed", "%s", r.messageFor(o, x.decidingFact(o)))
}

// errorResult is the verdict where an expression could not be evaluated: nothing is
// known then, so it is neither there nor failed.
func (r *Rule) errorResult(x *expression, err error) status.Result {
	return status.InProgress("RuleError", "rule in %s: %s: %s: %v", r.Source, x.name, short(x.text), err)
}

// messageFor returns the message of the rule; what else there is to say if it has none,
// or if its expression has no text for the object.
func (r *Rule) messageFor(o *status.Fields, otherwise string) string {
	if r.message != "" {
		otherwise = r.message
	}
	if r.messageExpression == nil {
		return otherwise
	}
	v, missing, err := r.messageExpression.evaluate(o.Object())
	switch text, ok := v.(types.String); {
	case ok:
		return short(string(text))
	case err != nil:
		o.Warn("rule in %s: messageExpression: %v", r.Source, err)
	case missing == "":
		o.Warn("rule in %s: messageExpression: want a text, have a value of type %s", r.Source, v.Type().TypeName())
	}
	return otherwise
}

// reportReads tells an explanation what x has read.
func (x *expression) reportReads(o *status.Fields) {
	for _, path := range x.paths {
		o.RecordRead(path, valueAtPath(o.Object(), path))
	}
}

// stale returns a condition that x names and that speaks of an earlier generation
// of the object; empty if there is none.
func (x *expression) stale(o *status.Fields) string {
	for _, t := range x.words {
		if conditionOf(o.Object(), t).Status != "" && o.Condition(t).Stale {
			return t
		}
	}
	return ""
}

// decidingFact says what of an object decided about x: a condition that it names, else
// a field.
func (x *expression) decidingFact(o *status.Fields) string {
	for _, t := range x.words {
		if c := conditionOf(o.Object(), t); c.Status != "" {
			return c.Sentence()
		}
	}
	for _, path := range x.paths {
		switch v := valueAtPath(o.Object(), path).(type) {
		case nil, map[string]any, []any:
		default:
			return short(fmt.Sprintf("%s is %v", path, v))
		}
	}
	return short(x.name + ": " + x.text)
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
