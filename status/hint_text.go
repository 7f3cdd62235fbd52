package status

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/word"
)

// Hint describes what the evaluator knows about a kind in addition to the general vocabulary,
// one fact per line. It is empty if the kind has no hint.
func (e Evaluator) Hint(k Kind) string {
	if e.NoHints {
		return ""
	}
	if h := hintIndexes.find(k); h != nil {
		return h.String()
	}
	return ""
}

// HintedKinds returns the kinds that have a hint under their own names, sorted by name.
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

// String describes the hint, one fact per line.
func (h *hint) String() string { return h.text(func(name string) string { return name }) }

// text describes the hint, one fact per line. code formats the names of fields and conditions,
// and the words of controllers.
func (h *hint) text(code func(string) string) string {
	var b strings.Builder
	line := func(what string, names ...string) {
		if len(names) == 0 {
			return
		}
		list := make([]string, len(names))
		for i, name := range names {
			var all []string
			for _, alternative := range strings.Split(name, "|") {
				all = append(all, code(alternative))
			}
			list[i] = strings.Join(all, " or ")
		}
		b.WriteString(what + ": " + strings.Join(list, ", ") + "\n")
	}
	line("summary conditions, which must all be True", h.Summary...)
	line("optional summary conditions", h.OptionalSummary...)
	line("conditions that are normally True", h.Positive...)
	line("conditions that are True in case of a problem", h.Negative...)
	line("conditions that are True while in progress", h.Progress...)
	line("conditions that are True while suspended", h.Suspension...)
	line("ignored conditions", h.Neutral...)
	line("conditions whose False means in progress, not failed", h.ProgressIfFalse...)
	line("conditions whose False means failed", h.FailedIfFalse...)
	line("reasons for which False is normal", h.NormalReasons...)
	line("reasons of failures that often pass", h.PassingReasons...)
	line("state fields", h.States...)
	for _, p := range polarities {
		line("state words that mean "+polarityText(p), h.Words.of(p)...)
	}
	for _, e := range h.Enums {
		for _, p := range polarities {
			line("values of "+code(e.Path)+" that mean "+polarityText(p), e.of(p)...)
		}
	}
	line("ignored fields", h.Ignore...)
	line("error fields", h.Errors...)
	for _, path := range h.Required {
		line("fields that are set when ready", path)
	}
	line("fields that are set while in progress", h.Working...)
	for _, c := range h.Counts {
		b.WriteString("required count: " + code(c.Have) + " reaches " + code(c.Want) + "\n")
	}
	line("fields of the spec that suspend it", h.Suspend...)
	if h.Paused != "" {
		line("annotation that pauses it", h.Paused)
	}
	if h.Observed != "" {
		line("field of the observed generation", h.Observed)
	}
	if h.ObservesOther {
		b.WriteString("the observed generation is that of another object\n")
	}
	if h.IgnoreObservedZero {
		b.WriteString("an observed generation of 0 is ignored\n")
	}
	if h.Finite != "" {
		b.WriteString("runs to completion: " + string(h.Finite) + "\n")
	}
	if h.StatusOptional {
		b.WriteString("no status is required\n")
	}
	return b.String()
}

// polarities are in the order of the text of a hint.
var polarities = []word.Polarity{word.Ready, word.Progressing, word.Suspended, word.Failing, word.Neutral}

// of returns the words with a meaning, sorted.
func (w wordTable) of(p word.Polarity) (all []string) {
	for _, value := range slices.Sorted(maps.Keys(w)) {
		if w[value] == p {
			all = append(all, strconv.Quote(value))
		}
	}
	return all
}

// of returns the numbers with a meaning, sorted, each with its name.
func (e enum) of(p word.Polarity) (all []string) {
	for _, n := range slices.Sorted(maps.Keys(e.Values)) {
		if e.Values[n].Means == p {
			all = append(all, strconv.FormatInt(n, 10)+" "+e.Values[n].Name)
		}
	}
	return all
}

// polarityText describes a polarity in the text of a hint.
func polarityText(p word.Polarity) string {
	switch p {
	case word.Neutral:
		return "ignored"
	case word.Ready:
		return "ready"
	case word.Suspended:
		return "suspended"
	case word.Progressing:
		return "in progress"
	case word.Failing:
		return "failed"
	}
	return "unknown"
}
