package status

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/word"
)

// A signal is one piece of evidence in a status about the state of its object.
type signal struct {
	kind     signalKind
	polarity word.Polarity   // Ready, Suspended, Progressing or Failing
	in       location        // the part of the status that holds the signal
	name     string          // the field, or the type of the condition
	status   ConditionStatus // of a condition
	reason   string          // of a condition; the value of a field
	message  string          // of a condition
	severity string          // of a condition that has one
	have     int64           // of a counter
	want     int64           // of a counter
	since    string          // lastTransitionTime of the condition
	stale    bool            // the condition describes an earlier generation
	latest   bool            // the condition has the latest generation
	guess    bool            // the meaning of the condition or of the word is a guess
}

// A signalKind is the kind of evidence of a signal. Among signals with the same polarity the
// lowest kind is reported.
type signalKind uint8

const (
	signalSummary   signalKind = iota // a summary condition
	signalHint                        // a field that a hint names
	signalCondition                   // another condition
	signalWord                        // a state word
	signalBool                        // a boolean field
	signalError                       // a field that holds an error
	signalCounter                     // a number that must reach another
	signalPart                        // a condition or a word of a component
)

// signalKinds holds the names of the kinds, as [Result.Rule] has them.
var signalKinds = [...]string{
	signalSummary: "summary condition", signalHint: "hint", signalCondition: "other conditions", signalWord: "state word", signalBool: "state switch",
	signalError: "error field", signalCounter: "counters", signalPart: "parts",
}

// String returns the name of the kind.
func (k signalKind) String() string { return signalKinds[k] }

// A precedence decides which other signals a signal outweighs; see decisions.
type precedence uint8

const (
	summary     precedence = iota // a summary of the object
	override                      // a problem or progress, even beside a summary that is True
	detail                        // one aspect of the object: a summary outweighs it
	component                     // one part of the object, whose problem need not be the object's
	precedences = iota            // the number of precedences
)

// signals holds the first signal of each precedence and polarity by the order of
// signal.before, so that the order in the object does not matter.
type signals struct {
	index [precedences][word.Polarities]uint8   // the position in kept plus one; 0: none
	kept  [precedences * word.Polarities]signal // the signals
	count uint8                                 // how many of kept are in use
	ended bool                                  // the object runs to completion and has succeeded

	undegraded bool // condition Degraded is False

	warning    signal     // the first state word that is a warning; without a name there is none
	warningFor precedence // of it, if nothing else shows that the object is ready
	empty      signal     // the first state word that is empty; without a name there is none
	emptyFor   precedence // of it, if nothing else shows the state of the object
}

// add keeps a signal if it is the first of its precedence and polarity.
func (s *signals) add(p precedence, x *signal) {
	first := &s.index[p][x.polarity]
	switch {
	case *first == 0:
		s.kept[s.count] = *x
		s.count++
		*first = s.count
	case x.before(&s.kept[*first-1]):
		s.kept[*first-1] = *x
	}
}

// reset removes all signals.
func (s *signals) reset() {
	if s.count > 0 {
		clear(s.kept[:s.count])
		s.index, s.count, s.ended, s.undegraded = [precedences][word.Polarities]uint8{}, 0, false, false
	}
	s.warning, s.empty = signal{}, signal{}
}

// get returns the signal of a precedence and polarity, nil if there is none.
func (s *signals) get(p precedence, polarity word.Polarity) *signal {
	if at := s.index[p][polarity]; at > 0 {
		return &s.kept[at-1]
	}
	return nil
}

// warn keeps a state word that is a warning.
func (s *signals) warn(p precedence, x *signal) {
	if s.warning.name == "" || x.before(&s.warning) {
		s.warning, s.warningFor = *x, p
	}
}

// settleWarning decides what a warning means. It is no more than a warning beside a report that the
// object is ready. Otherwise it means what its word means.
func (s *signals) settleWarning() {
	x := &s.warning
	if x.name == "" {
		return
	}
	ready := s.get(summary, word.Ready)
	if ready == nil {
		ready = s.get(detail, word.Ready)
	}
	if ready == nil || ready.guess {
		s.add(s.warningFor, x)
		*x = signal{}
	}
}

// noteEmpty keeps a state word that is empty.
func (s *signals) noteEmpty(p precedence, x *signal) {
	if s.empty.name == "" || p < s.emptyFor || p == s.emptyFor && x.before(&s.empty) {
		s.empty, s.emptyFor = *x, p
	}
}

// settleEmpty decides what an empty state word means. Its field is not used if something else shows
// the state of the object. Otherwise the controller has not written it yet.
func (s *signals) settleEmpty() {
	if s.empty.name == "" {
		return
	}
	if x, p := s.decisive(); x == nil || x.polarity == word.Ready && (x.guess || x.kind == signalCondition || x.isNothing() || p == component) {
		s.add(s.emptyFor, &s.empty)
	}
}

// isNothing reports whether a signal counts that no item of none is ready.
func (x *signal) isNothing() bool { return x.kind == signalCounter && x.want == 0 }

// before is a total order of the signals of one precedence and polarity.
func (x *signal) before(y *signal) bool {
	switch {
	case x.kind != y.kind:
		return x.kind < y.kind
	case x.stale != y.stale:
		return y.stale
	case x.guess != y.guess:
		return y.guess
	case x.polarity != word.Ready && (x.message == "") != (y.message == ""):
		return x.message != ""
	case x.status != y.status:
		return x.status < y.status // False, True, Unknown: the most certain first
	case x.notReady() && x.unexplained() != y.unexplained():
		return y.unexplained()
	case x.kind == signalSummary && word.SummaryRank(x.name) != word.SummaryRank(y.name):
		return word.SummaryRank(x.name) < word.SummaryRank(y.name)
	case x.polarity == word.Ready && (x.in == location{}) != (y.in == location{}): // of the object before of a part
		return x.in == location{}
	case x.name != y.name:
		return x.name < y.name
	case x.in.field != y.in.field:
		return x.in.field < y.in.field
	case x.in.key != y.in.key:
		return x.in.key < y.in.key
	case x.reason != y.reason:
		return x.reason < y.reason
	case x.message != y.message:
		return x.message < y.message
	case x.have != y.have:
		return x.have < y.have
	}
	return x.want < y.want
}

// notReady reports whether the signal is Progressing or Failing.
func (x *signal) notReady() bool { return x.polarity == word.Progressing || x.polarity == word.Failing }

// unexplained reports whether the signal is a condition without a reason and a message.
func (x *signal) unexplained() bool { return x.status != "" && x.reason == "" && x.message == "" }

// decisions lists the signals in the order in which they decide.
var decisions = []struct {
	precedence precedence
	polarity   word.Polarity
	unless     word.Polarity // a summary of this polarity outweighs the signal; None: no summary does
}{
	{summary, word.Failing, word.None},
	{override, word.Failing, word.None},
	{detail, word.Failing, word.Ready},
	{summary, word.Suspended, word.None},
	{summary, word.Progressing, word.None},
	{override, word.Progressing, word.None},
	{summary, word.Ready, word.None},
	{detail, word.Progressing, word.None},
	{detail, word.Ready, word.None},
	{component, word.Failing, word.None},
	{component, word.Progressing, word.None},
	{component, word.Ready, word.None},
	{component, word.Suspended, word.None},
}

// decisive returns the signal that decides, nil if there is none, and its precedence.
func (s *signals) decisive() (*signal, precedence) {
	for i := range decisions {
		d := &decisions[i]
		x := s.get(d.precedence, d.polarity)
		switch {
		case x == nil, d.unless != word.None && s.get(summary, d.unless) != nil:
		case s.ended && d.polarity == word.Progressing && d.precedence <= override && x.isBeforeEnd():
		case s.isOutweighed(x):
		default:
			return x, d.precedence
		}
	}
	return nil, 0
}

// isBeforeEnd reports whether the condition is about a step of a run, or about a run that has not
// ended. It is not Ready any more once the run has ended.
func (x *signal) isBeforeEnd() bool {
	return x.kind == signalCondition || x.kind == signalSummary && x.status == conditionFalse
}

// isOutweighed reports whether the controller works on a problem: a progress condition is True. In
// addition, Degraded is False, or the condition of the problem says no more than its type.
func (s *signals) isOutweighed(x *signal) bool {
	progress := s.get(override, word.Progressing)
	if x.polarity != word.Failing || x.kind > signalCondition || progress == nil || progress.kind != signalCondition || progress.status != conditionTrue {
		return false
	}
	if x.status == conditionFalse {
		return s.undegraded
	}
	return x.message == "" && strings.HasSuffix(x.reason, x.name)
}

// text describes the signal in a message.
func (x *signal) text(f *Fields) string {
	switch x.kind {
	case signalSummary, signalCondition:
		return x.condition().Sentence()
	case signalPart:
		return x.in.path(": ", x.condition().Sentence(), "")
	case signalCounter:
		return x.in.path(".", x.name, " is "+strconv.FormatInt(x.have, 10)+" of "+strconv.FormatInt(x.want, 10))
	case signalError:
		if x.reason != "" {
			return oneLine(x.reason)
		}
		if m := x.explanation(f); m != "" {
			return oneLine(m)
		}
		return x.in.path(".", x.name, " reports an error")
	}
	return x.word(f, "")
}

// word describes a state word or a switch, with a remark and its explanation.
func (x *signal) word(f *Fields, remark string) string {
	text := x.in.path(".", x.name, " is "+x.reason) + remark
	if x.notReady() {
		if m := x.explanation(f); m != "" {
			return text + ": " + oneLine(m)
		}
	}
	return text
}

// explanation returns the text beside a state word or a switch that explains its value. It is
// empty if the status has none.
func (x *signal) explanation(f *Fields) string {
	siblings := f.eval.status
	if x.in.field != "" {
		siblings, _ = decoded.AtPath(siblings, x.in.field).(map[string]any)
	}
	if x.in.key != "" {
		siblings = decoded.Map(siblings, x.in.key)
	}
	for _, field := range [...]string{
		x.name + "Reason", x.name + "Message", "message", "messages", "reason", "error", "errors", "errorMessage", "failure", "description", "lastMessage",
	} {
		v := siblings[field]
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		if m, ok := v.(string); ok && m != "" && m != x.reason {
			return m
		}
	}
	if m := firstDetail(siblings["details"]); m != "" {
		return m
	}
	if h := f.eval.hint; h != nil {
		for _, path := range h.Errors {
			if strings.Contains(path, ".*.") {
				continue
			}
			if m, ok := f.get(path).(string); ok && m != "" {
				return m
			}
		}
	}
	return ""
}

// firstDetail returns the message of the first item of a map of details.
func firstDetail(v any) string {
	details, _ := v.(map[string]any)
	if len(details) == 0 {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(details)) {
		if m := decoded.Text(details, name, "message"); m != "" {
			return m
		}
	}
	return ""
}

func (x *signal) condition() Condition {
	return Condition{Type: string(x.name), Status: x.status, Reason: x.reason, Message: x.message}
}

// A location is a part of the status. It is the status itself, a field that holds a map or a list,
// or a key of such a map.
type location struct{ field, key string }

// path returns the path of the location, followed by sep, name and more.
func (p location) path(sep, name, more string) string {
	switch {
	case p.field == "":
		return "status" + sep + name + more
	case p.key == "":
		return "status." + p.field + sep + name + more
	}
	return "status." + p.field + "." + p.key + sep + name + more
}
