package observe

import (
	"fmt"
	"slices"

	"kstatus.dev/status"
)

// judgeSelection computes the verdict on a selection: whether it has the required number of
// objects. A wait for absence requires none. The first of several selections that are counted
// together has the verdict on all of them.
func (tr *tracker) judgeSelection(st *targetState, u *Update) {
	least, together, members, kinds := max(1, tr.watcher.MinObjects), tr.together[st], st.members, ""
	if len(together) > 0 {
		members, kinds = 0, fmt.Sprintf(" of %d types", len(together))
		for _, each := range together {
			members += each.members
		}
	}
	if st.requested.requirements.awaitsAbsence() || members >= least || len(together) > 0 && together[0] != st {
		u.Result = status.Result{Status: status.CurrentStatus, Reason: "NoStatusExpected", Confidence: status.ConfidenceExplicit,
			Message: fmt.Sprintf("%d objects match", st.members)}
		return
	}
	u.Result.Message = fmt.Sprintf("%d of %d objects%s match", members, least, kinds)
	if members == 0 {
		u.Result.Message = fmt.Sprintf("no object%s matches; at least %d must exist", kinds, least)
	}
}

// countTogether records which selections are counted together.
func (tr *tracker) countTogether() {
	for _, group := range tr.watcher.Together {
		var together []*targetState
		for _, t := range group {
			if st := tr.targets[t]; st != nil {
				together = append(together, st)
			}
		}
		if len(together) < 2 {
			continue
		}
		for _, st := range together {
			if tr.together == nil {
				tr.together = map[*targetState][]*targetState{}
			}
			tr.together[st] = together
		}
	}
}

// applyToMember applies an observation to an object of a selection.
func (tr *tracker) applyToMember(selection *targetState, obs observation, now offset) (open bool) {
	st := tr.targets[obs.Target]
	in := st != nil && slices.Contains(st.selections, selection)
	if obs.result.Status == status.TerminatingStatus && tr.dropsDeleted(obs.Target, st) {
		obs = tr.judge(Event{Target: obs.Target, Of: obs.Of})
	}
	switch {
	case !in && obs.Object == nil:
		return false
	case obs.Object == nil && obs.Err == nil:
		return tr.deselect(selection, st, obs, now)
	case st == nil:
		st = tr.newTarget(obs.Target, false)
		tr.targets[obs.Target] = st
	}
	if !in {
		st.selections = append(st.selections, selection)
		selection.members++
	}
	if !st.isOutdated(obs) {
		tr.apply(st, obs, now)
	}
	open = tr.enqueue(st)
	if !in {
		tr.recount(selection, now)
	}
	return open
}

// dropsDeleted reports whether an object leaves its selection while it is being deleted. st is
// nil for a new object.
func (tr *tracker) dropsDeleted(t Target, st *targetState) bool {
	r := tr.requirementsOf(t)
	ignored := r.Ignore || st != nil && st.requested.ignore
	return !r.KeepDeleted && !r.awaitsAbsence() && !ignored
}

// deselect removes an object from a selection. If nothing else requests the
// object, it counts as deleted. An object that has completed stays a member.
func (tr *tracker) deselect(selection, st *targetState, obs observation, now offset) (open bool) {
	last := !st.requested.named && len(st.selections) == 1
	if !last || st.life.finish != succeeded || st.requested.requirements.awaitsAbsence() {
		st.selections = slices.DeleteFunc(st.selections, func(each *targetState) bool { return each == selection })
		selection.members--
	}
	if last {
		tr.apply(st, obs, now)
	}
	tr.recount(selection, now) // first, so that a wait does not end between the two updates
	return tr.enqueue(st)
}

// isDeselected reports whether the target no longer belongs to any selection, and nothing else
// requests it. A wait for absence still yields its deletion.
func (st *targetState) isDeselected(u *Update) bool {
	return !st.requested.named && len(st.selections) == 0 && u.Progress != ProgressReached
}

// isOutdated reports whether an object with several sources has already been seen at a later
// version. If the object is also requested by its name and does not exist there, a selection
// that is behind does not restore it.
func (st *targetState) isOutdated(obs observation) bool {
	if obs.Object == nil || !st.life.existed || len(st.selections) < 2 && !(st.requested.named && len(st.selections) == 1) {
		return false
	}
	have, v := st.verdicts.own.Version, versionOf(obs.Object)
	if st.requested.named && obs.Of != (Target{}) && st.verdicts.own.Result.Status == status.NotFoundStatus && v.UID != "" && v.UID == have.UID {
		return true
	}
	order, ok := compareVersions(v.ResourceVersion, have.ResourceVersion)
	return ok && order < 0 && v.UID == have.UID
}

// recount judges a selection again because its number of objects has changed. It
// waits for the first list of the objects.
func (tr *tracker) recount(selection *targetState, now offset) {
	if together := tr.together[selection]; len(together) > 0 {
		selection = together[0]
	}
	if selection.verdicts.own.Result.Status != "" && selection.verdicts.own.Err == nil {
		tr.apply(selection, tr.judge(Event{Target: selection.verdicts.own.Target}), now)
		tr.enqueue(selection)
	}
}

// propagate applies an event of a selection to its objects. The event says that the selection
// cannot be read, can be read again, or has a kind that is no longer served. It skips objects that
// are also observed in other ways.
func (tr *tracker) propagate(selection *targetState, obs observation, now offset) {
	for t, st := range tr.targets {
		if st.requested.named || len(st.selections) != 1 || st.selections[0] != selection {
			continue
		}
		switch {
		case obs.result.Reason == status.ReasonNoMatch:
			tr.deselect(selection, st, tr.judge(Event{Target: t}), now)
		case obs.Err != nil && st.verdicts.own.Result.Status == status.NotFoundStatus: // it is known not to exist
		case obs.Err != nil:
			tr.apply(st, observation{Event{Target: t, Err: obs.Err}, obs.result, nil}, now)
			tr.enqueue(st)
		case st.clocks.staleSince != 0:
			st.markReachable(now)
			u := *st.verdicts.own
			u.Err = nil
			st.verdicts.own = &u
			tr.updateVerdict(st, now)
			tr.enqueue(st)
		}
	}
}
