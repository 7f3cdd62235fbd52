package status

import "slices"

// A ValidatingAdmissionPolicy is current once the types of its expressions
// have been checked for its latest generation. What the check found odd is
// told as warnings: the policy is enforced all the same.
func validatingAdmissionPolicy(o *Fields) Result {
	if !o.Has("status.typeChecking") {
		return InProgress("NotObserved", "the types of its expressions have not been checked yet")
	}
	if o.Len("status.typeChecking.expressionWarnings") > 0 {
		var found []string
		for w := range o.Each("status.typeChecking.expressionWarnings") {
			found = append(found, w.Text("fieldRef", "an expression")+": "+w.Text("warning", "no warning is given"))
		}
		slices.Sort(found)
		for _, w := range found {
			o.Warn("%s", w)
		}
	}
	return Current("Reconciled", "the types of its expressions have been checked")
}
