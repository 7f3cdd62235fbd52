package status

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/word"
)

// Hint returns what the evaluator knows of a kind besides the words that its objects
// report, with a line for each thing. It is empty if that is nothing.
func (e Evaluator) Hint(k Kind) string {
	if e.NoHints {
		return ""
	}
	if h := hintIndexes.find(k); h != nil {
		return h.String()
	}
	return ""
}

// HintedKinds returns the kinds for which the evaluator has a hint under their own names,
// in the order of their names.
func (e Evaluator) HintedKinds() (all []Kind) {
	if e.NoHints {
		return nil
	}
	for _, hints := range hintFiles {
		for k := range hints {
			if k.Kind != "" && !strings.Contains(k.Group+k.Kind, "*") {
				all = append(all, k)
			}
		}
	}
	slices.SortFunc(all, func(a, b Kind) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// String tells the hint, a line for each thing that it says.
func (h *hint) String() string {
	var b strings.Builder
	say := func(what string, list ...string) {
		if len(list) > 0 {
			b.WriteString(what + ": " + strings.Join(list, ", ") + "\n")
		}
	}
	say("conditions that sum it up, all of which must be True", texts(h.Summary)...)
	say("conditions that sum it up where they are there", texts(h.Also)...)
	say("conditions that are True when all is well", texts(h.Positive)...)
	say("conditions that are True when something is wrong", texts(h.Negative)...)
	say("conditions that are True while something goes on", texts(h.Progress)...)
	say("conditions that are True while it is stopped, and means to be", texts(h.Suspension)...)
	say("conditions that do not say whether it is there", texts(h.Neutral)...)
	say("conditions whose False means in progress, not failed", texts(h.Patient)...)
	say("conditions whose False means failed", texts(h.Strict)...)
	say("reasons with which a condition that is False is as it should be", h.Fine...)
	say("fields that hold a word for its state", h.States...)
	say("words for its state", h.Words.lines()...)
	for _, e := range h.Enums {
		say(e.Path+" is a number", e.lines()...)
	}
	say("fields that do not say whether it is there", h.Ignore...)
	say("fields that hold an error, if they hold anything", h.Errors...)
	for _, path := range h.Required {
		say("fields that are filled in once it is there", strings.ReplaceAll(path, "|", " or "))
	}
	say("fields that are filled in while something goes on", h.Working...)
	for _, c := range h.Counts {
		say("a number to be reached", c.Have+" of "+c.Want)
	}
	say("fields of the spec that stop it", h.Suspend...)
	if h.Paused != "" {
		say("the annotation that pauses it", h.Paused)
	}
	if h.Observed != "" {
		say("the generation that its controller has observed", h.Observed)
	}
	if h.Zero {
		b.WriteString("its controller may leave the observed generation at 0\n")
	}
	if h.Finite != "" {
		say("it runs to an end of its own", string(h.Finite))
	}
	if h.Silent {
		b.WriteString("its controller need not report anything\n")
	}
	return b.String()
}

func texts(types []string) (all []string) {
	for _, t := range types {
		all = append(all, strings.ReplaceAll(string(t), "|", " or "))
	}
	return all
}

func (w wordTable) lines() (all []string) {
	for _, value := range slices.Sorted(maps.Keys(w)) {
		all = append(all, fmt.Sprintf("%q is %s", value, polarityText(w[value])))
	}
	return all
}

func (e enum) lines() (all []string) {
	for _, n := range slices.Sorted(maps.Keys(e.Values)) {
		all = append(all, strconv.FormatInt(n, 10)+" is "+e.Values[n].Name+", "+polarityText(e.Values[n].Means))
	}
	return all
}

// polarityText describes a polarity in the text of a hint.
func polarityText(p word.Polarity) string {
	switch p {
	case word.Neutral:
		return "no matter"
	case word.Ready:
		return "well"
	case word.Suspended:
		return "stopped as meant"
	case word.Progressing:
		return "on its way"
	case word.Failing:
		return "wrong"
	}
	return "unknown"
}
