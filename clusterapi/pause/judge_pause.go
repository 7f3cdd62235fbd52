package pause

import (
	"time"

	"kstatus.dev/clusterapi/internal/facts"
)

// judgePause returns the verdict on an object below a target that is being paused. p is nil until
// a target has been written.
func (t *tracker) judgePause(o *object, p *target, now time.Time) verdict {
	reports := (o.kind.reports || o.kind.blocksMove) && !o.External
	switch {
	case p == nil:
		return busy(ReasonNotPausedYet, "its target is not paused yet")
	case o.BlocksMove:
		o.answered = false
		return busy(ReasonBlockMove, "it has the annotation block-move, so its controller has not reacted yet")
	case reports:
		return t.judgeReport(o, p, now)
	case o.released.isSince(p):
		return t.afterSign(o, p, now, acknowledged(ReasonReleased, "its controller has removed the annotation block-move"))
	case !o.kind.HasStatus:
		return t.afterSign(o, p, now, acknowledged(ReasonTemplate, "its kind has no status, and it is not written"))
	}
	quiet, at := t.isQuiet(o, p, now)
	v := verdict{}
	switch {
	case quiet:
		return t.unknown(ReasonNoReport, "cannot tell: its kind does not report Paused; no write for %s", t.windowText(o.kind))
	case o.scope != nil && !o.scope.connected:
		v = busy(ReasonUnreadable, "cannot tell: its kind does not report Paused, and cannot be watched at the moment")
	case o.Writes > 0:
		v = busy(ReasonWritten, "%s still writes it, and its kind does not report Paused; %s without a write are needed", o.Manager, t.windowText(o.kind))
	default:
		v = busy(ReasonNoReport, "its kind does not report Paused; %s without a write are needed", t.windowText(o.kind))
	}
	v.next = at
	return v
}

// judgeReport returns the verdict on an object of a kind with the condition Paused.
func (t *tracker) judgeReport(o *object, p *target, now time.Time) verdict {
	c := o.Paused
	if c.Status != "True" {
		o.answered = false
	}
	switch {
	case c.Status == "" && !o.kind.reports:
		return t.unanswered(o, p, busy(ReasonNotReported, "it does not report Paused; its definition has the annotation block-move, so that is needed"))
	case c.Status == "":
		return t.unanswered(o, p, busy(ReasonNotReported, "it does not report Paused, but its kind does"))
	case c.Status != "True":
		return t.unanswered(o, p, busy(ReasonNotReported, "Paused is %s", facts.Name(c.Status)))
	case c.Observed >= 0 && c.Observed < o.Generation:
		return t.unanswered(o, p, busy(ReasonOldReport, "Paused=True is for generation %d; the latest is %d", c.Observed, o.Generation))
	case p.before && !o.becamePaused.isSince(p):
		return t.afterSign(o, p, now, acknowledged(ReasonPausedBefore, "Paused=True, from an earlier pause"))
	case o.becamePaused.isSince(p), o.ID == p.ID && c.Observed == o.Generation && p.isAfter(&o.Facts), !p.server.IsZero() && !c.Changed.Before(p.server):
		return t.afterSign(o, p, now, acknowledged(ReasonPaused, "Paused=True"))
	}
	quiet, at := t.isQuiet(o, p, now)
	if quiet {
		return acknowledged(ReasonQuiet, "Paused=True from before the pause, and no write for %s", t.windowText(o.kind))
	}
	v := busy(ReasonOldReport, "Paused=True is from before the pause; %s without a write are needed", t.windowText(o.kind))
	v.next = at
	return v
}

// afterSign returns the verdict on an object that has given a sign, unless others have written it
// since then.
func (t *tracker) afterSign(o *object, p *target, now time.Time, sign verdict) verdict {
	if !o.answered {
		o.answered, o.after = true, 0
		if sign.reason == ReasonTemplate || sign.reason == ReasonPausedBefore {
			o.after = o.Writes // the sign is as old as the pause
		}
	}
	if o.after == 0 {
		return sign
	}
	quiet, at := t.isQuiet(o, p, now)
	if quiet {
		return sign
	}
	v := busy(ReasonWritten, "%s still writes it, although it is paused; %s without a write are needed", o.Manager, t.windowText(o.kind))
	if sign.reason == ReasonPaused || sign.reason == ReasonPausedBefore {
		v.message = o.Manager + " still writes it, although it reports Paused=True; " + t.windowText(o.kind) + " without a write are needed"
	}
	v.next = at
	return v
}
