package status

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// stateSignals reads the words, switches and errors in status. If a summary is Ready,
// it skips the fields that hold details at most, since the summary outweighs them.
func stateSignals(o *Fields, s *signals) {
	ev := o.eval
	outweighed := s.get(summary, word.Ready) != nil
	o.eachField(ev.status, func(name string, v any) {
		if name == "conditions" || strings.HasSuffix(name, "Generation") || ev.hint.ignores(name) {
			return
		}
		if outweighed && !mayOverride(name, v) {
			return
		}
		switch v := v.(type) {
		case string:
			o.wordSignal(s, location{}, name, v, override)
		case bool:
			o.boolSignal(s, name, v)
		case map[string]any:
			o.mapSignals(s, name, v)
		case []any:
			switch role := field.RoleOf(name); {
			case len(v) == 0:
			case role.Is(field.ErrorText):
				first, _ := value.Text(v[0])
				s.add(override, &signal{kind: signalError, polarity: word.Failing, name: name, reason: cmp.Or(first, value.ErrorMessage(v))})
			case name == "failed": // the items that have failed
				s.add(detail, &signal{kind: signalError, polarity: word.Failing, name: name, reason: value.ErrorMessage(v)})
			}
			o.listSignals(s, name, v)
		case int64, float64, int, json.Number:
			o.countSignal(s, name, v)
		}
	})
}

// mayOverride reports whether a field may hold a signal of precedence override.
func mayOverride(name string, v any) bool {
	switch v.(type) {
	case string:
		return field.RoleOf(name) != 0 || field.IsState(name) && field.IsWhole(name)
	case bool:
		return true
	case map[string]any, []any:
		return field.RoleOf(name).Is(field.ErrorText)
	}
	return name == "updatedReplicas" // see countSignal
}

// wordSignal reads a field that holds a text. p is the precedence of a problem in it.
func (f *Fields) wordSignal(s *signals, in location, name, value string, p precedence) {
	switch role := field.RoleOf(name); {
	case role.Is(field.StateWord):
	case value == "":
		return
	case role.Is(field.ReadyBool) && in == (location{}) && (word.Is(value, "true") || word.Is(value, "false")):
		f.boolSignal(s, name, word.Is(value, "true"))
		return
	case role.Is(field.ErrorText|field.PastError) && word.IsNoError(value):
		return
	case role.Is(field.ErrorText):
		s.add(p, &signal{kind: signalError, polarity: word.Failing, in: in, name: name, reason: value})
		return
	case role.Is(field.PastError):
		s.add(component, &signal{kind: signalError, polarity: word.Failing, in: in, name: name, reason: value})
		return
	case role.Is(field.FailTime):
		s.add(max(p, detail), &signal{kind: signalError, polarity: word.Failing, in: in, name: name})
		return
	case role.Is(field.EndTime):
		f.endSignal(s, in, name, value)
		return
	case role.Is(field.OutcomeWord):
		p = max(p, detail)
	case !field.IsState(name) || field.IsOther(name):
		if in == (location{}) {
			f.shareSignal(s, name, value)
		}
		return
	case word.IsNotRequested(value):
		p = component
	case p == override && !field.IsWhole(name):
		p = detail
	}
	f.stateSignal(s, in, name, value, p)
}

// maxWordLength is the length of the longest unknown text that is reported as a state word.
const maxWordLength = 100

// stateSignal reads a word for a state.
func (f *Fields) stateSignal(s *signals, in location, name, value string, p precedence) {
	x := signal{kind: signalWord, in: in, name: name, reason: value}
	if strings.TrimSpace(value) == "" {
		x.polarity, x.reason = word.Progressing, "empty"
		s.noteEmpty(max(p, detail), &x)
		return
	}
	x.polarity = f.polarityOf(value)
	if x.polarity == word.None && p != override { // a word for one aspect of the object may be any text
		return
	}
	if x.polarity == word.None && len(value) > maxWordLength { // it may be any text, such as a token, and is not reported
		x.reason = strconv.Itoa(len(value)) + " bytes long"
	}
	if f.isTraced() {
		f.recordRead(in.path(".", name, ""), x.reason)
	}
	if word.IsWarning(value) && !f.eval.hint.has(value) && (in == (location{}) || p == override) {
		if x.polarity == word.Neutral {
			x.polarity = word.Failing
		}
		s.warn(p, &x)
		return
	}
	switch x.polarity {
	case word.None:
		switch {
		case word.Is(value, "true"):
			x.polarity = word.Ready
		case word.Is(value, "false"):
			x.polarity = word.Progressing
		default:
			x.polarity, x.guess = word.Progressing, true
		}
		s.add(detail, &x)
	case word.Neutral: // a warning is not the normal state
		if f.eval.hint.has(value) {
			return
		}
		x.polarity = word.Failing
		s.add(p, &x)
	case word.Suspended:
		s.add(choose(p == override, summary, p), &x)
	case word.Ready:
		ended := p == override && word.IsEnd(value) && !f.eval.hint.sums()
		s.ended = s.ended || ended && f.eval.hint.finite(f.eval.kind.Kind)
		s.add(choose(ended, summary, max(p, detail)), &x)
	default:
		if x.polarity == word.Progressing && p == override && word.IsError(x.explanation(f)) { // it tries again
			x.polarity = word.Failing
		}
		s.add(p, &x)
	}
}

// endSignal adds the signal of the time at which a run has ended. It has succeeded unless other
// fields report a problem.
func (f *Fields) endSignal(s *signals, in location, name, value string) {
	if ev := f.eval; in != (location{}) || !ev.hint.finite(ev.kind.Kind) || ev.hint.sums() || ev.hint.requires(name) {
		return
	}
	x := signal{kind: signalWord, polarity: word.Ready, name: name, reason: value}
	if word.ReportsError(x.explanation(f)) {
		x.polarity = word.Failing
	}
	if f.isTraced() {
		f.recordRead("status."+name, value)
	}
	s.add(detail, &x)
}

// polarityOf returns the polarity of a state word. An object that runs to completion is in
// progress while it runs.
func (f *Fields) polarityOf(value string) word.Polarity {
	ev := f.eval
	if m, ok := ev.hint.word(value); ok {
		return m
	}
	m := word.State(value)
	switch {
	case m == word.Ready && ev.hint.finite(ev.kind.Kind) && word.IsStart(value):
		return word.Progressing
	case m == word.Progressing && word.Is(value, "scheduled") && word.ContainsAny(ev.kind.Kind, recurringKinds): // its next run is
		return word.Ready
	}
	return m
}

// reasonBeside returns the reason of a field: status.reason or, for ready, status.readyReason.
func (f *Fields) reasonBeside(name string) string {
	for _, field := range [...]string{name + "Reason", "reason"} {
		if reason, _ := f.eval.status[field].(string); reason != "" {
			return reason
		}
	}
	return ""
}

// boolSignal reads a boolean field.
func (f *Fields) boolSignal(s *signals, name string, on bool) {
	x := signal{kind: signalBool, name: name, reason: strconv.FormatBool(on)}
	p, ready := override, field.RoleOf(name).Is(field.ReadyBool)
	switch {
	case ready && on && f.eval.hint.requires(name):
		return
	case ready && on:
		x.polarity, p = word.Ready, detail
	case ready && name == "healthy":
		x.polarity = word.Failing
	case ready && word.Why(f.reasonBeside(name), x.explanation(f)) == word.CauseError:
		x.polarity = word.Failing
	case ready:
		x.polarity = word.Progressing
	case strings.HasSuffix(name, "Ready") && word.ConditionType(name) == word.RolePositive:
		if x.polarity, p = word.Progressing, detail; on {
			x.polarity = word.Ready
		}
	case on:
		switch word.ConditionType(name) {
		case word.RoleSuspension:
			x.polarity, p = word.Suspended, summary
		case word.RoleNegative:
			x.polarity = word.Failing
		case word.RoleProgress:
			x.polarity = word.Progressing
		default:
			return
		}
	default:
		return
	}
	if f.isTraced() {
		f.recordRead("status."+name, on)
	}
	s.add(p, &x)
}
