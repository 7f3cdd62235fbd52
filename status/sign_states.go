package status

import (
	"encoding/json"
	"strings"
)

// The fields of a status, and of a map in it, that hold the state in a word.
var stateFields = set(`phase state status health compliant`)

// The endings of the names of fields that hold a word for one side of the
// state, such as deploymentStatus.
var stateEndings = []string{"Phase", "State", "Status", "Health", "Stage", "_status", "_state", "_phase"}

// The beginnings of the names of fields with such an ending that speak of the
// object as a whole, and of those that do not speak of how it is now.
var (
	wholeStarts = []string{"overall", "current", "printable", "summary", "aggregated", "global", "health", "resource", "object", "sync", "reconcile", "update", "cluster"}
	otherStarts = []string{"desired", "target", "previous", "last", "old", "expected", "requested", "initial", "past", "prior", "next", "wanted"}
)

// The boolean fields that are true when all is well. One that is false says that
// the object is on its way.
var readyFields = set(`ready healthy available valid succeeded synced complete completed provisioned initialized initialised reconciled applied installed bound
	readyToUse isReady isHealthy clusterReady controlPlaneReady infrastructureReady online`)

// The fields that hold an error, if they hold anything.
var errorFields = set(`error errors errorMessage errorReason errorDescription errorMsg errMsg failure failureMessage failureReason reconcileError
	statusError syncError validationErrors validationError`)

// The fields that tell of the last error, which may be over.
var pastErrorFields = set(`lastError lastErrorMessage lastErrors lastFailure lastFailureMessage`)

// The maps in a status that sum the object up; what other maps say is about a
// part of it.
var summaryMaps = set(`health operation lastOperation summary overall state status statuses`)

// The maps in a status that hold what was asked for, or what another system
// says in words of its own.
var foreignMaps = set(`atProvider forProvider template config configuration parameters spec manifest labels annotations selector`)

// stateSigns reads the words, switches and errors in status.
func stateSigns(o *Fields, s *signs) {
	h := o.hearing
	for field, v := range h.status {
		if field == "conditions" || strings.HasSuffix(field, "Generation") || h.hint.ignores(field) {
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
			if errorFields[field] && len(v) > 0 {
				first, _ := text(v[0])
				s.add(alarm, &sign{from: fromError, says: bad, at: field, reason: first})
			}
			o.listSigns(s, field, v)
		case int64, float64, int, json.Number:
			o.countSign(s, field, v)
		}
	}
}

// wordSign reads a field that holds a text. weighs is what trouble in it weighs.
func (f *Fields) wordSign(s *signs, in place, field, word string, weighs weight) {
	switch {
	case stateFields[field]:
	case word == "":
		return
	case readyFields[field] && in == (place{}) && (is(word, "true") || is(word, "false")):
		f.switchSign(s, field, is(word, "true"))
		return
	case (errorFields[field] || pastErrorFields[field]) && faultless(word):
		return
	case errorFields[field]:
		s.add(weighs, &sign{from: fromError, says: bad, in: in, at: field, reason: word})
		return
	case pastErrorFields[field]:
		s.add(part, &sign{from: fromError, says: bad, in: in, at: field, reason: word})
		return
	case !endsAny(field, stateEndings) || startsAny(field, otherStarts):
		if have, want, ok := ratio(word); ok && in == (place{}) {
			f.reach(s, in, field, have, want)
		}
		return
	case weighs == alarm && !startsAny(field, wholeStarts):
		weighs = detail
	}
	f.stateSign(s, in, field, word, weighs)
}

// stateSign reads a word that stands for a state.
func (f *Fields) stateSign(s *signs, in place, field, word string, weighs weight) {
	x := sign{from: fromWord, in: in, at: field, reason: word}
	if f.traced() {
		f.saw(in.path(".", field, ""), word)
	}
	if word == "" {
		x.says, x.reason = busy, "empty"
		s.add(max(weighs, detail), &x)
		return
	}
	switch x.says = f.means(word); x.says {
	case noMeaning:
		if weighs == alarm { // what stands for one side of the object may say anything
			x.says, x.optional = busy, true
			s.add(detail, &x)
		}
	case neutral: // a state of warning is none to be content with
		if _, hinted := f.hearing.hint.word(word); hinted {
			return
		}
		x.says = bad
		s.add(weighs, &x)
	case idle:
		s.add(pick(weighs == alarm, summing, weighs), &x)
	case good:
		s.add(pick(weighs == alarm && over(word), summing, max(weighs, detail)), &x)
	default:
		s.add(weighs, &x)
	}
}

// faultless reports whether a field for an error says in a word that there is none.
func faultless(word string) bool {
	return is(word, "none", "no error", "nil", "<nil>", "null", "false", "ok", "n/a")
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
	x := sign{from: fromSwitch, at: field, reason: "false"}
	if on {
		x.reason = "true"
	}
	weighs := alarm
	switch {
	case readyFields[field] && on:
		x.says, weighs = good, detail
	case readyFields[field] && field == "healthy":
		x.says = bad
	case readyFields[field] && plightOf("", x.explained(f)) == failing:
		x.says = bad
	case readyFields[field]:
		x.says = busy
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

// mapSigns reads the words, conditions and errors in a map of the status.
func (f *Fields) mapSigns(s *signs, field string, m map[string]any) {
	if errorFields[field] && len(m) > 0 {
		first, _ := text(m["message"])
		s.add(alarm, &sign{from: fromError, says: bad, at: field, reason: first})
		return
	}
	if foreignMaps[field] || startsAny(field, otherStarts) && field != "lastOperation" || endsAny(field, []string{"Spec", "Ref", "Template", "Selector", "Labels", "Annotations"}) {
		return
	}
	weighs := part
	if summaryMaps[field] || endsAny(field, stateEndings) {
		weighs = detail
	}
	f.partSigns(s, place{part: field}, m, weighs, 2)
}

// partSigns reads one part of the object, and the parts in it as deep as told.
func (f *Fields) partSigns(s *signs, in place, m map[string]any, weighs weight, deep int) {
	for field, v := range m {
		switch v := v.(type) {
		case string:
			if have, want, ok := ratio(v); ok {
				f.reach(s, in, field, have, want)
			} else if field == "health" && deep == 2 {
				f.wordSign(s, in, field, v, detail)
			} else if stateFields[field] {
				f.wordSign(s, in, field, v, weighs)
			}
		case map[string]any:
			if deep > 0 && !foreignMaps[field] {
				f.partSigns(s, place{in.part, field}, v, pick(summaryMaps[in.part], weighs, part), deep-1)
			}
		case []any:
			if field == "conditions" {
				f.nestedConditions(s, in, v, weighs)
			}
		case int64, float64, int, json.Number:
			f.partCount(s, in, field, m, v)
		}
	}
}

// The lists in a status whose items say together whether the object is there:
// by whom it is to be accepted, and through what it is reached.
var decidingLists = set(`parents ancestors controllers bindings listeners ingress`)

// listSigns reads a list in the status whose items are parts of the object.
func (f *Fields) listSigns(s *signs, field string, list []any) {
	weighs := pick(decidingLists[field], detail, part)
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			f.partSigns(s, place{part: field}, m, weighs, 0)
		}
	}
}

// nestedConditions reads the conditions of a part.
func (f *Fields) nestedConditions(s *signs, in place, list []any, weighs weight) {
	for _, item := range list {
		m, _ := item.(map[string]any)
		t, _ := m["type"].(string)
		if t == "" {
			continue
		}
		x := signOf(f.condition("status."+in.part+".conditions", ConditionType(t), m), m)
		x.from, x.in = fromPart, in
		role := f.hearing.hint.role(ConditionType(t))
		if role == noMeaning || role == summed {
			role = phrase(t).role()
		}
		f.weigh(s, &x, role, weighs)
	}
}

// is reports whether a word is one of these, in capitals or not.
func is(word string, words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(word, w) {
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
