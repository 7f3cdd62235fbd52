package move

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/clusterapi/move/internal/copies"
	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/internal/retry"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/crash"
	"kstatus.dev/status"
)

// A NotPausedError says that the source is no longer paused by the move, so its controllers may
// work on the originals.
type NotPausedError struct {
	Object string
	Writer string // the field manager that has written the object last
}

// Error names the object and its writer.
func (e *NotPausedError) Error() string {
	return fmt.Sprintf("%s is no longer paused by this move in the source: %s has written it; stop that writer, then resume", e.Object, e.Writer)
}

// A StatusError says that a controller of the source has written a status although the move has
// paused it.
type StatusError struct {
	Object string
	Writer string // the field manager of the write
}

// Error names the object and its writer.
func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: %s has written its status in the source after the pause; find out why this controller still works, then resume", e.Object, e.Writer)
}

// A CollisionError says that somebody has created an object again that the move copies. So there
// are two objects of its name with different content, and both stay.
type CollisionError struct {
	Object string
	Writer string // the field manager that has written the object of the source last
	Since  time.Time
}

// Error says where both objects are.
func (e *CollisionError) Error() string {
	return fmt.Sprintf("%s: the target has the copy of an original that is gone; since %s, %s has another one in the source; delete one, then resume",
		e.Object, e.Since.UTC().Format(time.RFC3339), e.Writer)
}

// A LastCopyError says that somebody has deleted originals from the source whose copies the move
// would delete too.
type LastCopyError struct{ Objects []string }

// Error names at most five objects.
func (e *LastCopyError) Error() string {
	return fmt.Sprintf("the source no longer has %s, so the target has the last copy; save it if you need it, delete it, then go on", few(e.Objects))
}

// lastCopies returns a LastCopyError, and nil if no object is named.
func lastCopies(objects []string) error {
	if len(objects) == 0 {
		return nil
	}
	return &LastCopyError{objects}
}

// few returns at most five names.
func few(names []string) string {
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if left := len(names) - most; left > 0 {
		text += fmt.Sprintf(" and %d other objects", left)
	}
	return text
}

// named returns the name of a field manager for a message.
func named(writer string) string { return facts.Name(cmp.Or(writer, "an unknown client")) }

// collision returns the error for an object of the source whose name another original had.
func collision(i *plan.Item, live *unstructured.Unstructured) error {
	f := facts.Of(live)
	return &CollisionError{i.Key(), named(f.SpecWriter()), live.GetCreationTimestamp().Time}
}

// rootsToMove returns the items that the move has paused in the source.
func (m *Mover) rootsToMove() (roots []*plan.Item) {
	for _, i := range m.doc.Plan.Selected() {
		if i.Root && i.Decision == plan.Move {
			roots = append(roots, i)
		}
	}
	return roots
}

// checkRoots calls check with what the source has by the names of the roots, several at the same
// time. It returns the errors of all.
func (m *Mover) checkRoots(ctx context.Context, check func(i *plan.Item, live *unstructured.Unstructured) error) error {
	roots := m.rootsToMove()
	errs := make([]error, len(roots))
	crash.Each(len(roots), m.o.Concurrency, func(n int) {
		live, err := m.source.Live(ctx, roots[n])
		if err == nil && live != nil {
			err = check(roots[n], live.Unstructured)
		}
		errs[n] = err
	})
	return retry.Join(errs)
}

// checkPaused returns an error unless this move still pauses everything that it moves. What is no
// longer in the source is ignored.
func (m *Mover) checkPaused(ctx context.Context) error { return m.checkRoots(ctx, m.isPaused) }

// isPaused returns an error unless this move pauses an original.
func (m *Mover) isPaused(i *plan.Item, live *unstructured.Unstructured) error {
	f := facts.Of(live)
	if string(f.UID) != i.UID || f.IsPaused && f.Record != nil && f.Record.By == m.by() {
		return nil
	}
	return &NotPausedError{i.Key(), named(f.SpecWriter())}
}

// checkStatus returns an error if the status of an original was written since the snapshot. It
// ignores kinds that no pause reaches.
func (m *Mover) checkStatus(i *plan.Item, live *unstructured.Unstructured) error {
	o := m.inv.Find(i)
	isPaused := i.Root || len(i.Clusters) > 0
	if i.Decision != plan.Move || !isPaused || o == nil || o.GetResourceVersion() == live.GetResourceVersion() {
		return nil
	}
	if facts.WorkHash(o.Unstructured) == facts.WorkHash(live) {
		return nil
	}
	before, after := facts.Of(o.Unstructured), facts.Of(live)
	return &StatusError{i.Key(), named(after.StatusWriter(&before))}
}

// checkSourceIsEmpty returns an error if the source has an object with the name of a root. If the
// move activated the copy too, two controllers would manage the same machines.
func (m *Mover) checkSourceIsEmpty(ctx context.Context) error { return m.checkRoots(ctx, collision) }

// checkCopies returns an error unless the target has the copy of each item.
func (m *Mover) checkCopies(ctx context.Context, items []*plan.Item) error {
	states, err := m.copies.States(ctx, items)
	if err != nil {
		return err
	}
	var lost []string
	for _, i := range items {
		switch state := states[i]; {
		case state == copies.Lost:
			lost = append(lost, i.Key())
		case state == copies.Changed && m.copies.Of(i).Adopted:
			if err := m.compareCopy(ctx, i); err != nil {
				return err
			}
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("the target has no copy of %s; nothing more is deleted from the source", few(lost))
	}
	return nil
}

// checkGone returns an error if the target has copies of originals that the source no longer has.
func (m *Mover) checkGone(ctx context.Context, inv *planner.Inventory) error {
	var last []string
	for _, i := range m.doc.Plan.Selected() {
		if m.target == nil || inv.Find(i) != nil {
			continue
		}
		switch have, err := m.target.Live(ctx, i); {
		case err != nil:
			return err
		case have != nil && m.copies.IsCopy(have.Unstructured, types.UID(i.UID)):
			last = append(last, i.Key())
		}
	}
	return lastCopies(last)
}

// pauseAgain pauses what is left of the source, and waits until every controller has acknowledged
// that. Somebody may have ended the pause while the move was interrupted.
func (m *Mover) pauseAgain(ctx context.Context, left map[types.UID]endpoint.State) error {
	var targets []status.ID
	for _, i := range m.rootsToMove() {
		if s, exists := left[types.UID(i.UID)]; exists && !s.IsDeleted {
			targets = append(targets, i.ID())
		}
	}
	if len(targets) == 0 {
		return nil
	}
	return m.pause(ctx, targets)
}
