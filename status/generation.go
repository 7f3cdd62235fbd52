package status

import (
	"math"
	"slices"

	"kstatus.dev/internal/condition"
	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
	"kstatus.dev/status/schema"
)

// generation: the verdict must rest on a status that the controller wrote for the current
// generation. A missing generation proves nothing, unless the API of the kind or its schema says
// that the controller writes one.
func generation(o *Fields, r *Result) {
	ev := o.eval
	if ev.entry.Generation == schema.GenerationByRule {
		return
	}
	if ev.hint.observesOther() {
		*r = o.statusNeverWritten()
		return
	}
	path := o.generationPath()
	raw := o.get(path)
	o.recordRead(path, raw)
	if raw == nil {
		*r = o.withoutObservedGeneration()
		return
	}
	seen, ok := value.Generation(raw)
	if hash, is := raw.(string); is && !ok && (ev.entry.Rule == nil || ev.entry.Generation == schema.GenerationAsDeclared) {
		o.Warn("%s is %q, which is not a generation", path, hash)
		*r, _ = o.conditionsBehind()
		return
	}
	if !ok {
		o.malformed(path, "a whole number", raw)
		return
	}
	want := ev.generation
	if want == 0 { // missing, or malformed
		if v := o.get("metadata.generation"); v == nil {
			return
		} else if _, ok := value.Generation(v); !ok {
			o.malformed("metadata.generation", "a whole number", v)
			return
		}
	}
	if o.isTraced() {
		o.recordRead("metadata.generation", want)
	}
	switch {
	case seen == want, seen == 0 && ev.hint != nil && ev.hint.IgnoreObservedZero:
	case seen < want && ev.entry.Rule == nil && o.reportOnLatest(r):
	case seen <= 0:
		*r = InProgress("NotObserved", "its controller has not observed generation %d yet", want)
	case ev.expectation.Subresource == schema.TristateNo && seen < want:
		*r = o.generationCountsStatus(seen)
	case seen < want:
		*r = InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, seen)
	case ev.entry.Generation != schema.GenerationAllowAhead:
		*r = InProgress("ObservedGenerationAhead", "generation is %d, but its status is for %d: it was restored, moved or copied", want, seen)
	}
}

// reportOnLatest sets the verdict to the progress or the problem of the latest generation, while the
// observed one is earlier. Some controllers write the observed generation at the end, or only with
// success. Meanwhile they report on the latest generation in conditions that have it. That the object
// is ready counts only once the latest generation is the observed one.
func (f *Fields) reportOnLatest(r *Result) bool {
	isLatest := func(item any) bool { return value.ObservedGeneration(item) == f.eval.generation }
	switch all := f.eval.status["conditions"].(type) {
	case nil:
		return false
	case []any:
		if !slices.ContainsFunc(all, isLatest) {
			return false
		}
	}
	if standardConditions(f, r); r.Status != "" && (f.isLatest(ConditionReconciling) || f.isLatest(ConditionStalled)) {
		r.Rule = "standard conditions"
		return true
	}
	*r = Result{}
	conditionSignals(f, &f.eval.signals)
	if x, w := f.eval.signals.decisive(); x != nil && x.latest && x.notReady() {
		*r = f.verdict(x, w)
	}
	return r.Status != ""
}

// isLatest reports whether a condition is for the latest generation.
func (f *Fields) isLatest(t string) bool {
	for c := range condition.All(f.eval.status["conditions"]) {
		if c.Type == t && c.Observed == f.eval.generation {
			return true
		}
	}
	return false
}

// generationNames are the fields that hold the observed generation in kinds that do not name it
// observedGeneration.
var generationNames = [...]string{
	"lastObservedGeneration", "lastEvaluatedGeneration", "lastReconciledGeneration", "lastProcessedGeneration", "lastHandledGeneration",
	"reconciledGeneration", "processedGeneration", "evaluatedGeneration",
}

// generationPath returns the path of the observed generation in the status.
func (f *Fields) generationPath() string {
	const usual = "status.observedGeneration"
	ev := f.eval
	switch {
	case ev.entry.Rule != nil || ev.status["observedGeneration"] != nil:
		return usual
	case ev.hint != nil && ev.hint.Observed != "":
		return ev.hint.Observed
	}
	for _, name := range generationNames {
		if ev.status[name] != nil {
			return "status." + name
		}
	}
	return usual
}

// withoutObservedGeneration judges an object without an observed generation.
func (f *Fields) withoutObservedGeneration() (r Result) {
	ev := f.eval
	switch {
	case ev.entry.Generation == schema.GenerationRequired && (ev.generation > 0 || f.statusIsEmpty()):
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case ev.entry.Rule != nil && ev.entry.Generation != schema.GenerationAsDeclared:
	case ev.generation > 0:
		if r, reported := f.conditionsBehind(); r.Status != "" {
			return r
		} else if reported {
			return f.statusNeverWritten()
		}
		if by := generationDeclarer(&ev.expectation); by != "" {
			r = InProgress("NotObserved", "its controller has not reported an observed generation, which %s", by)
			r.Confidence = ConfidenceMedium
			return r
		}
		if r = f.statusNeverWritten(); r.Status == "" {
			r = f.statusPredatesSpec()
		}
	default:
		r = f.statusNeverWritten()
	}
	return r
}

// statusIsEmpty reports whether the status holds at most what Augment wrote. That the object is not
// ready is a report, also without a condition.
func (f *Fields) statusIsEmpty() bool {
	status := f.Map("status")
	f.RecordRead("status", status)
	for name, v := range status {
		list, ok := v.([]any)
		if (name != "conditions" || !ok) && !isZero(v) || v == false && field.RoleOf(name).Is(field.ReadyBool) {
			return false
		}
		for _, item := range list {
			m, _ := item.(map[string]any)
			if t, _ := m["type"].(string); !writtenByAugment(m, t) {
				return false
			}
		}
	}
	return true
}

// isZero reports whether a value is zero, false or empty, as before the first report of a
// controller.
func isZero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	n, ok := value.Int(v)
	return ok && n == 0
}

// conditionsBehind judges an object by the observed generations of its conditions, and reports
// whether they have any. The latest one is the generation that its controller has observed.
func (f *Fields) conditionsBehind() (r Result, reported bool) {
	latest, oldest := f.ownGenerations()
	if latest > 0 && latest < f.eval.generation && !f.isOwnWrite(latest) {
		r = InProgress("StaleCondition", "condition %s is for an earlier generation than %d", oldest, f.eval.generation)
	}
	return r, latest > 0
}

// ownGenerations returns the latest observed generation of the conditions, zero if none has one,
// and the condition with the oldest.
func (f *Fields) ownGenerations() (latest int64, oldest string) {
	least := int64(math.MaxInt64)
	for c := range condition.All(f.eval.status["conditions"]) {
		if c.Observed == 0 {
			continue
		}
		latest = max(latest, c.Observed)
		if c.Observed < least || c.Observed == least && isConditionBefore(c.Type, oldest) {
			least, oldest = c.Observed, c.Type
		}
	}
	return latest, oldest
}

// isConditionBefore orders the conditions that messages name.
func isConditionBefore(a, b string) bool {
	x, y := word.SummaryRank(a), word.SummaryRank(b)
	return x < y || x == y && a < b
}
