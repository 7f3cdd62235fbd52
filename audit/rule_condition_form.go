package audit

import (
	"regexp"
	"slices"
	"strconv"

	"kstatus.dev/severity"
)

var conditionReason = &Rule{
	ID: "W-09", Name: "condition-reason", Severity: severity.Error,
	Doc: `Every condition has a reason in CamelCase, of at most 1024 characters

The reason is what programs read: why the condition is what it is, also when it
is True or Unknown. An API server with the usual schema refuses a condition
without one, and a later version of the kind may get that schema. Have one
constant per reason; where the reasons are declared, use no others. Kinds of
Kubernetes itself have conditions of an older form, which needs none.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			if !fresh(p, c) {
				continue
			}
			declared := p.Declaration().Condition(c.Type)
			switch {
			case c.Reason == "" && native(p.New.ID):
			case c.Reason == "":
				p.Report(c.Path("reason"), "is empty")
			case len(c.Reason) > 1024:
				p.Report(c.Path("reason"), "has %d characters", len(c.Reason))
			case !reasonForm.MatchString(c.Reason):
				p.Report(c.Path("reason"), "is %q", c.Reason)
			case declared != nil && len(declared.Reasons) > 0 && !slices.Contains(declared.Reasons, c.Reason):
				p.Report(c.Path("reason"), "is %q, which is not declared", c.Reason)
			}
		}
	},
}

// What the schema of metav1.Condition allows.
var reasonForm = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)

var conditionStatus = &Rule{
	ID: "W-10", Name: "condition-status", Severity: severity.Error,
	Doc: `Every condition has a type, and its status is True, False or Unknown

Readers know these three, in this spelling. What is neither is no statement, and
kubectl wait, kstatus and other tools each make something else of it.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			if c.Type == "" {
				if p.Old == nil || !sameAt(p.Old, c) {
					p.Report(".status.conditions["+strconv.Itoa(c.index)+"].type", "is empty")
				}
				continue
			}
			if c.Status != "True" && c.Status != "False" && c.Status != "Unknown" && fresh(p, c) {
				p.Report(c.Path("status"), "is %q", c.Status)
			}
		}
	},
}

// sameAt reports whether the condition stood at its place before.
func sameAt(old *Version, c Condition) bool {
	i, there := slices.BinarySearchFunc(old.Conditions, c.index, func(was Condition, index int) int { return was.index - index })
	return there && equal(old.Conditions[i].raw, c.raw)
}

var duplicateCondition = &Rule{
	ID: "W-11", Name: "duplicate-condition", Severity: severity.Error,
	Doc: `There is one condition of each type

Of two, some readers take the first, some the last, and an apply cannot merge the
list. Set a condition by its type instead of appending to the list, and declare
the list in the schema as a map with type as its key.`,
	OnVersion: func(p *Pass) {
		for _, t := range duplicates(p.New) {
			if p.Old == nil || !slices.Contains(duplicates(p.Old), t) {
				p.Report(conditionPath(t, ""), "is there more than once")
			}
		}
	},
}

// duplicates returns the types that more than one condition has.
func duplicates(v *Version) (types []string) {
	seen := map[string]int{}
	for _, c := range v.Conditions {
		if seen[c.Type]++; c.Type != "" && seen[c.Type] == 2 {
			types = append(types, c.Type)
		}
	}
	return types
}
