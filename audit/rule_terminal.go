package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/severity"
)

var stalledButBusy = &Rule{
	ID: "W-47", Name: "stalled-but-busy", Severity: severity.Warning,
	Doc: `A controller that says it is stalled rests

Stalled, or a reason declared terminal, says that nothing but a change by somebody
else helps. A controller that goes on trying faster than once a minute either burdens
the cluster and whatever it calls for nothing, or does not mean what it says. Return
without an error, and wait for the change; or say Reconciling. Told is that the
keeper wrote, or asked the server to write, more than five times within five minutes
while the generation and the annotations stayed.`,
	OnVersion: func(l *Pass) {
		if _, is := terminal(l, l.New); !is {
			if m := remembered[[]time.Time](l); m != nil {
				*m = (*m)[:0]
			}
			return
		}
		if l.Old == nil {
			return
		}
		if _, was := terminal(l, l.Old); was && l.BySameWriter() && !urged(l) {
			busy(l)
		}
	},
	OnRequest: func(l *Pass) {
		if _, is := terminal(l, l.New); is && l.Unchanged && l.Request.by() == l.StatusWriter("") {
			busy(l)
		}
	},
}

// by returns who sent the request.
func (r *Request) by() string {
	agent, _, _ := strings.Cut(r.Agent, "/")
	return cmp.Or(agent, r.User)
}

// How many writes within how long are too many of one who is stalled.
const mostBusy, busyTime = 5, 5 * time.Minute

func busy(l *Pass) {
	m := State[[]time.Time](l)
	*m = slices.DeleteFunc(*m, func(t time.Time) bool { return l.Now.Sub(t) > busyTime })
	if *m = append(*m, l.Now); len(*m) > mostBusy {
		c, _ := terminal(l, l.New)
		l.Report(c.Path(""), "%s %s, and %d writes within %s", c.Status, c.Reason, len(*m), busyTime)
		*m = slices.Delete(*m, 0, 1)
	}
}

// urged reports whether the write is, or answers, one by which somebody asks to try again.
func urged(l *Pass) bool {
	return l.New.Generation != l.Old.Generation || !equal(object(l.Old.Object, "metadata")["annotations"], object(l.New.Object, "metadata")["annotations"])
}

var terminalRecovered = &Rule{
	ID: "W-48", Name: "terminal-recovered", Severity: severity.Warning,
	Doc: `What is called terminal does not heal by itself

Waiting tools give up on Stalled, and on a reason declared terminal: a deployment is
rolled back, a machine replaced. If the same generation becomes Ready soon
afterwards with nothing asked anew, the failure was of the kind that passes. Report
it as Ready False or Unknown with Reconciling, and keep Stalled for what only a
change of the spec ends. Told is a recovery within Limits.FlapWindow while generation,
labels and annotations stayed.`,
	OnVersion: func(l *Pass) {
		c, is := terminal(l, l.New)
		p := remembered[terminalState](l)
		began := p != nil && p.of != ""
		switch {
		case is && !began && l.Old != nil && l.New.StatusWrite:
			*State[terminalState](l) = terminalStateOf(l.New, c)
			return
		case began && p.changed(l.New):
			*p = terminalState{}
			return
		case is || !began:
			return
		}
		if summary, there := l.New.Summary(); there && summary.Status != "True" {
			return
		}
		if lasted := l.Now.Sub(p.since); lasted <= l.Options.FlapWindow {
			l.Report(conditionPath(p.of, ""), "was terminal with %s, and is over %s later at the same generation %d", p.reason, lasted, p.generation)
		}
		*p = terminalState{}
	},
}

// A terminalState is a terminal failure, and what the object had when it began.
type terminalState struct {
	of, reason          string
	since               time.Time
	generation          int64
	labels, annotations any
}

func terminalStateOf(v *Version, c Condition) terminalState {
	meta := object(v.Object, "metadata")
	return terminalState{c.Type, c.Reason, v.Time, v.Generation, meta["labels"], meta["annotations"]}
}

// changed reports whether somebody has asked for something else since.
func (p *terminalState) changed(v *Version) bool {
	now := terminalStateOf(v, Condition{})
	return now.generation != p.generation || !equal(now.labels, p.labels) || !equal(now.annotations, p.annotations)
}

// terminal returns the condition that says that nothing but a change of the spec
// helps, and whether there is one; one of an older generation says it no more.
func terminal(l *Pass, v *Version) (Condition, bool) {
	d := l.Declaration()
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
