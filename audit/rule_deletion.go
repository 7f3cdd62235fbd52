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
	OnVersion: func(l *Pass) {
		c, there := l.New.Condition("Ready")
		wrong := there && c.Status == "True" && torn(l)
		if l.AfterHolding(wrong, l.Options.ResponseTime); !wrong {
			return
		}
		if late := l.Now.Sub(l.New.Deleting); late > l.Options.GracePeriod && (l.New.Gone || l.Old != nil && !l.Old.Deleting.IsZero() && l.BySameWriter()) {
			l.Report(c.Path("status"), "True, %s after the deletion began", late)
		}
	},
	OnPause: func(l *Pass) {
		c, there := l.New.Condition("Ready")
		l.AfterHolding(there && c.Status == "True" && torn(l), l.Options.ResponseTime)
	},
	OnTimer: func(l *Pass) {
		l.Report(conditionPath("Ready", "status"), "True, and nothing written since the deletion began")
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
	OnVersion: func(l *Pass) {
		if l.Old == nil && spokeSince(l.New, l.New.Deleting) || l.Old != nil && l.New.StatusWrite && !l.Old.Deleting.IsZero() {
			*State[spoken](l) = true
		}
		l.AfterHolding(owesWord(l), l.Options.ResponseTime)
	},
	OnPause: func(l *Pass) { l.AfterHolding(owesWord(l), l.Options.ResponseTime) },
	OnTimer: func(l *Pass) {
		l.Report(".metadata.deletionTimestamp", "no word in the status for %s, with the finalizers %s", l.Options.ResponseTime, strings.Join(finalizers(l.New), ", "))
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
func owesWord(l *Pass) bool {
	return torn(l) && remembered[spoken](l) == nil && l.StatusWriter("") != ""
}

// torn reports whether a controller of which it can be demanded takes its object down.
func torn(l *Pass) bool {
	return !l.New.Deleting.IsZero() && !native(l.New.ID) && len(finalizers(l.New)) > 0 && l.PausedBy() == ""
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
	OnRequest: func(l *Pass) {
		if l.Request.Verb == "create" || l.Request.Verb == "delete" || l.Request.Code != 404 && l.Request.Code != 409 {
			if m := remembered[refusals](l); m != nil && !l.Request.Refused() {
				m.gone = 0
			}
			return
		}
		m := State[refusals](l)
		if l.Request.Code == 404 {
			if m.gone++; m.gone >= mostGone {
				l.Report("", "%d writes in a row to an object that is gone", m.gone)
			}
			return
		}
		m.conflicts = slices.DeleteFunc(m.conflicts, func(t time.Time) bool { return l.Now.Sub(t) > time.Minute })
		if m.conflicts = append(m.conflicts, l.Now); len(m.conflicts) >= mostConflicts {
			l.Report("", "%d conflicts within a minute", len(m.conflicts))
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
