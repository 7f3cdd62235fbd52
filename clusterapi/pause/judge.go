package pause

import (
	"cmp"
	"fmt"
	"time"

	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/sleep"
)

// A verdict is the state of an object at a time. next is when it may change by itself.
type verdict struct {
	state   State
	reason  Reason
	message string
	done    bool
	next    time.Time
}

func acknowledged(reason Reason, format string, args ...any) verdict {
	return verdict{state: Acknowledged, reason: reason, message: fmt.Sprintf(format, args...), done: true}
}

func busy(reason Reason, format string, args ...any) verdict {
	return verdict{state: Busy, reason: reason, message: fmt.Sprintf(format, args...)}
}

func (t *tracker) unknown(reason Reason, format string, args ...any) verdict {
	return verdict{state: Unknown, reason: reason, message: fmt.Sprintf(format, args...), done: !t.options.Strict}
}

// judge returns the verdict on an object.
func (t *tracker) judge(o *object, now time.Time) verdict {
	if p := t.byID[o.ID]; p != nil && p.failed {
		return busy(p.result.Reason, "%s", p.result.Message)
	}
	if o.Name == "" {
		if o.Reason == ReasonForbidden {
			return t.unknown(ReasonForbidden, "%s", o.Message)
		}
		return busy(o.Reason, "%s", o.Message)
	}
	o.isUnaware = false
	p := t.referenceOf(o)
	if !o.lastWritten.isSince(p) {
		o.Writes, o.LastWrite, o.Manager = 0, time.Time{}, ""
	}
	if t.unpause {
		return t.judgeUnpause(o, p, now)
	}
	return t.judgePause(o, p, now)
}

// quietSince returns from when no write of an object has been seen.
func (o *object) quietSince(p *target) time.Time {
	since := sleep.Latest(p.at, o.LastWrite)
	if o.scope != nil {
		since = sleep.Latest(since, o.scope.since)
	}
	return since
}

// isQuiet reports whether no write of an object was seen in a window, and when that is so.
func (t *tracker) isQuiet(o *object, p *target, now time.Time) (bool, time.Time) {
	if o.scope != nil && !o.scope.connected {
		return false, time.Time{}
	}
	at := o.quietSince(p).Add(t.window(o.kind))
	return !now.Before(at), at
}

func (t *tracker) windowText(k *kind) string { return duration.Text(t.window(k)) }

// window returns the time without a write after which a kind counts as idle.
func (t *tracker) window(k *kind) time.Duration {
	return cmp.Or(max(0, t.options.Window), min(max(defaultWindow, 2*k.longest), maxWindow))
}
