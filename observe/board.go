package observe

import (
	"cmp"
	"slices"

	"kstatus.dev/status"
)

// A Board holds the latest update of every target. The zero Board is empty.
type Board struct {
	rows   map[Target]*Update
	synced bool
}

// Add records u. An Update without a Target, a sign of life, adds no row. What
// has left its selection loses its row; a selection itself has one only while
// it has too few objects.
func (b *Board) Add(u Update) {
	b.synced = b.synced || u.Synced
	switch {
	case u.Target == Target{}:
		return
	case u.Left, u.Target.IsSelection() && u.Standing == Met:
		delete(b.rows, u.Target)
		return
	}
	if b.rows == nil {
		b.rows = map[Target]*Update{}
	}
	b.rows[u.Target] = &u
}

// Synced reports whether every target has been heard of.
func (b *Board) Synced() bool { return b.synced }

// Len returns how many targets have been heard of.
func (b *Board) Len() int { return len(b.rows) }

// Counts returns how many targets have each status.
func (b *Board) Counts() map[status.Status]int {
	n := map[status.Status]int{}
	for _, u := range b.rows {
		n[u.Result.Status]++
	}
	return n
}

// Standings returns how many targets stand where.
func (b *Board) Standings() map[Standing]int {
	n := map[Standing]int{}
	for _, u := range b.rows {
		n[u.Standing]++
	}
	return n
}

// Updates returns the latest update of every target, the worst first.
func (b *Board) Updates() []Update {
	all := make([]Update, 0, len(b.rows))
	for _, u := range b.rows {
		all = append(all, *u)
	}
	slices.SortFunc(all, func(x, y Update) int {
		return cmp.Or(cmp.Compare(badness(x), badness(y)), x.Target.Compare(y.Target))
	})
	return all
}

// Unmet returns those that are waited for and do not meet their goals, the
// worst first.
func (b *Board) Unmet() []Update {
	return slices.DeleteFunc(b.Updates(), func(u Update) bool { return u.Standing == Met || u.Standing == Ignored })
}

// badness orders updates from the worst, which is zero: failed for good, not
// to be read, being deleted, failing, unknown, on its way, missing, suspended,
// and current.
func badness(u Update) int {
	r := u.Result
	switch {
	case r.Status == status.FailedStatus && r.Failure == status.Terminal:
		return 0
	case u.Standing == Barred:
		return 1
	case r.Status == status.TerminatingStatus:
		return 2
	case r.Status == status.FailedStatus, u.Standing == Failing, u.Standing == Failed:
		return 3
	case r.Status == status.UnknownStatus:
		return 4
	case r.Status == status.InProgressStatus:
		return 5
	case r.Status == status.NotFoundStatus:
		return 6
	case r.Suspended != status.NotSuspended:
		return 7
	}
	return 8
}
