package move

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/copies"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/internal/retry"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/sleep"
)

// verify makes sure that the target has everything before anything is deleted. The source must not
// have changed since the snapshot, and each copy must equal its original. What has changed is
// copied again, until nothing changes any more.
func (m *Mover) verify(ctx context.Context) error {
	err := m.settle(ctx, func(changed []*plan.Item) error { return m.copyAgain(ctx, changed) })
	if err != nil {
		return err
	}
	return m.verifyTarget(ctx)
}

// settle compares the source with the snapshot until it has not changed. A problem that the source
// has meanwhile ends it, such as an object that somebody deletes. again is called with a
// newer snapshot and the items that have changed since the last one.
func (m *Mover) settle(ctx context.Context, again func(changed []*plan.Item) error) error {
	deadline := time.Now().Add(m.o.Timeout)
	limited, cancel := context.WithDeadlineCause(ctx, deadline, fmt.Errorf("the source does not settle within %s", m.o.Timeout))
	defer cancel()
	for delay := retry.FirstDelay; ; delay = min(2*delay, retry.LastDelay) {
		inv, err := m.read(limited)
		if err != nil {
			return err
		}
		if err := m.checkSnapshot(inv); err != nil {
			return err
		}
		if err := m.checkGone(ctx, inv); err != nil {
			return err
		}
		changed := m.changes(inv.Plan)
		if len(changed) == 0 {
			m.inv, m.doc.Plan = inv, inv.Plan
			return nil
		}
		if !time.Now().Add(delay).Before(deadline) {
			return fmt.Errorf("the source still changes although it is paused: %s; find the writer in metadata.managedFields, and stop it", names(changed))
		}
		for _, i := range changed {
			m.note(i.Key(), "it was changed in the source during the move, and is copied again")
		}
		m.inv, m.doc.Plan = inv, inv.Plan
		if err := m.enter(ctx, Verifying, 0); err != nil {
			return err
		}
		if err := again(changed); err != nil {
			return err
		}
		if !sleep.For(ctx, delay) {
			return context.Cause(ctx)
		}
	}
}

// changes returns the items that are new, or have another content or decision than in the plan. It
// adds the items of the plan that are no longer selected.
func (m *Mover) changes(after *plan.Plan) (changed []*plan.Item) {
	known := map[string]*plan.Item{}
	for _, i := range m.doc.Plan.Selected() {
		known[i.UID] = i
	}
	for _, i := range after.Selected() {
		b := known[i.UID]
		delete(known, i.UID)
		if b == nil || b.Decision != i.Decision || b.Hash != i.Hash || b.ResourceVersion != i.ResourceVersion && i.Hash == "" {
			changed = append(changed, i)
		}
	}
	for _, i := range m.doc.Plan.Selected() {
		if known[i.UID] != nil {
			changed = append(changed, i)
		}
	}
	return changed
}

// names returns the names of at most five items.
func names(items []*plan.Item) string {
	var all []string
	for _, i := range items {
		all = append(all, i.Key())
	}
	return few(all)
}

// copyAgain brings the target to a newer snapshot.
func (m *Mover) copyAgain(ctx context.Context, changed []*plan.Item) error {
	is := map[*plan.Item]bool{}
	for _, i := range changed {
		is[i] = true
	}
	steps := planner.Steps(m.doc.Plan)
	for step := range m.doc.Plan.Steps {
		again := slices.DeleteFunc(steps[step], func(i *plan.Item) bool { return !is[i] })
		for _, i := range again {
			delete(is, i)
		}
		if err := m.each(ctx, again, m.createItem); err != nil {
			return err
		}
	}
	if err := m.each(ctx, m.late(), m.setLateOwners); err != nil {
		return err
	}
	gone := slices.DeleteFunc(changed, func(i *plan.Item) bool { return !is[i] })
	return m.each(ctx, gone, m.copies.Remove)
}

// verifyTarget compares each copy that was written since it was compared, and checks that the
// target is complete.
func (m *Mover) verifyTarget(ctx context.Context) error {
	states, err := m.copies.States(ctx, m.doc.Plan.Selected())
	if err != nil {
		return err
	}
	err = m.each(ctx, m.doc.Plan.Selected(), func(ctx context.Context, i *plan.Item) error {
		switch states[i] {
		case copies.Lost:
			return fmt.Errorf("%s: its copy is no longer in the target, or is being deleted there", i.Key())
		case copies.Unchanged:
			return nil
		}
		return m.compareCopy(ctx, i)
	})
	if err != nil {
		return err
	}
	return m.verifyComplete(ctx)
}

// compareCopy reads an object on both sides and compares them.
func (m *Mover) compareCopy(ctx context.Context, i *plan.Item) error {
	var differences string
	err := m.retry(ctx, "compare "+i.Key(), func(ctx context.Context) error {
		original, err := m.original(ctx, i)
		if err == nil {
			differences, err = m.copies.Compare(ctx, i, original)
		}
		return err
	})
	switch {
	case err != nil || differences == "":
		return err
	case m.copies.Of(i).Adopted:
		return &DifferenceError{i.Key(), differences}
	}
	return m.acceptDifference(i.Key(), differences)
}

// verifyComplete makes sure that the controllers of the target have what they need to find the
// existing machines. These are providerID and endpoint in the specs, and the Secrets of each
// Cluster and Machine.
func (m *Mover) verifyComplete(_ context.Context) error {
	selected := map[string]bool{}
	for _, i := range m.doc.Plan.Selected() {
		selected[i.Key()] = true
	}
	var errs []error
	for _, i := range m.doc.Plan.Selected() {
		o := m.inv.Find(i)
		if o == nil {
			continue
		}
		for _, r := range o.References {
			if r.GroupKind() != management.Secret || r.Object == nil {
				continue
			}
			key := plan.Key(r.ID)
			if !selected[key] {
				errs = append(errs, fmt.Errorf("%s: %s in %s is not in the target", i.Key(), key, r.Path))
			}
		}
		p := plan.Problem{Object: i.Key(), Accept: planner.AcceptMissingIdentity}
		if missing := planner.MissingIdentity(o); missing != "" && !isAccepted(p, m.doc.Accept) {
			errs = append(errs, fmt.Errorf("%s: it is provisioned, but %s is empty, so the target would provision it again", i.Key(), missing))
		}
	}
	return retry.Join(errs)
}
