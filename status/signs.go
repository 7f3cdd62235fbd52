package status

import (
	"strconv"
	"strings"

	"kstatus.dev/status/internal/word"
)

// A sign is one thing that a status says about its object.
type sign struct {
	from     source
	says     word.Polarity // Ready, Suspended, Progressing or Failing
	in       place         // where it stands,
	at       string        // and its field or condition type
	truth    Truth         // of a condition
	reason   string        // of a condition; the word that a field holds
	message  string
	severity string // of a condition that has one
	have     int64  // of a counter
	want     int64
	since    string
	stale    bool // the condition speaks of an earlier generation
	optional bool // it is a guess at a condition of unknown meaning
}

// A source is what kind of thing a sign is; of two signs that say the same the
// one from the lower source is told.
type source uint8

const (
	fromSummary   source = iota // a condition that sums the object up
	fromHint                    // a field that a hint names
	fromCondition               // another condition
	fromWord                    // a word that stands for the state
	fromSwitch                  // a boolean field
	fromError                   // a field that holds an error
	fromCounter                 // a number that is to be reached
	fromPart                    // a condition or a word of one part of the object
)

// The names of the sources, as [Result.Rule] has them.
var sources = [...]string{
	fromSummary: "summary condition", fromHint: "hint", fromCondition: "other conditions", fromWord: "state word", fromSwitch: "state switch",
	fromError: "error field", fromCounter: "counters", fromPart: "parts",
}

func (s source) String() string { return sources[s] }

// A weight says what a sign outweighs.
type weight uint8

const (
	summing weight = iota // it sums the object up
	alarm                 // it speaks of trouble or of work, even beside a summary that is True
	detail                // it speaks of one side of the object: a summary outweighs it
	part                  // it speaks of one part of the object, whose trouble need not be the object's
	weights
)

// signs holds of all signs of an object the first of each weight and meaning,
// so that their order in the object does not matter.
type signs struct {
	first [weights][word.Polarities]uint8 // the place among the kept ones plus one, 0 for none
	kept  [int(weights) * word.Polarities]sign
	many  uint8
	ended bool // it runs to an end, and its state is that it has come to a good one
}

func (s *signs) add(w weight, x *sign) {
	first := &s.first[w][x.says]
	switch {
	case *first == 0:
		s.kept[s.many] = *x
		s.many++
		*first = s.many
	case x.before(&s.kept[*first-1]):
		s.kept[*first-1] = *x
	}
}

// forget lets go of all signs.
func (s *signs) forget() {
	if s.many > 0 {
		clear(s.kept[:s.many])
		s.first, s.many, s.ended = [weights][word.Polarities]uint8{}, 0, false
	}
}

// has returns the sign of that weight and meaning, nil if there is none.
func (s *signs) has(w weight, m word.Polarity) *sign {
	if at := s.first[w][m]; at > 0 {
		return &s.kept[at-1]
	}
	return nil
}

// before is an order of all signs of one weight and meaning.
func (x *sign) before(y *sign) bool {
	switch {
	case x.from != y.from:
		return x.from < y.from
	case x.stale != y.stale:
		return y.stale
	case x.optional != y.optional:
		return y.optional
	case x.says != word.Ready && (x.message == "") != (y.message == ""):
		return x.message != ""
	case x.truth != y.truth:
		return x.truth < y.truth // False, True, Unknown: the surest first
	case x.notReady() && x.silent() != y.silent():
		return y.silent()
	case x.from == fromSummary && rankOf(x.at) != rankOf(y.at):
		return rankOf(x.at) < rankOf(y.at)
	case x.at != y.at:
		return x.at < y.at
	case x.in.part != y.in.part:
		return x.in.part < y.in.part
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

// notReady reports whether the sign says that the object is in progress, or that
// something is wrong.
func (x *sign) notReady() bool { return x.says == word.Progressing || x.says == word.Failing }

// silent reports whether the sign is a condition that does not say why.
func (x *sign) silent() bool { return x.truth != "" && x.reason == "" && x.message == "" }

// What decides, in this order. What wants a summary other than good decides
// only without one, since a summary that is True outweighs details.
var decisions = []struct {
	weight  weight
	says    word.Polarity
	without word.Polarity // a summing sign with this meaning silences it
}{
	{summing, word.Failing, word.None},
	{alarm, word.Failing, word.None},
	{detail, word.Failing, word.Ready},
	{summing, word.Suspended, word.None},
	{summing, word.Progressing, word.None},
	{alarm, word.Progressing, word.None},
	{summing, word.Ready, word.None},
	{detail, word.Progressing, word.None},
	{detail, word.Ready, word.None},
	{part, word.Failing, word.None},
	{part, word.Progressing, word.None},
	{part, word.Ready, word.None},
	{part, word.Suspended, word.None},
}

// decisive returns the sign that decides, nil if there is none, and its weight.
func (s *signs) decisive() (*sign, weight) {
	for i := range decisions {
		d := &decisions[i]
		x := s.has(d.weight, d.says)
		switch {
		case x == nil, d.without != word.None && s.has(summing, d.without) != nil:
		case s.ended && d.weight == alarm && d.says == word.Progressing && x.from == fromCondition: // a step on the way to the end
		default:
			return x, d.weight
		}
	}
	return nil, 0
}

// text tells the sign to people.
func (x *sign) text(f *Fields) string {
	switch x.from {
	case fromSummary, fromCondition:
		return x.condition().Sentence()
	case fromPart:
		return x.in.path(": ", x.condition().Sentence(), "")
	case fromCounter:
		return x.in.path(".", x.at, " is "+strconv.FormatInt(x.have, 10)+" of "+strconv.FormatInt(x.want, 10))
	case fromError:
		if x.reason != "" {
			return oneLine(x.reason)
		}
		if m := x.explained(f); m != "" {
			return oneLine(m)
		}
		return x.in.path(".", x.at, " tells of an error")
	}
	text := x.in.path(".", x.at, " is "+x.reason)
	if x.notReady() {
		if m := x.explained(f); m != "" {
			return text + ": " + oneLine(m)
		}
	}
	return text
}

// explained returns what stands beside a word or a switch about why it is as it
// is, empty if nothing does.
func (x *sign) explained(f *Fields) string {
	beside := f.hearing.status
	if x.in.part != "" {
		beside, _ = dig(beside, x.in.part).(map[string]any)
	}
	if x.in.key != "" {
		beside, _ = beside[x.in.key].(map[string]any)
	}
	for _, field := range [...]string{
		x.at + "Reason", x.at + "Message", "message", "messages", "reason", "error", "errors", "errorMessage", "failure", "description", "lastMessage",
	} {
		v := beside[field]
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		if m, ok := v.(string); ok && m != "" && m != x.reason {
			return m
		}
	}
	if h := f.hearing.hint; h != nil {
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

func (x *sign) condition() Condition {
	return Condition{Type: ConditionType(x.at), Status: x.truth, Reason: x.reason, Message: x.message}
}

// A place is a part of the status: none, a field that holds a map or a list, or
// a key of such a map.
type place struct{ part, key string }

// path appends the name of something to the path of the place, and more to that.
func (p place) path(sep, name, more string) string {
	switch {
	case p.part == "":
		return "status" + sep + name + more
	case p.key == "":
		return "status." + p.part + sep + name + more
	}
	return "status." + p.part + "." + p.key + sep + name + more
}
