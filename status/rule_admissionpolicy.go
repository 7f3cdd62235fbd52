package status

import (
	"slices"
	"strings"
)

// A ValidatingAdmissionPolicy is current once the types of its expressions
// have been checked for its latest generation. What the check found odd is
// told as warnings: the policy is enforced all the same.
func validatingAdmissionPolicy(o *Fields) Result {
	if !o.Has("status.typeChecking") {
		return InProgress("NotObserved", "the types of its expressions have not been checked yet")
	}
	if o.Len("status.typeChecking.expressionWarnings") > 0 {
		warnOfExpressions(o)
	}
	return Current("Reconciled", "the types of its expressions have been checked")
}

// warnOfExpressions tells what the check of the types found, without the
// picture of the expression that the API server draws below each finding.
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
