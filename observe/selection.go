package observe

import (
	"fmt"

	"kstatus.dev/status"
)

// matched makes the verdict on a selection: whether it has as many objects as
// it must have. Where objects are to go away, none is as good as any.
func (r *record) matched(w *Watcher, u *Update) {
	least := max(1, w.Min)
	if r.terms.absence() || r.has >= least {
		u.Result = status.Result{Status: status.CurrentStatus, Reason: "NoStatusExpected", Confidence: status.Explicit,
			Message: fmt.Sprintf("%d objects match", r.has)}
		return
	}
	u.Result.Message = fmt.Sprintf("%d of %d objects match", r.has, least)
}
