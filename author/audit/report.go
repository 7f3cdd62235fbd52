package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/author/severity"
	safetext "kstatus.dev/internal/text"
	"kstatus.dev/redact"
)

// A Finding is a violation of one rule at one field of one object. It counts
// its occurrences.
type Finding struct {
	Rule       string         `json:"rule"` // the ID of the rule
	Name       string         `json:"name"`
	Severity   severity.Level `json:"severity"`
	Object     ID             `json:"object"`
	Path       string         `json:"path,omitempty"`
	Evidence   string         `json:"evidence"`         // of the first occurrence
	Writer     string         `json:"writer,omitempty"` // of the first occurrence
	From       string         `json:"from,omitempty"`   // the resourceVersion before the first occurrence
	To         string         `json:"to,omitempty"`     // the resourceVersion of the first occurrence
	First      time.Time      `json:"first"`
	Last       time.Time      `json:"last"`
	Count      int            `json:"count"`
	Suppressed string         `json:"suppressed,omitempty"` // the reason of the suppression; empty: not suppressed
}

func (f Finding) compare(other Finding) int {
	return cmp.Or(f.Object.Compare(other.Object), cmp.Compare(f.Rule, other.Rule), cmp.Compare(f.Path, other.Path), cmp.Compare(other.Severity, f.Severity))
}

// A Report is the result of an audit. Equal writes give equal JSON.
type Report struct {
	From       time.Time     `json:"from"`
	To         time.Time     `json:"to"`
	Findings   []Finding     `json:"findings"`   // by object, rule and path
	Suppressed []Finding     `json:"suppressed"` // in the same order, each with its reason
	Unused     []Suppression `json:"unused"`     // suppressions that match no finding
	Coverage   Coverage      `json:"coverage"`
}

// Coverage describes what the audit saw, and what it could not see.
type Coverage struct {
	Objects    int      `json:"objects"`
	Versions   int      `json:"versions"`
	Requests   int      `json:"requests"`
	Gaps       int      `json:"gaps"`       // times after which versions may be missing.
	Merged     int      `json:"merged"`     // versions that were delivered more than once.
	Late       int      `json:"late"`       // versions that arrived after newer ones, and were ignored.
	Unreadable int      `json:"unreadable"` // objects without a kind or a name, which were ignored.
	Omitted    int      `json:"untold"`     // violations beyond the first 10,000 places.
	NotChecked []string `json:"blind"`      // the IDs of rules that lacked the requests or declarations that they need.
	Inferred   []string `json:"guessing"`   // the IDs of rules that learned from the writes, for want of declarations.
}

// Failed reports whether a finding with the severity Error is not suppressed.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == severity.Error })
}

// Report returns the findings of all writes so far, and the coverage.
func (a *Auditor) Report() *Report {
	r := &Report{From: a.writes.from.UTC(), To: a.writes.to.UTC(), Findings: []Finding{}, Suppressed: []Finding{}, Unused: []Suppression{}}
	used := make([]bool, len(a.options.Suppress))
	for _, f := range a.Findings() {
		i := slices.IndexFunc(a.options.Suppress, func(s Suppression) bool { return s.covers(f) })
		if i < 0 {
			r.Findings = append(r.Findings, f)
			continue
		}
		used[i] = true
		f.Suppressed = a.options.Suppress[i].Reason
		r.Suppressed = append(r.Suppressed, f)
	}
	for i, s := range a.options.Suppress {
		if !used[i] {
			r.Unused = append(r.Unused, s)
		}
	}
	r.Coverage = a.coverage
	r.Coverage.NotChecked, r.Coverage.Inferred = []string{}, []string{}
	for _, rule := range a.rules {
		if rule.NeedsRequests && a.coverage.Requests == 0 || rule.NeedsDeclaration && len(a.options.Declarations) == 0 {
			r.Coverage.NotChecked = append(r.Coverage.NotChecked, rule.ID)
		}
		if rule.Learns && len(a.options.Declarations) == 0 {
			r.Coverage.Inferred = append(r.Coverage.Inferred, rule.ID)
		}
	}
	return r
}

// Findings returns the findings of all writes so far, including suppressed
// ones, in the order of objects, rules and paths.
func (a *Auditor) Findings() []Finding {
	a.flush()
	a.advance(a.writes.to)
	all := make([]Finding, 0, len(a.found))
	for _, f := range a.found {
		all = append(all, *f)
	}
	slices.SortFunc(all, Finding.compare)
	return all
}

type key struct {
	rule     string
	id       ID
	path     string
	severity severity.Level
}

func (a *Auditor) report(p *Pass, level severity.Level, path, evidence string) {
	k := key{p.rule.ID, p.New.ID, readable(path), level}
	f := a.found[k]
	if f == nil && len(a.found) == maxFindings {
		a.coverage.Omitted++
		return
	}
	if f == nil {
		f = &Finding{Rule: p.rule.ID, Name: p.rule.Name, Severity: level, Object: p.New.ID, Path: k.path,
			Evidence: safetext.Safe(redact.Cut(evidence, maxEvidenceLength)), Writer: readable(p.New.Manager), To: p.New.ResourceVersion, First: p.Now.UTC()}
		if p.Old != nil {
			f.From = p.Old.ResourceVersion
		}
		if p.Unchanged && p.Request != nil {
			agent, _, _ := strings.Cut(p.Request.Agent, "/")
			f.Writer = readable(cmp.Or(agent, p.Request.User))
		}
		a.found[k] = f
	}
	f.Last, f.Count = p.Now.UTC(), f.Count+1
	if f.Count == 1 && a.options.OnFinding != nil && !slices.ContainsFunc(a.options.Suppress, func(s Suppression) bool { return s.covers(*f) }) {
		a.options.OnFinding(*f)
	}
}

// maxFindings bounds the number of places whose findings are kept.
const maxFindings = 10000

// maxEvidenceLength bounds the evidence of a finding, in bytes.
const maxEvidenceLength = 499 + len(safetext.Ellipsis)

// readable removes characters that could mislead a terminal or a reader, and
// cuts long text.
func readable(s string) string { return safetext.Safe(safetext.Cut(s, maxEvidenceLength)) }
