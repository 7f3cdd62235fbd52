package status

import (
	"slices"
	"strings"
)

// A ResourceQuota is Current when status.hard has the limits of spec.hard,
// which are then enforced. Amounts are compared by value, so "1" equals
// "1000m". Usage at a limit is a caveat. Usage above a limit, for example after a
// limit was lowered, becomes a warning; it ends only when objects are deleted.
func resourceQuota(o *Fields) Result {
	want, have := o.Map("spec.hard"), o.Map("status.hard")
	if have == nil && len(want) > 0 {
		return InProgress("NotObserved", "its controller has not reported anything yet")
	}
	var worst Result
	o.eachField(want, func(name string, _ any) {
		limit, enforced, order := o.amounts("spec.hard", "status.hard", name)
		switch {
		case limit == "":
		case enforced == "":
			worst = worse(worst, InProgress("StatusPredatesSpec", "%s is not limited to %s yet", name, limit))
		case order != 0:
			worst = worse(worst, InProgress("StatusPredatesSpec", "%s is limited to %s, not to %s yet", name, enforced, limit))
		}
	})
	for name := range have {
		if want[name] == nil {
			worst = worse(worst, InProgress("StatusPredatesSpec", "%s is still limited, although spec.hard no longer has it", name))
		}
	}
	if worst.Status != "" {
		return worst
	}
	var over, full []string
	o.eachField(want, func(name string, _ any) {
		switch used, limit, order := o.amounts("status.used", "spec.hard", name); {
		case order > 0:
			over = append(over, used+" of "+limit+" "+name+" used")
		case limit != "" && used != "" && used != "0" && order == 0:
			full = append(full, "all "+limit+" "+name+" are used")
		}
	})
	slices.Sort(over)
	for _, text := range over {
		o.Warn("%s", text)
	}
	slices.Sort(full)
	return Current("Reconciled", "%d/%d limits enforced", len(want), len(want)).WithCaveat(strings.Join(full, "; "))
}
