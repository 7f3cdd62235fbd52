package status

import (
	"encoding/json"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// A fieldRole is the meaning of a field of a status, by its name.
type fieldRole uint8

const (
	stateWord    fieldRole = 1 << iota // it holds the state in a word
	outcomeWord                        // it holds an outcome as a word
	readyBool                          // it is true in the normal state, and false while the object is in progress
	errorText                          // it holds an error if it is set
	pastError                          // it holds the last error, which may be solved
	summaryMap                         // it is a map that describes the whole object; other maps describe a part
	foreignMap                         // it holds desired or past state, or text of another system
	decidingList                       // its items together decide whether the object is ready: its parents or its addresses
)

// fieldRoles maps the names of fields to their roles.
var fieldRoles = func() map[string]fieldRole {
	table := map[string]fieldRole{}
	for role, list := range map[fieldRole]string{
		stateWord: `phase state status health compliant`,
		readyBool: `ready healthy available valid succeeded synced complete completed provisioned initialized initialised reconciled applied installed bound
	readyToUse isReady isHealthy clusterReady controlPlaneReady infrastructureReady online`,
		errorText: `error errors errorMessage errorReason errorDescription errorMsg errMsg failure failureMessage failureReason reconcileError
	statusError syncError validationErrors validationError`,
		outcomeWord:  `result outcome`,
		pastError:    `lastError lastErrorMessage lastErrors lastFailure lastFailureMessage`,
		summaryMap:   `health operation lastOperation summary overall state status statuses`,
		foreignMap:   `atProvider forProvider template config configuration parameters spec manifest labels annotations selector history events`,
		decidingList: `parents ancestors controllers bindings listeners ingress`,
	} {
		for _, field := range strings.Fields(list) {
			table[field] |= role
		}
	}
	return table
}()

func (r fieldRole) is(one fieldRole) bool { return r&one != 0 }

// stateSuffixes are the ends of the names of fields that hold a word for one aspect
// of the state, such as deploymentStatus.
var stateSuffixes = []string{"Phase", "State", "Status", "Health", "Stage", "_status", "_state", "_phase"}

// foreignSuffixes are the ends of the names of maps and lists that hold what is
// requested, or a past state.
var foreignSuffixes = []string{"Spec", "Ref", "Template", "Selector", "Labels", "Annotations", "History", "Histories", "Events"}

// The first words of fields that end in one of stateSuffixes.
var (
	// wholePrefixes: the state is that of the object as a whole.
	wholePrefixes = []string{"overall", "current", "printable", "summary", "aggregated", "global", "health", "resource", "object", "sync", "reconcile", "update", "cluster"}
	// otherPrefixes: the state is not the current one.
	otherPrefixes = []string{"desired", "target", "previous", "last", "old", "expected", "requested", "initial", "past", "prior", "next", "wanted"}
)

// stateSignals reads the words, switches and errors in status. If a summary is Ready,
// it skips the fields that hold details at most, since the summary outweighs them.
func stateSignals(o *Fields, s *signals) {
	ev := o.eval
	outweighed := s.get(summary, word.Ready) != nil
	o.eachField(ev.status, func(field string, v any) {
		if field == "conditions" || strings.HasSuffix(field, "Generation") || ev.hint.ignores(field) {
			return
		}
		if outweighed && !mayOverride(field, v) {
			return
		}
		switch v := v.(type) {
		case string:
			o.wordSignal(s, location{}, field, v, override)
		case bool:
			o.boolSignal(s, field, v)
		case map[string]any:
			o.mapSignals(s, field, v)
		case []any:
			if role := fieldRoles[field]; role.is(errorText) && len(v) > 0 {
				first, _ := value.Text(v[0])
				s.add(override, &signal{kind: signalError, polarity: word.Failing, name: field, reason: first})
			}
			o.listSignals(s, field, v)
		case int64, float64, int, json.Number:
			o.countSignal(s, field, v)
		}
	})
}

// mayOverride reports whether a field may hold a signal of precedence override.
func mayOverride(field string, v any) bool {
	switch v.(type) {
	case string:
		return fieldRoles[field] != 0 || word.HasAnySuffix(field, stateSuffixes) && word.HasAnyPrefix(field, wholePrefixes)
	case bool:
		return true
	case map[string]any, []any:
		return fieldRoles[field].is(errorText)
	}
	return false
}

// wordSignal reads a field that holds a text. p is the precedence of a problem in it.
func (f *Fields) wordSignal(s *signals, in location, field, value string, p precedence) {
	switch role := fieldRoles[field]; {
	case role.is(stateWord):
	case value == "":
		return
	case role.is(readyBool) && in == (location{}) && (word.Is(value, "true") || word.Is(value, "false")):
		f.boolSignal(s, field, word.Is(value, "true"))
		return
	case role.is(errorText|pastError) && noError(value):
		return
	case role.is(errorText):
		s.add(p, &signal{kind: signalError, polarity: word.Failing, in: in, name: field, reason: value})
		return
	case role.is(pastError):
		s.add(component, &signal{kind: signalError, polarity: word.Failing, in: in, name: field, reason: value})
		return
	case role.is(outcomeWord):
		p = max(p, detail)
	case !word.HasAnySuffix(field, stateSuffixes) || word.HasAnyPrefix(field, otherPrefixes):
		if have, want, ok := ratio(value); ok && in == (location{}) {
			f.counterSignal(s, in, field, have, want)
		}
		return
	case notApplicable(value):
		p = component
	case p == override && !word.HasAnyPrefix(field, wholePrefixes):
		p = detail
	}
	f.stateSignal(s, in, field, value, p)
}

// maxWordLength is the length of the longest unknown text that is reported as a state word.
const maxWordLength = 100

// stateSignal reads a word for a state.
func (f *Fields) stateSignal(s *signals, in location, field, value string, p precedence) {
	x := signal{kind: signalWord, in: in, name: field, reason: value}
	if value == "" {
		x.polarity, x.reason = word.Progressing, "empty"
		s.add(max(p, detail), &x)
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
		f.recordRead(in.path(".", field, ""), x.reason)
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
		ended := p == override && isEndState(value) && !f.eval.hint.sums()
		s.ended = s.ended || ended && f.eval.hint.finite(f.eval.kind.Kind)
		s.add(choose(ended, summary, max(p, detail)), &x)
	default:
		s.add(p, &x)
	}
}

// noError reports whether the text of an error field means that there is no error.
func noError(value string) bool {
	return word.Is(value, "none", "no error", "nil", "<nil>", "null", "false", "ok", "n/a")
}

// notApplicable reports whether a word means that an aspect of the object is not requested, or
// not yet. Such an aspect does not keep the object from being ready.
func notApplicable(value string) bool {
	return word.Is(value, "none", "n/a", "-", "never", "notapplicable", "not applicable", "notconfigured", "not configured", "notenabled",
		"not enabled", "notrequested", "not requested", "notset", "not set", "notstarted", "not started", "not_started", "unset")
}

// isEndState reports whether a word means that a run has succeeded, after which its steps do not
// matter.
func isEndState(value string) bool {
	return word.Is(value, "succeeded", "succeed", "successful", "success", "completed", "complete", "finished", "done")
}

// polarityOf returns the polarity of a state word. An object that runs to completion is in
// progress while it runs.
func (f *Fields) polarityOf(value string) word.Polarity {
	ev := f.eval
	if m, ok := ev.hint.word(value); ok {
		return m
	}
	m := word.State(value)
	if m == word.Ready && ev.hint.finite(ev.kind.Kind) && isStartState(value) {
		return word.Progressing
	}
	return m
}

// isStartState reports whether a word means that a run has begun.
func isStartState(value string) bool {
	return word.Is(value, "running", "active", "started", "accepted", "processed", "launched", "prepared", "initialized", "validated", "approved")
}

// boolSignal reads a boolean field.
func (f *Fields) boolSignal(s *signals, field string, on bool) {
	x := signal{kind: signalBool, name: field, reason: strconv.FormatBool(on)}
	p, ready := override, fieldRoles[field].is(readyBool)
	switch {
	case ready && on:
		x.polarity, p = word.Ready, detail
	case ready && field == "healthy":
		x.polarity = word.Failing
	case ready && word.Why("", x.explanation(f)) == word.CauseError:
		x.polarity = word.Failing
	case ready:
		x.polarity = word.Progressing
	case strings.HasSuffix(field, "Ready") && word.ConditionType(field) == word.RolePositive:
		if x.polarity, p = word.Progressing, detail; on {
			x.polarity = word.Ready
		}
	case on:
		switch word.ConditionType(field) {
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
		f.recordRead("status."+field, on)
	}
	s.add(p, &x)
}
