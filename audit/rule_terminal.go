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
	OnVersion: func(p *Pass) {
		if _, is := terminal(p, p.New); !is {
			if m := remembered[[]time.Time](p); m != nil {
				*m = (*m)[:0]
			}
			return
		}
		if p.Old == nil {
			return
		}
		if _, was := terminal(p, p.Old); was && p.BySameWriter() && !urged(p) {
			busy(p)
		}
	},
	OnRequest: func(p *Pass) {
		if _, is := terminal(p, p.New); is && p.Unchanged && p.Request.by() == p.StatusWriter("") {
			busy(p)
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

func busy(p *Pass) {
	m := State[[]time.Time](p)
	*m = slices.DeleteFunc(*m, func(t time.Time) bool { return p.Now.Sub(t) > busyTime })
	if *m = append(*m, p.Now); len(*m) > mostBusy {
		c, _ := terminal(p, p.New)
		p.Report(c.Path(""), "%s %s, and %d writes within %s", c.Status, c.Reason, len(*m), busyTime)
		*m = slices.Delete(*m, 0, 1)
	}
}

// urged reports whether the write is, or answers, one by which somebody asks to try again.
func urged(p *Pass) bool {
	return p.New.Generation != p.Old.Generation || !equal(object(p.Old.Object, "metadata")["annotations"], object(p.New.Object, "metadata")["annotations"])
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
	OnVersion: func(p *Pass) {
		c, is := terminal(p, p.New)
		was := remembered[terminalState](p)
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
		if summary, there := p.New.Summary(); there && summary.Status != "True" {
			return
		}
		if lasted := p.Now.Sub(was.since); lasted <= p.Options.FlapWindow {
			p.Report(conditionPath(was.of, ""), "was terminal with %s, and is over %s later at the same generation %d", was.reason, lasted, was.generation)
		}
		*was = terminalState{}
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
func terminal(p *Pass, v *Version) (Condition, bool) {
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
