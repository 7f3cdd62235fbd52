package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var stalledButBusy = &Rule{
	ID: "W-47", Name: "stalled-but-busy", Severity: severity.Warning,
	Doc: `A stalled controller stops trying

Stalled, or a reason that is declared terminal, means that only a change by somebody
else helps. A controller that tries more often than once a minute wastes resources,
or its Stalled is wrong. Return without an error, and wait for the change, or report
Reconciling. A violation is that the status writer writes, or sends requests to
write, more than five times within five minutes. The generation and the annotations
stay the same meanwhile.`,
	OnVersion: func(p *Pass) {
		if _, is := terminalCondition(p, p.New); !is {
			if m := existingState[[]time.Time](p); m != nil {
				*m = (*m)[:0]
			}
			return
		}
		if p.Old == nil {
			return
		}
		if _, was := terminalCondition(p, p.Old); was && p.BySameWriter() && !isRetryRequest(p) {
			countBusyWrite(p)
		}
	},
	OnRequest: func(p *Pass) {
		if _, is := terminalCondition(p, p.New); is && p.Unchanged && p.Request.by() == p.StatusWriter("") {
			countBusyWrite(p)
		}
	},
}

// by returns the sender of the request.
func (r *Request) by() string {
	agent, _, _ := strings.Cut(r.Agent, "/")
	return cmp.Or(agent, r.User)
}

// A stalled controller is reported after more than maxBusyWrites writes within
// busyWindow.
const maxBusyWrites, busyWindow = 5, 5 * time.Minute

func countBusyWrite(p *Pass) {
	m := State[[]time.Time](p)
	*m = slices.DeleteFunc(*m, func(t time.Time) bool { return p.Now.Sub(t) > busyWindow })
	if *m = append(*m, p.Now); len(*m) > maxBusyWrites {
		c, _ := terminalCondition(p, p.New)
		p.Report(c.Path(""), "%s %s, and %d writes within %s", c.Status, c.Reason, len(*m), busyWindow)
		*m = slices.Delete(*m, 0, 1)
	}
}

// isRetryRequest reports whether the write requests another try, or is the response to
// such a write.
func isRetryRequest(p *Pass) bool {
	return p.New.Generation != p.Old.Generation || !equal(decoded.At(p.Old.Object, "metadata", "annotations"), decoded.At(p.New.Object, "metadata", "annotations"))
}

var terminalRecovered = &Rule{
	ID: "W-48", Name: "terminal-recovered", Severity: severity.Warning,
	Doc: `A terminal failure does not recover by itself

Tools stop waiting on Stalled, and on a reason that is declared terminal: a
deployment is rolled back, or a machine replaced. If the same generation becomes
Ready soon afterwards, without a new request, the failure was temporary. Report it as
Ready False or Unknown with Reconciling, and use Stalled only for what requires a
change of the spec. A violation is a recovery within Limits.FlapWindow with the same
generation, labels and annotations.`,
	OnVersion: func(p *Pass) {
		c, is := terminalCondition(p, p.New)
		was := existingState[terminalState](p)
		began := was != nil && was.of != ""
		switch {
		case is && !began && p.Old != nil && p.New.StatusWrite:
			*State[terminalState](p) = terminalStateOf(p.New, c)
			return
		case began && was.changed(p.New):
			*was = terminalState{}
			return
		case is || !began:
			return
		}
		if summary, ok := p.New.Summary(); ok && summary.Status != "True" {
			return
		}
		if lasted := p.Now.Sub(was.since); lasted <= p.Options.FlapWindow {
			p.Report(conditionPath(was.of, ""), "was terminal with %s, and recovered %s later at the same generation %d", was.reason, lasted, was.generation)
		}
		*was = terminalState{}
	},
}

// A terminalState is a terminal failure, and the state of the object at its
// beginning.
type terminalState struct {
	of, reason          string
	since               time.Time
	generation          int64
	labels, annotations any
}

func terminalStateOf(v *Version, c Condition) terminalState {
	meta := decoded.Map(v.Object, "metadata")
	return terminalState{c.Type, c.Reason, v.Time, v.Generation, meta["labels"], meta["annotations"]}
}

// changed reports whether the request has changed since: the generation, labels
// or annotations.
func (p *terminalState) changed(v *Version) bool {
	now := terminalStateOf(v, Condition{})
	return now.generation != p.generation || !equal(now.labels, p.labels) || !equal(now.annotations, p.annotations)
}

// terminalCondition returns the condition that reports a terminal failure, and whether
// there is one. A condition of an older generation does not count.
func terminalCondition(p *Pass, v *Version) (Condition, bool) {
	d := p.Declaration()
	for _, c := range v.Conditions {
		if c.HasObserved && c.Observed < v.Generation {
			continue
		}
		if c.Type == "Stalled" && c.Status == "True" {
			return c, true
		}
		if declared := d.Condition(c.Type); declared != nil && slices.Contains(declared.Terminal, c.Reason) {
			return c, true
		}
	}
	return Condition{}, false
}
