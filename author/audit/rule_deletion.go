package audit

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var readyWhileDeleting = &Rule{
	ID: "W-33", Name: "ready-while-deleting", Severity: severity.Error,
	Doc: `Ready is not True while the object is being deleted

Ready covers the whole life of an object, including its end. A client that waits for
Ready would otherwise use something that is being removed. In the first reconcile
that sees metadata.deletionTimestamp, set Ready to False with a reason such as
Deleting, in the same write as the other changes. A violation is one of these:

  - The controller leaves Ready True in a write later than Limits.GracePeriod after
    the start of the deletion.
  - The object disappears with Ready True.
  - The controller writes nothing for Limits.ResponseTime.

Paused objects do not count. Kinds of Kubernetes itself do not count, because some of
them are ready until the end.`,
	OnVersion: func(p *Pass) {
		c, ok := p.New.Condition("Ready")
		wrong := ok && c.Status == "True" && isDeletionChecked(p)
		if p.AfterHolding(wrong, p.Options.ResponseTime); !wrong {
			return
		}
		if late := p.Now.Sub(p.New.Deleting); late > p.Options.GracePeriod && (p.New.Gone || p.Old != nil && !p.Old.Deleting.IsZero() && p.BySameWriter()) {
			p.Report(c.Path("status"), "True, %s after the deletion began", late)
		}
	},
	OnPause: func(p *Pass) {
		c, ok := p.New.Condition("Ready")
		p.AfterHolding(ok && c.Status == "True" && isDeletionChecked(p), p.Options.ResponseTime)
	},
	OnTimer: func(p *Pass) {
		p.Report(conditionPath("Ready", "status"), "True, and the controller has written nothing since the start of the deletion")
	},
}

var silentDeletion = &Rule{
	ID: "W-34", Name: "silent-deletion", Severity: severity.Warning,
	Doc: `The status describes a deletion that takes time

Users ask most about objects that are stuck in deletion, and only the controller
knows the cause. Write a condition when the deletion begins, with what remains to be
deleted, and write it again when that changes. A violation is that a finalizer holds
the object for Limits.ResponseTime without a write of the status. Paused objects,
objects without a status writer and kinds of Kubernetes itself do not count.`,
	OnVersion: func(p *Pass) {
		if p.Old == nil && isStatusWrittenSince(p.New, p.New.Deleting) || p.Old != nil && p.New.StatusWrite && !p.Old.Deleting.IsZero() {
			*State[deletionReported](p) = true
		}
		p.AfterHolding(lacksDeletionReport(p), p.Options.ResponseTime)
	},
	OnPause: func(p *Pass) { p.AfterHolding(lacksDeletionReport(p), p.Options.ResponseTime) },
	OnTimer: func(p *Pass) {
		p.Report(".metadata.deletionTimestamp", "no write of the status for %s; the finalizers are %s", p.Options.ResponseTime, strings.Join(finalizers(p.New), ", "))
	},
}

// deletionReported is set once the status was written during a deletion.
type deletionReported bool

// isStatusWrittenSince reports whether the status was written after a time, according to
// a condition or to managedFields.
func isStatusWrittenSince(v *Version, since time.Time) bool {
	after := func(stamp string) bool {
		at, err := time.Parse(time.RFC3339, stamp)
		return err == nil && !at.Before(since)
	}
	return !since.IsZero() && (slices.ContainsFunc(v.Conditions, func(c Condition) bool { return after(c.Since) }) ||
		slices.ContainsFunc(v.entries, func(e entry) bool { return e.subresource == "status" && after(e.time) }))
}

// lacksDeletionReport reports whether the status lacks a description of the deletion.
func lacksDeletionReport(p *Pass) bool {
	return isDeletionChecked(p) && existingState[deletionReported](p) == nil && p.StatusWriter("") != ""
}

// isDeletionChecked reports whether the object is being deleted, and the rules about
// deletion apply to it.
func isDeletionChecked(p *Pass) bool {
	return !p.New.Deleting.IsZero() && !isBuiltinKind(p.New.ID) && len(finalizers(p.New)) > 0 && p.PausedBy() == ""
}

// finalizers returns the finalizers that controllers handle, without those of
// the garbage collector.
func finalizers(v *Version) (names []string) {
	for _, item := range decoded.List(v.Object, "metadata", "finalizers") {
		if name, _ := item.(string); name != "" && name != "foregroundDeletion" && name != "orphan" {
			names = append(names, name)
		}
	}
	return names
}

// isBuiltinKind reports whether a kind belongs to Kubernetes itself.
func isBuiltinKind(id ID) bool {
	return !strings.Contains(id.Group, ".") || strings.HasSuffix(id.Group, ".k8s.io")
}

var writeAfterGone = &Rule{
	ID: "W-35", Name: "write-after-gone", Severity: severity.Error, NeedsRequests: true,
	Doc: `A controller does not keep writing to a deleted object, and reads again after a conflict

If a controller removes its finalizer first and writes the status afterwards, the
object no longer exists. Write the status first, or in that reconcile not at all. A
single 404 is a harmless race. A series of them, or of 409, means that the controller
ignores the responses. Read the object again before the next try, and stop when it is
gone. A violation is the third 404 in a row, or the tenth 409 within a minute, of one
writer on one object. Each write by others excuses two of these 409: the write that it
overtakes, and the next one, if a cache is late.`,
	OnVersion: func(p *Pass) {
		if p.Old != nil && !p.BySameWriter() {
			m := State[refusals](p)
			m.others = append(withinMinute(m.others, p.Now), p.Now)
		}
	},
	OnRequest: func(p *Pass) {
		if p.Request.Verb == "create" || p.Request.Verb == "delete" || p.Request.Code != 404 && p.Request.Code != 409 {
			if m := existingState[refusals](p); m != nil && !p.Request.Refused() {
				m.gone = 0
			}
			return
		}
		m := State[refusals](p)
		if p.Request.Code == 404 {
			if m.gone++; m.gone >= maxGone {
				p.Report("", "%d writes in a row to a deleted object", m.gone)
			}
			return
		}
		m.conflicts, m.others = append(withinMinute(m.conflicts, p.Now), p.Now), withinMinute(m.others, p.Now)
		if len(m.conflicts) >= maxConflicts+2*len(m.others) {
			p.Report("", "%d conflicts within a minute", len(m.conflicts))
			m.conflicts = slices.Delete(m.conflicts, 0, 1)
		}
	},
}

// maxGone is the first 404 in a row that is reported, and maxConflicts the
// first 409 within a minute.
const maxGone, maxConflicts = 3, 10

type refusals struct {
	gone      int
	conflicts []time.Time
	others    []time.Time // writes by others
}
