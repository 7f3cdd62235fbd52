package observe

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

const (
	// How many bytes of a part's message an update has.
	partText = 200
	// An object with more parts than these is judged anew for the sake of one of
	// them only once so much time for each of them has passed since the last time.
	partsAtOnce = 100
	partPause   = 10 * time.Microsecond
)

// A part is one that is not there yet, of what the controller of a target has made.
type part struct {
	result status.Result
	kept   status.Object // if its verdict depends on the time
	due    moment        // when to judge kept again
	hidden string        // why such parts cannot be looked at; there is no verdict then
}

// part takes note of how a part of a target fares, and reports whether that
// has changed.
func (d *desk) part(r *record, s sight, now moment) (changed bool) {
	before := r.parts[s.Target]
	delete(r.parts, s.Target)
	p := &part{result: s.result}
	switch {
	case s.Err != nil && s.result.Reason == "Forbidden":
		p = &part{hidden: s.Err.Error()}
	case s.Err != nil:
		p = before
	case s.Object == nil, bare(s.Object), s.result.Status == status.CurrentStatus, s.result.Status == status.TerminatingStatus:
		p = nil
	case s.result.Recheck > 0:
		p.kept, p.due = s.Object, now.plus(s.result.Recheck)
	}
	if before != nil && ailing(before.result) {
		r.lull = 0
		if s.Object == nil && s.Err == nil {
			r.lull = now
		}
	}
	switch {
	case p == nil && len(r.parts) == 0:
		r.parts = nil // an empty map keeps its room
	case p != nil:
		if r.parts == nil {
			r.parts = map[Target]*part{}
		}
		r.parts[s.Target] = p
	}
	return !p.equal(before)
}

// weighParts judges an object anew because one of its parts has changed. Since
// that takes the longer the more parts there are, it is not done for each of
// many that change one right after the other.
func (d *desk) weighParts(r *record, now moment) {
	if many := len(r.parts); many > partsAtOnce {
		if next := r.weighed.plus(time.Duration(many) * partPause); now < next {
			r.wake(next)
			return
		}
	}
	d.conclude(r, now)
}

// equal reports whether two parts, nil for none, tell the same and will go on to.
func (p *part) equal(q *part) bool {
	if p == nil || q == nil {
		return p == q
	}
	x, y := &p.result, &q.result
	return x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message && x.Failure == y.Failure && p.due == q.due && p.hidden == q.hidden
}

// bare reports whether no more than the metadata of an object is there, which
// is nothing to judge by.
func bare(obj status.Object) bool {
	root := obj.UnstructuredContent()
	return root["spec"] == nil && root["status"] == nil
}

// lift adds to the update of an object that is not there yet what the worst
// of its parts say about why, and returns when that is to change by itself. An
// object that is there stays so, whatever its parts say, and as long as its
// controller has not seen its latest change they say nothing about it.
func (d *desk) lift(r *record, u *Update, now moment) (due moment) {
	if len(r.parts) == 0 {
		return r.due
	}
	r.weighed = now
	if r.stale == 0 {
		d.renewParts(r, now)
	}
	result := &u.Result
	switch {
	case result.Status != status.InProgressStatus && result.Status != status.FailedStatus,
		result.Suspended != status.NotSuspended, unobserved(result.Reason):
		return r.due
	}
	if why := r.hidden(); why != "" {
		result.Warnings = append(slices.Clip(result.Warnings), "why it is not there may not be told: "+why)
	}
	c := r.worst(result.Reason == "Running")
	if c.count == 0 {
		return r.due
	}
	result.Message = strings.TrimSuffix(result.Message, ".") // the problem of the parts follows
	u.Parts = c.parts()
	if c.rank > mayHeal || result.Status != status.InProgressStatus || result.Failure != status.NoFailure {
		return r.due
	}
	result.Reason, result.Failure = c.part.result.Reason, status.Recoverable
	if c.part.result.Status == status.FailedStatus {
		result.Status = status.FailedStatus
	}
	return c.part.due
}

// hidden tells why some of the parts cannot be looked at.
func (r *record) hidden() (why string) {
	var first Target
	for t, p := range r.parts {
		if p.hidden != "" && (why == "" || t.Compare(first) < 0) {
			first, why = t, p.hidden
		}
	}
	return why
}

// unobserved reports whether a verdict is that the controller has not seen the
// latest change.
func unobserved(reason string) bool {
	return reason == "NotObserved" || reason == "LatestGenerationNotObserved"
}

// renewParts judges again those parts for which it is time to.
func (d *desk) renewParts(r *record, now moment) {
	for t, p := range r.parts {
		if p.due != 0 && p.due <= now {
			d.part(r, d.w.look(Sighting{Target: t, Object: p.kept}), now)
			p = r.parts[t]
		}
		if p != nil {
			r.wake(p.due)
		}
	}
}

// How bad what a part has is for its owner, the worst first. What is final for
// a part is not for its owner, who may make another.
const (
	hopeless  = iota // the part will not get there
	persists         // something is wrong, and has been for as long as its kind allows
	mayHeal          // something is wrong
	explains         // it says why, but it is not for this to decide
	onItsWay         // nothing is wrong with it
	nothingOf        // there is no part
)

// rank tells how bad a part is. A part that has ended is replaced by its owner
// if need be. An owner that runs to its end counts itself how often its parts
// may fail.
func (p *part) rank(toEnd bool) int {
	switch r := &p.result; {
	case r.Reason == "PodFailed", toEnd && r.Reason == "CrashLoop":
		return explains
	case r.Failure == status.Terminal:
		return hopeless
	case r.Status == status.FailedStatus:
		return persists
	case r.Failure == status.Recoverable, r.Reason == "Unschedulable":
		return mayHeal
	}
	return onItsWay
}

// A cause is what several parts of a kind have in common.
type cause struct {
	count int
	rank  int
	name  Target // the worst of them, by name
	part  *part
}

// worst returns the worst cause; of equally bad ones the most frequent.
func (r *record) worst(toEnd bool) (worst cause) {
	type common struct {
		kind   status.Kind
		reason string
	}
	causes := map[common]cause{}
	for t, p := range r.parts {
		if p.hidden != "" {
			continue
		}
		key := common{t.Kind, p.result.Reason}
		c, ok := causes[key]
		c.count++
		if rank := p.rank(toEnd); !ok || rank < c.rank || rank == c.rank && t.Compare(c.name) < 0 {
			c.rank, c.name, c.part = rank, t, p
		}
		causes[key] = c
	}
	worst.rank = nothingOf
	for _, c := range causes {
		if cmp.Or(cmp.Compare(c.rank, worst.rank), cmp.Compare(worst.count, c.count), c.name.Compare(worst.name)) < 0 {
			worst = c
		}
	}
	return worst
}

// parts returns the cause as an update has it.
func (c cause) parts() *status.Parts {
	kind, verdict := c.name.Kind, c.part.result
	return &status.Parts{
		Count: c.count, Group: kind.Group, Kind: kind.Kind, Name: c.name.Name, Reason: verdict.Reason,
		Message: text.Cut(strings.Join(strings.Fields(verdict.Message), " "), partText+len(text.Ellipsis)),
	}
}
