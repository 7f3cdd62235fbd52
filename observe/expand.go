package observe

import (
	"slices"
	"time"
)

// expand follows the members of a target in its place, and stops following its former members.
func (tr *tracker) expand(e Event) (open bool) {
	whole := tr.targets[e.Target]
	if whole == nil {
		return false
	}
	members := make([]Target, 0, len(e.Targets)) // without targets that were requested themselves
	for _, t := range e.Targets {
		if tr.addMember(t) {
			members = append(members, t)
		}
	}
	for _, t := range tr.sets[e.Target] {
		tr.removeMember(t)
	}
	tr.sets[e.Target] = members
	if !slices.Contains(tr.expanded, whole) {
		if whole.verdicts.latest == initial {
			tr.countUnreported(-1) // it never has an update
		}
		tr.expanded = append(tr.expanded, whole)
	}
	tr.removeExpanded()
	return false
}

// addMember follows a member of a target. It returns false if the member was requested itself.
func (tr *tracker) addMember(t Target) bool {
	switch st := tr.targets[t]; {
	case st == nil || st.verdicts.latest.Removed:
		tr.targets[t] = tr.newTarget(t, true)
		tr.countUnreported(1)
	case !st.requested.named:
		st.requested.named = true
		if st.isUnreported() {
			tr.countUnreported(1)
		}
	case tr.members[t] == 0:
		return false
	}
	tr.members[t]++
	return true
}

// removeMember stops following a target when it is no longer a member of any other.
func (tr *tracker) removeMember(t Target) {
	if tr.members[t]--; tr.members[t] > 0 {
		return
	}
	delete(tr.members, t)
	st := tr.targets[t]
	if st == nil {
		return
	}
	st.requested.named = false
	if st.isUnreported() {
		tr.countUnreported(-1)
	}
	if len(st.selections) > 0 {
		return
	}
	delete(tr.targets, t)
	if st.verdicts.latest != initial {
		tr.remove(st)
	}
}

// remove yields a target once more, as Removed.
func (tr *tracker) remove(st *targetState) {
	u := *st.verdicts.latest
	u.Target, u.Progress, u.FailsAt, u.Removed = st.verdicts.own.Target, ProgressIgnored, time.Time{}, true
	st.verdicts.latest, st.timer.next = &u, 0
	tr.enqueue(st)
}

// restore follows a target again that was replaced by its members.
func (tr *tracker) restore(st *targetState) {
	tr.expanded = slices.DeleteFunc(tr.expanded, func(whole *targetState) bool { return whole == st })
	if st.isUnreported() && st.verdicts.latest.Result.Status == "" {
		tr.countUnreported(1) // it has a first update now
	}
	if st.verdicts.latest.Removed {
		u := *st.verdicts.latest
		u.Since = time.Time{}
		st.verdicts.latest = &u
	}
}

// removeExpanded removes the targets that were replaced by their members, after every target has
// had its first update.
func (tr *tracker) removeExpanded() {
	if tr.unreported > 0 {
		return
	}
	for _, st := range tr.expanded {
		tr.remove(st)
	}
	tr.expanded = nil
}

// countUnreported changes the number of requested targets without a first update.
func (tr *tracker) countUnreported(by int) {
	tr.unreported += by
	tr.synced = tr.unreported == 0
}

// isUnreported reports whether the target has not had its first update.
func (st *targetState) isUnreported() bool { return st.verdicts.yielded == initial }
