package status

import (
	"slices"
	"strings"
)

// A ValidatingAdmissionPolicy is Current when the API server has type-checked
// its expressions for the latest generation. Findings of that check become
// warnings, since the policy is enforced anyway.
func validatingAdmissionPolicy(o *Fields) Result {
	if !o.Has("status.typeChecking") {
		return InProgress("NotObserved", "the types of its expressions have not been checked yet")
	}
	if o.Len("status.typeChecking.expressionWarnings") > 0 {
		warnOfExpressions(o)
	}
	return Current("Reconciled", "the types of its expressions have been checked")
}

// warnOfExpressions adds the findings of the type check as warnings. It removes
// the drawing of the expression that the API server puts below each finding.
func warnOfExpressions(o *Fields) {
	var found []string
	for w := range o.Each("status.typeChecking.expressionWarnings") {
		for line := range strings.Lines(w.Text("warning", "no warning is given")) {
			if !strings.HasPrefix(line, " | ") {
				found = append(found, w.Text("fieldRef", "an expression")+": "+strings.TrimSpace(line))
			}
		}
	}
	slices.Sort(found)
	for _, w := range found {
		o.Warn("%s", w)
	}
}
