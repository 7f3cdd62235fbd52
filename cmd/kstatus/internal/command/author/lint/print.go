package lint

import (
	"fmt"

	"kstatus.dev/author/lint"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// lintForm is the output of kstatus lint that is not about findings, such as the status of a new
// object.
var lintForm = findings.Form{
	CommandName: "lint",
	Place:       func(f lint.Finding) string { return "crd/" + f.Name + ": " + f.Path.String() },
	Advice:      findings.AdviceFor,
	Summary:     lintSummary,
	More:        newObjectLines,
}

// lintSummary returns the numbers of findings and of fixable findings.
func lintSummary(r *findings.Run) string {
	summary := r.Counts() + " in " + text.Count(len(r.Bundle.CRDs()), "definition") + r.IgnoredText()
	fixable := map[findings.Fixability]int{}
	for _, f := range r.Findings {
		fixable[findings.FixabilityOf(f)]++
	}
	safe, unsafe := fixable[findings.FixSafely], fixable[findings.FixUnsafely]
	switch {
	case safe > 0 && unsafe > 0:
		summary += fmt.Sprintf("; %d fixable with %s, %d more with %s", safe, findings.FixSafely.Flags(), unsafe, findings.FixUnsafely.Flags())
	case safe > 0:
		summary += fmt.Sprintf("; %d fixable with %s", safe, findings.FixSafely.Flags())
	case unsafe > 0:
		summary += fmt.Sprintf("; %d fixable with %s", unsafe, findings.FixUnsafely.Flags())
	}
	return summary
}

// A newObjectLine holds the status of a new object of a version.
type newObjectLine struct {
	V       int           `json:"v"`
	Type    string        `json:"type"` // "definition"
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Fresh   newObjectRead `json:"fresh"`
	Fixed   newObjectRead `json:"mended"` // after the safe fixes
}

// A newObjectRead holds the status of a new object according to two tools.
type newObjectRead struct {
	Peer status.Status `json:"peer"` // according to cli-utils
	Ours verdictWord   `json:"ours"` // according to kstatus
}

// A verdictWord is a status, and whether it is assumed.
type verdictWord struct {
	status  status.Status
	assumed bool
}

// String returns the status, with " (assumed)" if it is assumed.
func (v verdictWord) String() string {
	if v.assumed {
		return string(v.status) + " (assumed)"
	}
	return string(v.status)
}

// MarshalText returns the text of String.
func (v verdictWord) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// newObjectLines returns the status of a new object of each version with a status, before and
// after the safe fixes. The text has only lines about versions whose new objects cli-utils
// misjudges, or whose status the fixes change.
func newObjectLines(r *findings.Run) (all []findings.ExtraLine) {
	fixes := lint.NewFixer(r.Bundle, false, r.Options)
	for _, c := range r.Bundle.CRDs() {
		_, _ = fixes.Fix(c.Index) // --fix prints which findings cannot be fixed
		fixed := lint.Bundle{Objects: []map[string]any{fixes.Object(c.Index)}}.CRDs()
		if len(fixed) == 0 {
			continue
		}
		before, after := expectationsOf(c), expectationsOf(fixed[0])
		for i, v := range c.Versions {
			if !v.Served || !v.HasStatus() || i >= len(fixed[0].Versions) {
				continue
			}
			line := newObjectLine{output.Version, "definition", c.Name, v.Name, readNewObject(v, before), readNewObject(fixed[0].Versions[i], after)}
			text := ""
			if line.Fresh.Peer != line.Fixed.Peer || line.Fresh.Peer == status.CurrentStatus {
				text = line.String()
			}
			all = append(all, findings.ExtraLine{Text: text, JSON: line})
		}
	}
	return all
}

// String returns the line of the text.
func (l newObjectLine) String() string {
	text := fmt.Sprintf("%s %s: new objects: cli-utils (Helm 4, Flux) says %s, kstatus %s", l.Name, l.Version, l.Fresh.Peer, l.Fresh.Ours)
	switch {
	case l.Fixed == l.Fresh:
	case fmt.Sprint(l.Fixed.Peer) == fmt.Sprint(l.Fixed.Ours):
		text += fmt.Sprintf("; after --fix both say %s", l.Fixed.Ours)
	default:
		text += fmt.Sprintf("; after --fix cli-utils says %s, kstatus %s", l.Fixed.Peer, l.Fixed.Ours)
	}
	return text
}

// readNewObject judges a new object of a version, given the expectations from its definition.
func readNewObject(v lint.Version, expect schema.Expectations) newObjectRead {
	object := status.Map(v.NewObject())
	peer := verdictOf(status.Evaluator{Profile: status.CompatProfile()}, object)
	return newObjectRead{peer.status, verdictOf(status.Evaluator{Expect: expect}, object)}
}

// expectationsOf returns the expectations from a definition. They are empty if the definition is
// broken, which is a finding of its own.
func expectationsOf(c lint.CRD) schema.Expectations {
	expect, err := schema.FromCRDs(c.Raw)
	if err != nil {
		return nil
	}
	return expect
}

func verdictOf(e status.Evaluator, o status.Map) verdictWord {
	res, err := e.Compute(o)
	if err != nil {
		return verdictWord{status: status.UnknownStatus}
	}
	return verdictWord{res.Status, res.Status == status.CurrentStatus && res.Confidence == status.ConfidenceAssumed}
}
