package audit

import (
	"strings"
	"time"

	"kstatus.dev/author/severity"
)

// A rate holds the times of the last events of a writer.
type rate struct {
	writer string
	times  []time.Time
}

// over counts an event. If more than limit events occurred within a time, it
// returns their duration and true.
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
	Doc: `A controller does not keep writing without new information

More than twelve such writes in a minute (Limits.BurstWrites, Limits.BurstWindow)
load the API server and every watch, and trigger the controller itself again. Changes
without information are times, messages that differ in a time or a counter, the order
of conditions, annotations, and managedFields. Compare with the object that was read,
and write only if the meaning differs. Objects without a status do not count, because
some exist to be renewed.`,
	OnChange: func(p *Pass) {
		m := State[rate](p)
		if !p.BySameWriter() || p.New.Gone || len(p.New.Status()) == 0 {
			return
		}
		if !isUninformative(p) {
			m.times = m.times[:0]
			return
		}
		if took, over := m.over(p.Now, p.Options.BurstWrites, p.Options.BurstWindow); over {
			p.Report(firstChangedPath(p), "is one of %d writes within %s without new information", len(m.times), took)
		}
	},
}

// A loop is a series of writes that trigger each other.
type loop struct {
	rounds int
	last   time.Time
}

var selfTrigger = &Rule{
	ID: "W-25", Name: "self-trigger", Severity: severity.Warning,
	Doc: `A controller's own writes do not keep triggering it

A violation is a series of five writes without new information (Limits.LoopLength),
each within two seconds of the previous one (Limits.LoopInterval), by one writer. Its
watch delivers its own write, and it answers with another. Ignore events that leave
the generation unchanged, and do not write values that change in each reconcile.`,
	OnChange: func(p *Pass) {
		m := State[loop](p)
		if !p.BySameWriter() || !isUninformative(p) || p.New.Gone || len(p.New.Status()) == 0 {
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
			p.Report(firstChangedPath(p), "changed in %d writes without new information, each within %s of the previous one", m.rounds+1, p.Options.LoopInterval)
		}
	},
}

// isUninformative reports whether a write contains no new information.
func isUninformative(p *Pass) bool {
	if p.Old.Generation != p.New.Generation {
		return false
	}
	for _, c := range p.Changes() {
		switch {
		case c.Order, strings.HasPrefix(c.Path, ".metadata.annotations."), strings.HasPrefix(c.Path, ".metadata.managedFields"):
		case strings.HasPrefix(c.Path, ".status.") && isTime(c.Old) && isTime(c.New):
		case strings.HasPrefix(c.Path, ".status.conditions[") && strings.HasSuffix(c.Path, ".message") && len(volatileWords(c)) > 0:
		default:
			return false
		}
	}
	return true
}

// firstChangedPath returns the path of the first change without information.
func firstChangedPath(p *Pass) string {
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

More than twelve such requests in a minute on one object (Limits.BurstWrites,
Limits.BurstWindow) are a violation. Each is a round trip, including admission. The
API server does not store them, so a watch does not show them; the rule needs an
audit log or a recording client. Compare with the object that was read, and send
nothing if nothing differs.`,
	OnRequest: func(p *Pass) {
		if r := p.Request; p.Unchanged && !r.Refused() && (r.Verb == "update" || r.Verb == "patch" || r.Verb == "apply") {
			all := State[[]rate](p)
			agent, _, _ := strings.Cut(r.Agent, "/")
			m := rateOf(all, agent)
			if took, over := m.over(p.Now, p.Options.BurstWrites, p.Options.BurstWindow); over {
				p.Report(strings.TrimSuffix("."+r.Subresource, "."), "%s sent %d requests within %s that changed nothing, the last one to %s", managerName(agent), len(m.times), took, r.Verb)
			}
		}
	},
}

// rateOf returns the rate of a writer. The number of rates is limited; then the
// last one is reused.
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
