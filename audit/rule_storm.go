package audit

import (
	"strings"
	"time"

	"kstatus.dev/severity"
)

// A rate remembers the times of the last events of one writer.
type rate struct {
	writer string
	times  []time.Time
}

// over counts an event, and reports whether there were more than limit within a
// while, and how long they took.
func (r *rate) over(now time.Time, limit int, within time.Duration) (time.Duration, bool) {
	r.times = append(r.times, now)
	if len(r.times) > limit+1 {
		r.times = r.times[1:]
	}
	took := now.Sub(r.times[0])
	return took, len(r.times) == limit+1 && took <= within
}

var updateStorm = &Rule{
	ID: "W-24", Name: "update-storm", Severity: severity.Warning,
	Doc: `A controller does not keep writing what says nothing new

More than twelve such writes in a minute (Limits.BurstWrites, Limits.BurstWindow) are
load on the API server and on everyone who watches, and wake the controller
itself again. Nothing new are times, messages that differ in a time or a counter,
the order of conditions, annotations, and managedFields. Compare with what was
read, and write only what differs in meaning. Objects without a status are not
looked at: some are made to be renewed.`,
	OnChange: func(p *Pass) {
		m := State[rate](p)
		if !p.BySameWriter() || p.New.Gone || len(p.New.Status()) == 0 {
			return
		}
		if !noise(p) {
			m.times = m.times[:0]
			return
		}
		if took, over := m.over(p.Now, p.Options.BurstWrites, p.Options.BurstWindow); over {
			p.Report(noisy(p), "is one of %d writes within %s that say nothing new", len(m.times), took)
		}
	},
}

// A loop is a row of writes that answer one another.
type loop struct {
	rounds int
	last   time.Time
}

var selfTrigger = &Rule{
	ID: "W-25", Name: "self-trigger", Severity: severity.Warning,
	Doc: `A controller is not woken by its own writes over and over

Five times in a row (Limits.LoopLength) a write that says nothing new was followed by
the next within two seconds (Limits.LoopInterval), by the same writer: its watch
delivers its own write, and its answer is another one. Ignore events that leave
the generation as it was, and do not write what changes with each pass.`,
	OnChange: func(p *Pass) {
		m := State[loop](p)
		if !p.BySameWriter() || !noise(p) || p.New.Gone || len(p.New.Status()) == 0 {
			*m = loop{}
			return
		}
		if !m.last.IsZero() && p.Now.Sub(m.last) <= p.Options.LoopInterval {
			m.rounds++
		} else {
			m.rounds = 0
		}
		m.last = p.Now
		if m.rounds >= p.Options.LoopLength {
			p.Report(noisy(p), "changed in %d writes that each came within %s of the last, and say nothing new", m.rounds+1, p.Options.LoopInterval)
		}
	},
}

// noise reports whether a write says nothing that was not known.
func noise(p *Pass) bool {
	if p.Old.Generation != p.New.Generation {
		return false
	}
	for _, c := range p.Changes() {
		switch {
		case c.Order, strings.HasPrefix(c.Path, ".metadata.annotations."), strings.HasPrefix(c.Path, ".metadata.managedFields"):
		case strings.HasPrefix(c.Path, ".status.") && isTime(c.Old) && isTime(c.New):
		case strings.HasPrefix(c.Path, ".status.conditions[") && strings.HasSuffix(c.Path, ".message") && len(churnOf(c)) > 0:
		default:
			return false
		}
	}
	return true
}

// noisy returns where the noise is.
func noisy(p *Pass) string {
	if all := p.Changes(); len(all) > 0 {
		return all[0].Path
	}
	return ".metadata.managedFields"
}

func isTime(v any) bool {
	s, _ := v.(string)
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

var noopRequests = &Rule{
	ID: "W-26", Name: "no-op-requests", Severity: severity.Warning, NeedsRequests: true,
	Doc: `A controller does not keep sending requests that change nothing

More than twelve in a minute on one object (Limits.BurstWrites, Limits.BurstWindow): each
is a round trip, admission included, for nothing. The API server stores none of
them, so no watch shows it; it takes an audit log or a recording client. Compare
with the object that was read, and send nothing if nothing differs.`,
	OnRequest: func(p *Pass) {
		if r := p.Request; p.Unchanged && !r.Refused() && (r.Verb == "update" || r.Verb == "patch" || r.Verb == "apply") {
			all := State[[]rate](p)
			agent, _, _ := strings.Cut(r.Agent, "/")
			m := rateOf(all, agent)
			if took, over := m.over(p.Now, p.Options.BurstWrites, p.Options.BurstWindow); over {
				p.Report(strings.TrimSuffix("."+r.Subresource, "."), "%s sent %d requests within %s that changed nothing, the last one to %s", who(agent), len(m.times), took, r.Verb)
			}
		}
	},
}

// rateOf returns the rate of a writer; of ever new ones, the last is reused.
func rateOf(all *[]rate, writer string) *rate {
	for i := range *all {
		if (*all)[i].writer == writer {
			return &(*all)[i]
		}
	}
	if len(*all) == 8 {
		*all = (*all)[:7]
	}
	*all = append(*all, rate{writer: writer})
	return &(*all)[len(*all)-1]
}
