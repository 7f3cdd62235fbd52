package observe

import (
	"time"

	"kstatus.dev/status"
)

// A part is one that is in trouble, of what the controller of a target has made.
type part struct {
	result status.Result
	kept   status.Object // if its verdict depends on the time
	again  time.Time     // when to judge kept again
}

// part takes note of how a part of the target fares.
func (r *record) part(w *Watcher, s Sighting, now time.Time) {
	delete(r.parts, s.Target)
	if s.Object == nil {
		return
	}
	result, _ := w.verdict(s)
	if !ailing(result) || result.Status == status.TerminatingStatus {
		return
	}
	p := &part{result: result}
	if result.Recheck > 0 {
		p.kept, p.again = s.Object, now.Add(result.Recheck)
	}
	if r.parts == nil {
		r.parts = map[Target]*part{}
	}
	r.parts[s.Target] = p
}

// lift adds to the verdict on an object that is not there yet what its parts
// say about why. An object that is there stays so, whatever its parts say. As
// long as its controller has not acted on its latest generation, the parts are
// those of another one and say nothing of it.
func (r *record) lift(u *Update, w *Watcher, now time.Time) {
	var worst Target
	for t, p := range r.parts {
		if !p.again.IsZero() && !p.again.After(now) {
			r.part(w, Sighting{Target: t, Object: p.kept}, now)
			p = r.parts[t]
		}
		if p == nil {
			continue
		}
		if !p.again.IsZero() {
			r.wake(p.again)
		}
		if worst == (Target{}) || t.Compare(worst) < 0 {
			worst = t
		}
	}
	if behind := u.Version.Observed != 0 && u.Version.Observed < u.Version.Generation; behind {
		return
	}
	if worst == (Target{}) || u.Result.Status != status.InProgressStatus || u.Result.Failure != status.NoFailure {
		return
	}
	p := r.parts[worst]
	u.Result.Reason, u.Result.Failure, u.Result.Recheck = p.result.Reason, status.Recoverable, 0
	if !p.again.IsZero() {
		u.Result.Recheck = p.again.Sub(now)
	}
	u.Result.Message += "; " + worst.Kind.Kind + " " + worst.Name + ": " + p.result.Message
	if p.result.Status == status.FailedStatus {
		u.Result.Status = p.result.Status
	}
}
