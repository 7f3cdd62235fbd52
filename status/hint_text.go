package status

import (
	"fmt"
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
func (h *hint) String() string {
	var b strings.Builder
	line := func(what string, list ...string) {
		if len(list) > 0 {
			b.WriteString(what + ": " + strings.Join(list, ", ") + "\n")
		}
	}
	line("summary conditions, which must all be True", texts(h.Summary)...)
	line("optional summary conditions", texts(h.OptionalSummary)...)
	line("conditions that are normally True", texts(h.Positive)...)
	line("conditions that are True in case of a problem", texts(h.Negative)...)
	line("conditions that are True while in progress", texts(h.Progress)...)
	line("conditions that are True while suspended", texts(h.Suspension)...)
	line("ignored conditions", texts(h.Neutral)...)
	line("conditions whose False means in progress, not failed", texts(h.ProgressIfFalse)...)
	line("conditions whose False means failed", texts(h.FailedIfFalse)...)
	line("reasons for which False is normal", h.NormalReasons...)
	line("state fields", h.States...)
	line("state words", h.Words.lines()...)
	for _, e := range h.Enums {
		line("values of "+e.Path, e.lines()...)
	}
	line("ignored fields", h.Ignore...)
	line("error fields", h.Errors...)
	for _, path := range h.Required {
		line("fields that are set when ready", strings.ReplaceAll(path, "|", " or "))
	}
	line("fields that are set while in progress", h.Working...)
	for _, c := range h.Counts {
		line("required count", c.Have+" reaches "+c.Want)
	}
	line("fields of the spec that suspend it", h.Suspend...)
	if h.Paused != "" {
		line("annotation that pauses it", h.Paused)
	}
	if h.Observed != "" {
		line("field of the observed generation", h.Observed)
	}
	if h.IgnoreObservedZero {
		b.WriteString("an observed generation of 0 is ignored\n")
	}
	if h.Finite != "" {
		line("runs to completion", string(h.Finite))
	}
	if h.StatusOptional {
		b.WriteString("no status is required\n")
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
