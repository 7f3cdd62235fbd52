package status

import (
	"encoding/json"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/word"
)

// A fieldRole is what a field of a status is known for by its name.
type fieldRole uint8

const (
	stateWord    fieldRole = 1 << iota // it holds the state in a word
	sideWord                           // it holds in a word how something has gone
	readySwitch                        // it is true when all is well; false says that the object is on its way
	errorText                          // it holds an error, if it holds anything
	pastError                          // it tells of the last error, which may be over
	summaryMap                         // it is a map that sums the object up; what other maps say is about a part of it
	foreignMap                         // it holds what was asked for, what has been, or what another system says in words of its own
	decidingList                       // its items say together whether the object is there: who is to accept it, through what it is reached
)

// The fields of a status that are known by their names.
var fieldRoles = func() map[string]fieldRole {
	table := map[string]fieldRole{}
	for role, list := range map[fieldRole]string{
		stateWord: `phase state status health compliant`,
		readySwitch: `ready healthy available valid succeeded synced complete completed provisioned initialized initialised reconciled applied installed bound
	readyToUse isReady isHealthy clusterReady controlPlaneReady infrastructureReady online`,
		errorText: `error errors errorMessage errorReason errorDescription errorMsg errMsg failure failureMessage failureReason reconcileError
	statusError syncError validationErrors validationError`,
		sideWord:     `result outcome`,
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

// The endings of the names of fields that hold a word for one side of the
// state, such as deploymentStatus.
var stateEndings = []string{"Phase", "State", "Status", "Health", "Stage", "_status", "_state", "_phase"}

// The endings of the names of maps and lists that hold what was asked for, or what
// has been.
var foreignEndings = []string{"Spec", "Ref", "Template", "Selector", "Labels", "Annotations", "History", "Histories", "Events"}

// The beginnings of the names of fields with such an ending that speak of the
// object as a whole, and of those that do not speak of how it is now.
var (
	wholeStarts = []string{"overall", "current", "printable", "summary", "aggregated", "global", "health", "resource", "object", "sync", "reconcile", "update", "cluster"}
	otherStarts = []string{"desired", "target", "previous", "last", "old", "expected", "requested", "initial", "past", "prior", "next", "wanted"}
)

// stateSigns reads the words, switches and errors in status. What could only say
// more of the details is passed over when a summary is good, since that outweighs
// them.
func stateSigns(o *Fields, s *signs) {
	h := o.hearing
	outweighed := s.has(summing, word.Ready) != nil
	for field, v := range h.status {
		if field == "conditions" || strings.HasSuffix(field, "Generation") || h.hint.ignores(field) {
			continue
		}
		if outweighed && !sounds(field, v) {
			continue
		}
		switch v := v.(type) {
		case string:
			o.wordSign(s, place{}, field, v, alarm)
		case bool:
			o.switchSign(s, field, v)
		case map[string]any:
			o.mapSigns(s, field, v)
		case []any:
			if role := fieldRoles[field]; role.is(errorText) && len(v) > 0 {
				first, _ := text(v[0])
				s.add(alarm, &sign{from: fromError, says: word.Failing, at: field, reason: first})
			}
			o.listSigns(s, field, v)
		case int64, float64, int, json.Number:
			o.countSign(s, field, v)
		}
	}
}

// sounds reports whether a field may hold an alarm.
func sounds(field string, v any) bool {
	switch v.(type) {
	case string:
		return fieldRoles[field] != 0 || word.HasAnySuffix(field, stateEndings) && word.HasAnyPrefix(field, wholeStarts)
	case bool:
		return true
	case map[string]any, []any:
		return fieldRoles[field].is(errorText)
	}
	return false
}

// wordSign reads a field that holds a text. weighs is what trouble in it weighs.
func (f *Fields) wordSign(s *signs, in place, field, value string, weighs weight) {
	switch role := fieldRoles[field]; {
	case role.is(stateWord):
	case value == "":
		return
	case role.is(readySwitch) && in == (place{}) && (word.Is(value, "true") || word.Is(value, "false")):
		f.switchSign(s, field, word.Is(value, "true"))
		return
	case role.is(errorText|pastError) && faultless(value):
		return
	case role.is(errorText):
		s.add(weighs, &sign{from: fromError, says: word.Failing, in: in, at: field, reason: value})
		return
	case role.is(pastError):
		s.add(part, &sign{from: fromError, says: word.Failing, in: in, at: field, reason: value})
		return
	case role.is(sideWord):
		weighs = max(weighs, detail)
	case !word.HasAnySuffix(field, stateEndings) || word.HasAnyPrefix(field, otherStarts):
		if have, want, ok := ratio(value); ok && in == (place{}) {
			f.reach(s, in, field, have, want)
		}
		return
	case unasked(value):
		weighs = part
	case weighs == alarm && !word.HasAnyPrefix(field, wholeStarts):
		weighs = detail
	}
	f.stateSign(s, in, field, value, weighs)
}

// longestWord is how long a text without a meaning may be to be told as a word for
// a state.
const longestWord = 100

// stateSign reads a word that stands for a state.
func (f *Fields) stateSign(s *signs, in place, field, value string, weighs weight) {
	x := sign{from: fromWord, in: in, at: field, reason: value}
	if value == "" {
		x.says, x.reason = word.Progressing, "empty"
		s.add(max(weighs, detail), &x)
		return
	}
	x.says = f.means(value)
	if x.says == word.None && weighs != alarm { // what stands for one side of the object may say anything
		return
	}
	if x.says == word.None && len(value) > longestWord { // it may be anything, such as a token, and is not to be told
		x.reason = strconv.Itoa(len(value)) + " bytes long"
	}
	if f.traced() {
		f.saw(in.path(".", field, ""), x.reason)
	}
	switch x.says {
	case word.None:
		switch {
		case word.Is(value, "true"):
			x.says = word.Ready
		case word.Is(value, "false"):
			x.says = word.Progressing
		default:
			x.says, x.optional = word.Progressing, true
		}
		s.add(detail, &x)
	case word.Neutral: // a state of warning is none to be content with
		if f.hearing.hint.has(value) {
			return
		}
		x.says = word.Failing
		s.add(weighs, &x)
	case word.Suspended:
		s.add(pick(weighs == alarm, summing, weighs), &x)
	case word.Ready:
		ended := weighs == alarm && over(value) && !f.hearing.hint.sums()
		s.ended = s.ended || ended && f.hearing.hint.finite(f.hearing.kind.Kind)
		s.add(pick(ended, summing, max(weighs, detail)), &x)
	default:
		s.add(weighs, &x)
	}
}

// faultless reports whether a field for an error says in a word that there is none.
func faultless(value string) bool {
	return word.Is(value, "none", "no error", "nil", "<nil>", "null", "false", "ok", "n/a")
}

// unasked reports whether a word says of one side of an object that nothing is
// asked of it, or nothing yet, which does not keep the object from being there.
func unasked(value string) bool {
	return word.Is(value, "none", "n/a", "-", "never", "notapplicable", "not applicable", "notconfigured", "not configured", "notenabled",
		"not enabled", "notrequested", "not requested", "notset", "not set", "notstarted", "not started", "not_started", "unset")
}

// over reports whether a word says that something has come to its end, after
// which nothing that is said of its steps matters.
func over(value string) bool {
	return word.Is(value, "succeeded", "succeed", "successful", "success", "completed", "complete", "finished", "done")
}

// means returns what a state word says. What runs to an end of its own is not
// there while it runs.
func (f *Fields) means(value string) word.Polarity {
	h := f.hearing
	if m, ok := h.hint.word(value); ok {
		return m
	}
	m := word.State(value)
	if m == word.Ready && h.hint.finite(h.kind.Kind) && goesOn(value) {
		return word.Progressing
	}
	return m
}

// goesOn reports whether a word says that something which is to end has begun.
func goesOn(value string) bool {
	return word.Is(value, "running", "active", "started", "accepted", "processed", "launched", "prepared", "initialized", "validated", "approved")
}

// switchSign reads a boolean field.
func (f *Fields) switchSign(s *signs, field string, on bool) {
	x := sign{from: fromSwitch, at: field, reason: strconv.FormatBool(on)}
	weighs, ready := alarm, fieldRoles[field].is(readySwitch)
	switch {
	case ready && on:
		x.says, weighs = word.Ready, detail
	case ready && field == "healthy":
		x.says = word.Failing
	case ready && word.Why("", x.explained(f)) == word.CauseError:
		x.says = word.Failing
	case ready:
		x.says = word.Progressing
	case strings.HasSuffix(field, "Ready") && word.ConditionType(field) == word.RolePositive:
		if x.says, weighs = word.Progressing, detail; on {
			x.says = word.Ready
		}
	case on:
		switch word.ConditionType(field) {
		case word.RoleSuspension:
			x.says, weighs = word.Suspended, summing
		case word.RoleNegative:
			x.says = word.Failing
		case word.RoleProgress:
			x.says = word.Progressing
		default:
			return
		}
	default:
		return
	}
	if f.traced() {
		f.saw("status."+field, on)
	}
	s.add(weighs, &x)
}
