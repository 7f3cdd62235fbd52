package pause

import (
	"time"

	"kstatus.dev/clusterapi/internal/facts"
)

// judgeUnpause returns the verdict on an object below a target that is being unpaused. p is nil
// until a target has been written.
func (t *tracker) judgeUnpause(o *object, p *target, now time.Time) verdict {
	switch {
	case p == nil:
		return busy(ReasonNotUnpausedYet, "its target is still paused")
	case p.stays:
		return acknowledged(ReasonStaysPaused, "it stays paused, because its target was paused before")
	case o.HasAnnotation:
		return acknowledged(ReasonStaysPaused, "it stays paused by its own annotation")
	case o.Paused.Status == "" && !o.kind.HasStatus:
		return acknowledged(ReasonTemplate, "its kind has no status")
	case o.Paused.Status != "" && !o.External:
		return t.judgeResume(o, p)
	case o.statusWritten.isSince(p), o.Writes > 0 && o.Observed >= 0 && o.Observed == o.Generation:
		return acknowledged(ReasonReported, "its status was written again")
	}
	if o.wokenAt.IsZero() {
		return t.unanswered(o, p, busy(ReasonNoSign, "its kind does not report Paused; its status was not written yet"))
	}
	end := o.wokenAt.Add(t.window(o.kind))
	if !now.Before(end) {
		return t.unknown(ReasonNoSign, "cannot tell: its kind does not report Paused, and its status was not written since the pause")
	}
	v := busy(ReasonNoSign, "its status was not written yet, although it was woken by an annotation")
	v.next = end
	return v
}

// judgeResume returns the verdict on an object with the condition Paused.
func (t *tracker) judgeResume(o *object, p *target) verdict {
	c := o.Paused
	v := verdict{}
	switch {
	case c.Status == "False" && (c.Observed < 0 || c.Observed >= o.Generation):
		return acknowledged(ReasonUnpaused, "Paused=False")
	case c.Status == "False":
		v = busy(ReasonOldReport, "Paused=False is for generation %d; the latest is %d", c.Observed, o.Generation)
	default:
		v = busy(ReasonNotReported, "Paused is %s", facts.Name(c.Status))
	}
	return t.unanswered(o, p, v)
}
