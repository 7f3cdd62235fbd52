package audit

import (
	"regexp"
	"slices"
	"strconv"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
)

var conditionReason = &Rule{
	ID: "W-09", Name: "condition-reason", Severity: severity.Error,
	Doc: `Every condition has a reason in CamelCase, of at most 1024 characters

Programs read the reason to learn why the condition has its status, also if that is
True or Unknown. The usual schema requires a reason, and a later version of the kind
may adopt it. Define one constant per reason. If the reasons are declared, use no
others. Conditions of Kubernetes' own kinds have an older form, which needs no
reason.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			if !isNewOrChanged(p, c) {
				continue
			}
			declared := p.Declaration().Condition(c.Type)
			switch {
			case c.Reason == "" && isBuiltinKind(p.New.ID):
			case c.Reason == "":
				p.Report(c.Path("reason"), "is empty")
			case len(c.Reason) > 1024:
				p.Report(c.Path("reason"), "has %d characters", len(c.Reason))
			case !reasonForm.MatchString(c.Reason):
				p.Report(c.Path("reason"), "is %q", c.Reason)
			case declared != nil && len(declared.Reasons) > 0 && !slices.Contains(declared.Reasons, c.Reason):
				p.Report(c.Path("reason"), "is %q, which is not a declared reason", c.Reason)
			}
		}
	},
}

// reasonForm is the pattern for reasons in the schema of metav1.Condition.
var reasonForm = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)

var conditionStatus = &Rule{
	ID: "W-10", Name: "condition-status", Severity: severity.Error,
	Doc: `Every condition has a type, and its status is True, False or Unknown

Readers know only these three values, in this spelling. kubectl wait, kstatus and
other tools interpret any other value differently.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			if c.Type == "" {
				if p.Old == nil || !sameAt(p.Old, c) {
					p.Report(".status.conditions["+strconv.Itoa(c.index)+"].type", "is empty")
				}
				continue
			}
			if _, standard := condition.Truth(c.raw["status"]); standard || !isNewOrChanged(p, c) {
				continue
			}
			if truth, is := c.raw["status"].(bool); is {
				p.Report(c.Path("status"), "is the boolean %t, not a string", truth)
				continue
			}
			p.Report(c.Path("status"), "is %q", decoded.Text(c.raw, "status"))
		}
	},
}

// sameAt reports whether the previous version had the same condition at the
// same index.
func sameAt(old *Version, c Condition) bool {
	i, ok := slices.BinarySearchFunc(old.Conditions, c.index, func(was Condition, index int) int { return was.index - index })
	return ok && equal(old.Conditions[i].raw, c.raw)
}

var duplicateCondition = &Rule{
	ID: "W-11", Name: "duplicate-condition", Severity: severity.Error,
	Doc: `Each condition type is in the list once

Of two conditions with one type, some readers use the first and some the last, and an
apply cannot merge the list. Set a condition by its type instead of appending it. In
the schema, declare the list as a map with type as its key.`,
	OnVersion: func(p *Pass) {
		for _, t := range duplicates(p.New) {
			if p.Old == nil || !slices.Contains(duplicates(p.Old), t) {
				p.Report(conditionPath(t, ""), "is in the list more than once")
			}
		}
	},
}

// duplicates returns the types that occur more than once.
func duplicates(v *Version) (types []string) {
	seen := map[string]int{}
	for _, c := range v.Conditions {
		if seen[c.Type]++; c.Type != "" && seen[c.Type] == 2 {
			types = append(types, c.Type)
		}
	}
	return types
}
