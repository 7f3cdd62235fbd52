package observe

import (
	"cmp"
	"maps"
	"slices"
	"sync/atomic"

	"kstatus.dev/status"
)

// A Board holds the latest update of every target. The zero Board is empty.
type Board struct {
	rows   map[Target]*Update
	synced bool
	counts counts
	sorted atomic.Pointer[[]*Update] // the rows, the worst first; nil after a change
}

// counts are the numbers of rows of each type, so that an outcome need not scan all rows.
type counts struct {
	progress        map[Progress]int
	forbidden       int // unreadable because a permission is missing
	unknown         int // the cluster cannot be reached, or the object is malformed
	timedOutMissing int // timed out, and the objects do not exist
	lost            int // last seen without meeting their goals, in a cluster that cannot be reached
	lostFailing     int // the part of stale that was failing
	deleted         int // failing because they were deleted
}

// count adds a row, or removes it if by is -1.
func (n *counts) count(u *Update, by int) {
	if n.progress == nil {
		n.progress = map[Progress]int{}
	}
	n.progress[u.Progress] += by
	reason := u.Result.Reason
	if u.Progress == ProgressUnreadable && reason == status.ReasonForbidden {
		n.forbidden += by
	}
	if u.Progress == ProgressTimedOut && isNeverSeen(reason) {
		n.timedOutMissing += by
	}
	if u.Progress == ProgressFailing && (reason == status.ReasonDeleted || reason == status.ReasonKindRemoved) {
		n.deleted += by
	}
	if outOfReach := reason == status.ReasonTransport || !u.StaleSince.IsZero(); outOfReach {
		switch u.Progress {
		case ProgressFailing:
			n.lostFailing += by
			n.lost += by
		case ProgressPending, ProgressMissing, ProgressTimedOut:
			n.lost += by
		}
	}
	if u.Progress != ProgressIgnored && (reason == status.ReasonTransport || reason == status.ReasonMalformed || !u.StaleSince.IsZero()) {
		n.unknown += by
	}
}

// Add records u as the latest update of its target. An Update without a Target,
// which is a heartbeat, adds nothing. A target that is Removed loses its update. A
// selection itself is on the board only while it has too few objects.
func (b *Board) Add(u Update) {
	b.synced = b.synced || u.Synced
	if u.Target == (Target{}) {
		return
	}
	b.sorted.Store(nil)
	if before := b.rows[u.Target]; before != nil {
		b.counts.count(before, -1)
		delete(b.rows, u.Target)
	}
	if u.Removed || u.Target.IsSelection() && u.Progress == ProgressReached {
		return
	}
	if b.rows == nil {
		b.rows = map[Target]*Update{}
	}
	b.rows[u.Target] = &u
	b.counts.count(&u, 1)
}

// Synced reports whether every target has had an update.
func (b *Board) Synced() bool { return b.synced }

// Len returns the number of targets on the board.
func (b *Board) Len() int { return len(b.rows) }

// StatusCounts returns the number of targets by status.
func (b *Board) StatusCounts() map[status.Status]int {
	n := map[status.Status]int{}
	for _, u := range b.rows {
		n[u.Result.Status]++
	}
	return n
}

// ProgressCounts returns the number of targets by progress.
func (b *Board) ProgressCounts() map[Progress]int {
	n := map[Progress]int{}
	for progress, count := range b.counts.progress {
		if count > 0 {
			n[progress] = count
		}
	}
	return n
}

// Updates returns the latest update of every target, the worst first.
func (b *Board) Updates() []Update {
	sorted := b.sorted.Load()
	if sorted == nil {
		rows := slices.SortedFunc(maps.Values(b.rows), func(x, y *Update) int { // pointers, because updates are large
			if n := cmp.Compare(rank(x), rank(y)); n != 0 {
				return n
			}
			return x.Target.Compare(y.Target)
		})
		sorted = &rows
		b.sorted.Store(sorted)
	}
	all := make([]Update, len(*sorted))
	for i, u := range *sorted {
		all[i] = *u
	}
	return all
}

// Unmet returns the latest updates of targets that do not meet their goals, the
// worst first. It leaves out ignored targets.
func (b *Board) Unmet() []Update {
	return slices.DeleteFunc(b.Updates(), func(u Update) bool { return u.Progress == ProgressReached || u.Progress == ProgressIgnored })
}

// rank orders updates from the worst, which is zero: failed terminally, unreadable, being
// deleted, failing, unknown, in progress, missing, suspended, and current.
func rank(u *Update) int {
	r := u.Result
	switch {
	case r.Status == status.FailedStatus && r.Failure == status.FailureTerminal:
		return 0
	case u.Progress == ProgressUnreadable:
		return 1
	case r.Status == status.TerminatingStatus:
		return 2
	case r.Status == status.FailedStatus, u.Progress == ProgressFailing, u.Progress == ProgressFailed:
		return 3
	case r.Status == status.UnknownStatus:
		return 4
	case r.Status == status.InProgressStatus:
		return 5
	case r.Status == status.NotFoundStatus:
		return 6
	case r.Suspended != "":
		return 7
	}
	return 8
}
