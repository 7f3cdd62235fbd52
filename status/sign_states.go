package status

import (
	"encoding/json"
	"strconv"
	"strings"
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
	outweighed := s.has(summing, good) != nil
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
				s.add(alarm, &sign{from: fromError, says: bad, at: field, reason: first})
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
		return fieldRoles[field] != 0 || endsAny(field, stateEndings) && startsAny(field, wholeStarts)
	case bool:
		return true
	case map[string]any, []any:
		return fieldRoles[field].is(errorText)
	}
	return false
}

// wordSign reads a field that holds a text. weighs is what trouble in it weighs.
func (f *Fields) wordSign(s *signs, in place, field, word string, weighs weight) {
	switch role := fieldRoles[field]; {
	case role.is(stateWord):
	case word == "":
		return
	case role.is(readySwitch) && in == (place{}) && (is(word, "true") || is(word, "false")):
		f.switchSign(s, field, is(word, "true"))
		return
	case role.is(errorText|pastError) && faultless(word):
		return
	case role.is(errorText):
		s.add(weighs, &sign{from: fromError, says: bad, in: in, at: field, reason: word})
		return
	case role.is(pastError):
		s.add(part, &sign{from: fromError, says: bad, in: in, at: field, reason: word})
		return
	case role.is(sideWord):
		weighs = max(weighs, detail)
	case !endsAny(field, stateEndings) || startsAny(field, otherStarts):
		if have, want, ok := ratio(word); ok && in == (place{}) {
			f.reach(s, in, field, have, want)
		}
		return
	case unasked(word):
		weighs = part
	case weighs == alarm && !startsAny(field, wholeStarts):
		weighs = detail
	}
	f.stateSign(s, in, field, word, weighs)
}

// longestWord is how long a text without a meaning may be to be told as a word for
// a state.
const longestWord = 100

// stateSign reads a word that stands for a state.
func (f *Fields) stateSign(s *signs, in place, field, word string, weighs weight) {
	x := sign{from: fromWord, in: in, at: field, reason: word}
	if word == "" {
		x.says, x.reason = busy, "empty"
		s.add(max(weighs, detail), &x)
		return
	}
	x.says = f.means(word)
	if x.says == noMeaning && weighs != alarm { // what stands for one side of the object may say anything
		return
	}
	if x.says == noMeaning && len(word) > longestWord { // it may be anything, such as a token, and is not to be told
		x.reason = strconv.Itoa(len(word)) + " bytes long"
	}
	if f.traced() {
		f.saw(in.path(".", field, ""), x.reason)
	}
	switch x.says {
	case noMeaning:
		switch {
		case is(word, "true"):
			x.says = good
		case is(word, "false"):
			x.says = busy
		default:
			x.says, x.optional = busy, true
		}
		s.add(detail, &x)
	case neutral: // a state of warning is none to be content with
		if f.hearing.hint.has(word) {
			return
		}
		x.says = bad
		s.add(weighs, &x)
	case idle:
		s.add(pick(weighs == alarm, summing, weighs), &x)
	case good:
		ended := weighs == alarm && over(word) && !f.hearing.hint.sums()
		s.ended = s.ended || ended && f.hearing.hint.finite(f.hearing.kind.Kind)
		s.add(pick(ended, summing, max(weighs, detail)), &x)
	default:
		s.add(weighs, &x)
	}
}

// faultless reports whether a field for an error says in a word that there is none.
func faultless(word string) bool {
	return is(word, "none", "no error", "nil", "<nil>", "null", "false", "ok", "n/a")
}

// unasked reports whether a word says of one side of an object that nothing is
// asked of it, or nothing yet, which does not keep the object from being there.
func unasked(word string) bool {
	return is(word, "none", "n/a", "-", "never", "notapplicable", "not applicable", "notconfigured", "not configured", "notenabled",
		"not enabled", "notrequested", "not requested", "notset", "not set", "notstarted", "not started", "not_started", "unset")
}

// over reports whether a word says that something has come to its end, after
// which nothing that is said of its steps matters.
func over(word string) bool {
	return is(word, "succeeded", "succeed", "successful", "success", "completed", "complete", "finished", "done")
}

// means returns what a state word says. What runs to an end of its own is not
// there while it runs.
func (f *Fields) means(word string) meaning {
	h := f.hearing
	if m, ok := h.hint.word(word); ok {
		return m
	}
	m := phrase(word).state()
	if m == good && h.hint.finite(h.kind.Kind) && goesOn(word) {
		return busy
	}
	return m
}

// goesOn reports whether a word says that something which is to end has begun.
func goesOn(word string) bool {
	return is(word, "running", "active", "started", "accepted", "processed", "launched", "prepared", "initialized", "validated", "approved")
}

// switchSign reads a boolean field.
func (f *Fields) switchSign(s *signs, field string, on bool) {
	x := sign{from: fromSwitch, at: field, reason: strconv.FormatBool(on)}
	weighs, ready := alarm, fieldRoles[field].is(readySwitch)
	switch {
	case ready && on:
		x.says, weighs = good, detail
	case ready && field == "healthy":
		x.says = bad
	case ready && plightOf("", x.explained(f)) == failing:
		x.says = bad
	case ready:
		x.says = busy
	case strings.HasSuffix(field, "Ready") && phrase(field).role() == good:
		if x.says, weighs = busy, detail; on {
			x.says = good
		}
	case on:
		if x.says = phrase(field).role(); x.says == idle {
			weighs = summing
		} else if x.says != bad && x.says != busy {
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

// is reports whether a word is one of these, in capitals or not.
func is(word string, words ...string) bool {
	for _, w := range words {
		if len(w) == len(word) && strings.EqualFold(word, w) {
			return true
		}
	}
	return false
}

func endsAny(text string, ends []string) bool {
	for _, e := range ends {
		if strings.HasSuffix(text, e) {
			return true
		}
	}
	return false
}
