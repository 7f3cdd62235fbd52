package overview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A page is an overview as text.
type page struct {
	namespace string // empty for all namespaces
	all       int    // the number of objects
}

// notCurrent returns the verdicts that are not Current, the worst first.
func notCurrent(all []output.Verdict) []output.Verdict {
	bad := slices.DeleteFunc(slices.Clone(all), func(v output.Verdict) bool { return v.Status == status.CurrentStatus })
	slices.SortStableFunc(bad, func(a, b output.Verdict) int { return cmp.Compare(severityRank(a), severityRank(b)) })
	return bad
}

// withWarnings returns the verdicts on Current objects with a warning.
func withWarnings(all []output.Verdict) (some []output.Verdict) {
	for _, v := range all {
		if v.Status == status.CurrentStatus && len(v.AllWarnings()) > 0 {
			some = append(some, v)
		}
	}
	return some
}

// severityRank returns the rank of a verdict; the worst has zero.
func severityRank(v output.Verdict) int {
	switch {
	case v.Status == status.FailedStatus && v.Failure == status.FailureTerminal:
		return 0
	case v.Status == status.FailedStatus:
		return 1
	case v.IsFailing():
		return 2
	case v.Status == status.TerminatingStatus:
		return 3
	case v.Status == status.UnknownStatus:
		return 4
	}
	return 5
}

// A problem is a cause or a verdict that several objects share.
type problem struct {
	word    string
	objects []status.ID
	text    string
	next    string
}

// lines returns the overview: the objects that are not Current, and the Current objects with a
// warning.
func (p *page) lines(bad []output.Verdict, why *explain.Explanation, warnings []output.Verdict) []layout.Line {
	scope := "All namespaces"
	if p.namespace != "" {
		scope = "Namespace " + p.namespace
	}
	switch {
	case p.all == 0:
		return []layout.Line{{Role: layout.RoleTitle, Text: scope + ": no objects with a status"}}
	case len(bad) == 0 && p.all == 1:
		return p.addWarnings([]layout.Line{{Role: layout.RoleTitle, Text: scope + ": the only object with a status is Current"}}, warnings)
	case len(bad) == 0:
		return p.addWarnings([]layout.Line{{Role: layout.RoleTitle, Text: fmt.Sprintf("%[1]s: %[2]d of %[2]d objects with a status are Current", scope, p.all)}}, warnings)
	}
	verb := "are"
	if len(bad) == 1 {
		verb = "is"
	}
	lines := []layout.Line{{Role: layout.RoleTitle, Text: fmt.Sprintf("%s: %d of %s %s not Current", scope, len(bad), text.Count(p.all, "object"), verb)}, {Role: layout.RoleBlank}}
	problems := problemsOf(bad, why)
	width := 0
	for _, b := range problems {
		width = max(width, len(b.word))
	}
	under := strings.Repeat(" ", width+2)
	for _, b := range problems {
		lines = append(lines, layout.Line{Role: layout.RoleCause, Lead: b.word + under[len(b.word):], Text: p.names(b.objects)})
		lines = append(lines, layout.Line{Role: layout.RoleEvidence, Lead: under, Text: b.text})
		if b.next != "" {
			lines = append(lines, layout.Line{Role: layout.RoleNext, Lead: under, Text: b.next})
		}
	}
	for _, gap := range why.Gaps {
		lines = append(lines, layout.Line{Role: layout.RoleGap, Lead: "Not seen  ", Text: gap.String()})
	}
	switch rest := p.all - len(bad); {
	case rest == 1:
		lines = append(lines, layout.Line{Role: layout.RoleBlank}, layout.Line{Role: layout.RoleTitle, Text: "The other object with a status is Current"})
	case rest > 1:
		lines = append(lines, layout.Line{Role: layout.RoleBlank}, layout.Line{Role: layout.RoleTitle, Text: fmt.Sprintf("The other %d objects with a status are Current", rest)})
	}
	return p.addWarnings(lines, warnings)
}

// addWarnings appends the Current objects with a warning to lines, grouped by warning.
func (p *page) addWarnings(lines []layout.Line, warnings []output.Verdict) []layout.Line {
	var order []string
	by := map[string][]status.ID{}
	for _, v := range warnings {
		warning := strings.Join(v.AllWarnings(), "; ")
		if by[warning] == nil {
			order = append(order, warning)
		}
		by[warning] = append(by[warning], v.ID)
	}
	const word = "Warning  "
	for i, warning := range order {
		if i == 0 {
			lines = append(lines, layout.Line{Role: layout.RoleBlank})
		}
		lines = append(lines, layout.Line{Role: layout.RoleCause, Lead: word, Text: p.names(by[warning])},
			layout.Line{Role: layout.RoleEvidence, Lead: strings.Repeat(" ", len(word)), Text: "current, but " + warning})
	}
	return lines
}

// maxNames is how many objects of a problem are named.
const maxNames = 5

// names returns the names of the objects of a problem, at most maxNames.
func (p *page) names(all []status.ID) string {
	var names []string
	for _, id := range all[:min(len(all), maxNames)] {
		if id.Namespace == p.namespace {
			id.Namespace = ""
		}
		names = append(names, id.String())
	}
	if more := len(all) - len(names); more > 0 {
		names[len(names)-1] += fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// problemsOf groups objects with the same status and the same first cause. It groups objects
// without a cause by verdict. The rank of a problem is that of its first object.
func problemsOf(bad []output.Verdict, why *explain.Explanation) (all []*problem) {
	causes := map[status.ID]*explain.Cause{}
	for _, s := range why.Subjects {
		if len(s.Causes) > 0 {
			causes[s.ID] = &why.Causes[s.Causes[0]]
		}
	}
	type shared struct {
		word    string
		cause   *explain.Cause // equal texts may be different causes, such as the crashes of two workloads
		verdict string         // without a cause
	}
	known := map[shared]*problem{}
	for _, v := range bad {
		word := output.StatusWord(v.Status, v.Failure == status.FailureRecoverable, false)
		b := problem{word: word, text: v.Message}
		if c := causes[v.ID]; c != nil {
			b.text = c.Text
			if c.Count > 1 {
				b.text = text.Count(c.Count, nounOf(c.Objects)) + ": " + c.Text
			}
			if len(c.Next) > 0 {
				b.next = c.Next[0]
			}
		}
		key := shared{word: word, cause: causes[v.ID]}
		if key.cause == nil {
			key.verdict = v.ID.Kind.Kind + " " + v.Reason + " " + b.text
		}
		if known[key] == nil {
			known[key] = &b
			all = append(all, &b)
		}
		known[key].objects = append(known[key].objects, v.ID)
	}
	return all
}

// nounOf returns the noun for several objects.
func nounOf(all []status.ID) string {
	for _, id := range all {
		if id.Kind.Kind != all[0].Kind.Kind {
			return "object"
		}
	}
	return all[0].Kind.Kind
}
