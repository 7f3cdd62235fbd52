package history

import (
	"sync"
	"time"

	"kstatus.dev/internal/duration"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Progress tracks the objects of a wait: when each last changed, and how long it has been in
// progress. Callers pass the time. It is safe for concurrent use. A nil Progress is empty.
type Progress struct {
	Usual func(observe.Target) (time.Duration, bool) // returns the usual duration of an object, if it is known; may be nil

	mu      sync.Mutex // guards the fields below
	objects map[observe.Target]*objectProgress
}

// An objectProgress is the progress of one object.
type objectProgress struct {
	text    string    // the last word and text
	changed time.Time // when text last changed
	word    string
	since   time.Time // when word last changed
	version version   // the version that is in progress
	began   time.Time // when the version began; zero if none is in progress
}

type version struct {
	uid        string
	generation int64
}

// Update records an update with its word and text. If the object has become Current after a change,
// See returns the duration. It does not measure objects that were Current from the start. It
// does not measure suspended objects, or objects that are assumed to be Current, either.
func (p *Progress) Update(u observe.Update, word, text string, now time.Time) (took time.Duration, arrived bool) {
	if u.Target == (observe.Target{}) || u.Target.IsSelection() || !u.StaleSince.IsZero() {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if u.Removed {
		delete(p.objects, u.Target)
		return 0, false
	}
	m := p.objects[u.Target]
	if m == nil {
		if p.objects == nil {
			p.objects = map[observe.Target]*objectProgress{}
		}
		m = new(objectProgress)
		p.objects[u.Target] = m
	}
	if text != m.text || word != m.word {
		m.text, m.changed = text, now
	}
	if word != m.word {
		m.word, m.since = word, now
	}
	return m.step(u, now)
}

// step updates the measurement of an object.
func (m *objectProgress) step(u observe.Update, now time.Time) (took time.Duration, arrived bool) {
	v := version{u.Version.UID, u.Version.Generation}
	r := u.Result
	switch r.Status {
	case status.NotFoundStatus, status.TerminatingStatus:
		m.began = time.Time{}
	case status.CurrentStatus:
		if !m.began.IsZero() && r.Suspended == "" && r.Confidence != status.ConfidenceAssumed {
			took, arrived = now.Sub(m.began), true
		}
		m.began = time.Time{}
	default:
		if m.began.IsZero() || v != m.version {
			m.began = now
		}
	}
	m.version = v
	return took, arrived
}

// minUnchanged is the minimum time without a change for a remark.
const minUnchanged = time.Minute

// Remark returns a remark on the progress of an object: its usual duration, and the time since
// its last change.
func (p *Progress) Remark(t observe.Target, now time.Time) string {
	if p == nil {
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.objects[t]
	if m == nil {
		return ""
	}
	text := ""
	if p.Usual != nil && !m.began.IsZero() {
		if usual, known := p.Usual(t); known {
			text = usualText(usual, now.Sub(m.began))
		}
	}
	if still := now.Sub(m.changed); still >= minUnchanged {
		if text != "" {
			text += ", "
		}
		text += "no change for " + duration.Text(still)
	}
	return text
}

// Times returns when the word of an object last changed, and when its text last changed. Both
// are zero before the first update.
func (p *Progress) Times(t observe.Target) (wordChanged, changed time.Time) {
	if p == nil {
		return wordChanged, changed
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.objects[t]; m != nil {
		return m.since, m.changed
	}
	return wordChanged, changed
}

// usualText returns the usual duration as text, and whether the current one is longer.
func usualText(usual, now time.Duration) string {
	text := "usually " + duration.Text(usual)
	if Unusual(now, usual) {
		text += ", now " + duration.Text(now) + ": unusual"
	}
	return text
}
