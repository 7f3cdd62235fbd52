package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/problems"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// reported returns the status of an object as a finding, if no cause was found. The
// finding is Unexplained unless something is wrong or the message is that of the
// controller.
func (o *object) reported() []finding {
	f := finding{kind: "Reported", text: cmp.Or(o.Message(), o.Result.Reason), key: o.workload() + " " + o.Message()}
	isQuote := false
	for _, read := range slices.Concat(o.decidingFields(), o.quotedFields()) {
		e := o.evidence(read.Path)
		isQuote = isQuote || isQuotedIn(e.Value, f.text)
		if len(f.evidence) < 4 && !slices.ContainsFunc(f.evidence, func(has Evidence) bool { return has.Path == e.Path }) {
			f.evidence = append(f.evidence, e)
		}
	}
	detail, paths := o.statusProblems()
	if o.Result.Status != status.FailedStatus && !o.isFailing() && o.Result.Reason != status.ReasonSummaryConditionNotTrue && detail == "" {
		f.kind = "Unexplained"
		if o.Object != nil {
			f.next = []string{commandFor(o.ID, "describe", typedSlash(o.ID))}
		}
		if o.Result.Reason == status.ReasonStateNotKnown || o.Result.Reason == status.ReasonNoEvidence {
			f.next = []string{explainRule(o.ID)}
		}
		if !isQuote {
			f.text = "unknown; last message: " + f.text
		}
	}
	if detail != "" {
		if !strings.Contains(detail, f.text) {
			detail = f.text + ": " + detail
		}
		f.text = detail
		for _, path := range paths {
			f.evidence = append(f.evidence, o.evidence(path))
		}
	}
	for _, e := range o.warningEvidence() {
		f.evidence = append(f.evidence, e)
		break
	}
	if len(f.evidence) == 0 {
		f.evidence = o.statusEvidence()
	}
	return []finding{f}
}

// statusProblems returns the problems in the status of a custom resource that its verdict does not
// name, and their fields.
func (o *object) statusProblems() (detail string, paths []string) {
	if o.Object == nil || reference.IsBuiltinGroup(o.ID.Group) || !strings.Contains(o.ID.Group, ".") {
		return "", nil
	}
	return problems.NotIn(o.Message(), problems.Find(o.Under("status").Section))
}

// decidingFields returns the fields that decided the verdict and have a value. These are the
// words or switches of the status if one of them decided against a condition. Otherwise, if the
// fields include conditions, it returns only those, with their messages.
func (o *object) decidingFields() (all []status.Read) {
	if o.Result.Rule == "state word" || o.Result.Rule == "state switch" {
		for _, read := range o.Reads {
			if read.Value != nil && strings.Contains(o.Message(), read.Path) {
				all = append(all, read)
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	seen := map[string]bool{}
	for _, read := range o.Reads {
		condition, field, ok := strings.Cut(read.Path, "].")
		if !ok || !strings.HasPrefix(condition, "status.conditions[") || read.Value == nil {
			continue
		}
		if field != "message" {
			all = append(all, read)
		}
		if message := o.Text(condition + "].message"); message != "" && !seen[condition] && field == "reason" {
			seen[condition] = true
			all = append(all, status.Read{Path: condition + "].message", Value: message})
		}
	}
	if len(all) == 0 {
		all = slices.DeleteFunc(slices.Clone(o.Reads), func(r status.Read) bool { return r.Value == nil })
	}
	return all
}

// quotedFields returns the fields of the status whose text is in the message of the
// verdict.
func (o *object) quotedFields() (all []status.Read) {
	under := o.Under("status")
	for _, field := range slices.Sorted(maps.Keys(under.Map)) {
		if value, ok := under.Map[field].(string); ok && isQuotedIn(value, o.Message()) {
			all = append(all, status.Read{Path: "status." + field, Value: value})
		}
	}
	return all
}

// isQuotedIn reports whether a text contains a quotation of several words.
func isQuotedIn(quotation, text string) bool {
	return strings.Contains(quotation, " ") && strings.Contains(text, quotation)
}
