package audit

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/severity"
)

var readyWhileDeleting = &Rule{
	ID: "W-33", Name: "ready-while-deleting", Severity: severity.Error,
	Doc: `Ready is not True while the object is being deleted

Ready covers the whole life of an object, its end included: who waits for it would
build on something that is being torn down. On the first pass that sees
metadata.deletionTimestamp set Ready to False, with a reason such as Deleting, in
the same write as whatever else the pass has to say. Told is that the controller
wrote something later than Limits.GracePeriod after the deletion began and left Ready True,
that the object went so, or that nothing happened for as long as Limits.ResponseTime says. Kinds
of Kubernetes itself, of which some are ready until their last moment, and paused
objects are let pass.`,
	OnVersion: func(p *Pass) {
		c, there := p.New.Condition("Ready")
		wrong := there && c.Status == "True" && torn(p)
		if p.AfterHolding(wrong, p.Options.ResponseTime); !wrong {
			return
		}
		if late := p.Now.Sub(p.New.Deleting); late > p.Options.GracePeriod && (p.New.Gone || p.Old != nil && !p.Old.Deleting.IsZero() && p.BySameWriter()) {
			p.Report(c.Path("status"), "True, %s after the deletion began", late)
		}
	},
	OnPause: func(p *Pass) {
		c, there := p.New.Condition("Ready")
		p.AfterHolding(there && c.Status == "True" && torn(p), p.Options.ResponseTime)
	},
	OnTimer: func(p *Pass) {
		p.Report(conditionPath("Ready", "status"), "True, and nothing written since the deletion began")
	},
}

var silentDeletion = &Rule{
	ID: "W-34", Name: "silent-deletion", Severity: severity.Warning,
	Doc: `A deletion that takes its time is told of in the status

An object that hangs in deletion is what users ask about most, and only its
controller knows what it waits for. Write a condition when the deletion begins,
with what is still there, and again when that changes. Told is that a finalizer
kept an object for as long as Limits.ResponseTime says and no status was written meanwhile.
Objects whose status nobody keeps, paused ones and kinds of Kubernetes itself are
let pass.`,
	OnVersion: func(p *Pass) {
		if p.Old == nil && spokeSince(p.New, p.New.Deleting) || p.Old != nil && p.New.StatusWrite && !p.Old.Deleting.IsZero() {
			*State[spoken](p) = true
		}
		p.AfterHolding(owesWord(p), p.Options.ResponseTime)
	},
	OnPause: func(p *Pass) { p.AfterHolding(owesWord(p), p.Options.ResponseTime) },
	OnTimer: func(p *Pass) {
		p.Report(".metadata.deletionTimestamp", "no word in the status for %s, with the finalizers %s", p.Options.ResponseTime, strings.Join(finalizers(p.New), ", "))
	},
}

// spoken says that a status was written since a deletion began.
type spoken bool

// spokeSince reports whether a condition or the managedFields say that the status
// was written since a time.
func spokeSince(v *Version, since time.Time) bool {
	after := func(stamp string) bool {
		at, err := time.Parse(time.RFC3339, stamp)
		return err == nil && !at.Before(since)
	}
	return !since.IsZero() && (slices.ContainsFunc(v.Conditions, func(c Condition) bool { return after(c.Since) }) ||
		slices.ContainsFunc(v.entries, func(e entry) bool { return e.subresource == "status" && after(e.time) }))
}

// owesWord reports whether the status should tell of a deletion and does not.
func owesWord(p *Pass) bool {
	return torn(p) && remembered[spoken](p) == nil && p.StatusWriter("") != ""
}

// torn reports whether a controller of which it can be demanded takes its object down.
func torn(p *Pass) bool {
	return !p.New.Deleting.IsZero() && !native(p.New.ID) && len(finalizers(p.New)) > 0 && p.PausedBy() == ""
}

// finalizers returns those that are kept by controllers, rather than by the
// garbage collector.
func finalizers(v *Version) (names []string) {
	list, _ := object(v.Object, "metadata")["finalizers"].([]any)
	for _, item := range list {
		if name, _ := item.(string); name != "" && name != "foregroundDeletion" && name != "orphan" {
			names = append(names, name)
		}
	}
	return names
}

// native reports whether a kind is one of Kubernetes itself.
func native(id ID) bool {
	return !strings.Contains(id.Group, ".") || strings.HasSuffix(id.Group, ".k8s.io")
}

var writeAfterGone = &Rule{
	ID: "W-35", Name: "write-after-gone", Severity: severity.Error, NeedsRequests: true,
	Doc: `An object that is gone is not written any more, and conflicts are not answered by trying blindly

A controller that removes its finalizer first and writes the status afterwards
writes to an object that is not there: do it the other way round, or in the same
pass not at all. One 404 is a race that everybody loses now and then; a row of
them, or of 409, is a controller that does not read what it is told. Read again
before the next try, and leave when the object is gone. Told is the third 404 in a
row, and the tenth 409 within a minute, of one writer on one object.`,
	OnRequest: func(p *Pass) {
		if p.Request.Verb == "create" || p.Request.Verb == "delete" || p.Request.Code != 404 && p.Request.Code != 409 {
			if m := remembered[refusals](p); m != nil && !p.Request.Refused() {
				m.gone = 0
			}
			return
		}
		m := State[refusals](p)
		if p.Request.Code == 404 {
			if m.gone++; m.gone >= mostGone {
				p.Report("", "%d writes in a row to an object that is gone", m.gone)
			}
			return
		}
		m.conflicts = slices.DeleteFunc(m.conflicts, func(t time.Time) bool { return p.Now.Sub(t) > time.Minute })
		if m.conflicts = append(m.conflicts, p.Now); len(m.conflicts) >= mostConflicts {
			p.Report("", "%d conflicts within a minute", len(m.conflicts))
			m.conflicts = slices.Delete(m.conflicts, 0, 1)
		}
	},
}

// How many refused writes in a row, and how many conflicts within a minute, are too many.
const mostGone, mostConflicts = 3, 10

type refusals struct {
	gone      int
	conflicts []time.Time
}
