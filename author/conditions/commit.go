package conditions

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kstatus.dev/author/conditions/metrics"
)

// A Writer reads objects of a cluster and patches their status. Package ctrl has one for the
// client of controller-runtime.
type Writer interface {
	// Get reads the object with the name and namespace of obj into obj. It must read
	// from the API server, not from a cache.
	Get(ctx context.Context, obj Object) error
	// PatchStatus patches the status subresource, and reads the answer into obj.
	PatchStatus(ctx context.Context, obj Object, patch Patch) error
}

// attempts is the default of Options.MaxAttempts.
const attempts = 5

// Commit ends a pass and writes the status. It compares the new status with the
// status at [Set.Begin]. If they are equal, it sends nothing. Otherwise it
// sends one request with the conditions, observedGeneration, and all other
// changes of the status. Then the object holds the response of the API server.
//
// If others have written meanwhile, Commit reads the object again and applies
// the statements of the pass to it. Fields of other writers stay. A pause is not
// applied to a later version, since the pass has not considered it. An object
// that no longer exists is not an error if it was being deleted.
//
// Commit writes everything else if the error is an [InvalidError] or a
// [MissingError]. It writes nothing if the error is [ErrReplaced],
// [ErrSuperseded], [ErrOutdated] or [ErrTooLarge].
func (p *Pass) Commit(ctx context.Context, w Writer) (changed bool, err error) {
	if p.obj == nil {
		return false, errors.New("commit of a plain list of conditions: want an object; use CommitInMemory instead")
	}
	c := &commit{pass: p, writer: w}
	changed, err = c.run(ctx)
	p.report(c, changed, err)
	if err != nil {
		return changed, errors.Join(append([]error{err}, p.invalid...)...)
	}
	return changed, errors.Join(p.invalid...)
}

// commit is the state of a commit.
type commit struct {
	pass      *Pass
	writer    Writer
	conflicts int
	gone      bool
	sent      []entry
	base      *snapshot
}

func (c *commit) run(ctx context.Context) (changed bool, err error) {
	p := c.pass
	changes, err := p.changes()
	if err != nil {
		return false, err
	}
	c.base = p.base
	if p.obj.GetResourceVersion() != p.base.version {
		if err := c.reread(ctx); err != nil || c.gone {
			return false, err
		}
	}
	limit := p.set.options.MaxAttempts
	if limit <= 0 {
		limit = attempts
	}
	for {
		target, patch, err := p.fitPatch(c.base, changes)
		if err != nil || patch.Data == nil {
			return false, err
		}
		err = c.writer.PatchStatus(ctx, p.obj, patch)
		switch {
		case err == nil:
			c.sent = target.entries
			return true, p.verify(target)
		case apierrors.IsNotFound(err):
			return false, c.missing(ctx, err)
		case !apierrors.IsConflict(err):
			return false, fmt.Errorf("%s: write of the status: %w", p.describe(), err)
		}
		if c.conflicts++; c.conflicts >= limit {
			return false, fmt.Errorf("%s: write of the status: conflicts in all %d attempts: %w", p.describe(), limit, err)
		}
		if err := c.reread(ctx); err != nil || c.gone {
			return false, err
		}
	}
}

// reread reads the object again after a conflict.
func (c *commit) reread(ctx context.Context) error {
	p := c.pass
	fresh, err := copyOf(p.obj)
	if err != nil {
		return err
	}
	if err := c.writer.Get(ctx, fresh); err != nil {
		if apierrors.IsNotFound(err) && p.deleting() {
			c.gone = true
			return nil
		}
		return fmt.Errorf("%s: read before the write of the status: %w", p.describe(), err)
	}
	base, err := takeSnapshot(fresh)
	if err != nil {
		return err
	}
	switch {
	case base.uid != p.base.uid:
		return fmt.Errorf("%s: %w", p.describe(), ErrReplaced)
	case base.observed > p.generation && base.observed <= base.generation && p.generation > 0:
		return fmt.Errorf("%s: generation %d is already reported, this pass is about %d: %w", p.describe(), base.observed, p.generation, ErrSuperseded)
	}
	if p.pause != nil && base.version != p.obj.GetResourceVersion() {
		return fmt.Errorf("%s: the pass is about version %s, and the latest is %s: %w", p.describe(), p.obj.GetResourceVersion(), base.version, ErrOutdated)
	}
	c.base = base
	return nil
}

// missing returns the error for an object that is not found: it was deleted, or
// its kind has no status subresource.
func (c *commit) missing(ctx context.Context, cause error) error {
	p := c.pass
	err := c.reread(ctx)
	switch {
	case c.gone:
		return nil
	case err != nil:
		return err
	}
	return errors.Join(&MissingError{Object: p.describe(), Field: "status subresource",
		Remedy: "declare subresources.status in its definition"}, cause)
}

func (p *Pass) deleting() bool {
	return p.base.deleting || p.obj.GetDeletionTimestamp() != nil
}

// report records the transitions and the outcome of a commit.
func (p *Pass) report(c *commit, changed bool, err error) {
	m := p.set.options.Metrics
	if m == nil {
		return
	}
	kind := p.kind()
	for _, e := range c.sent {
		old, _ := find(c.base.entries, e.Type)
		if old.Status == e.Status {
			continue
		}
		t := metrics.Transition{Kind: kind, Namespace: p.obj.GetNamespace(), Name: p.obj.GetName(),
			Type: e.Type, From: old.Status, To: e.Status, Reason: e.Reason}
		if !old.LastTransitionTime.IsZero() {
			t.Duration = max(e.LastTransitionTime.Sub(old.LastTransitionTime.Time), 0)
		}
		m.RecordTransition(t)
	}
	outcome := metrics.OutcomeUnchanged
	switch {
	case c.gone:
		outcome = metrics.OutcomeGone
	case err != nil:
		outcome = metrics.OutcomeFailed
	case changed:
		outcome = metrics.OutcomeWritten
	}
	m.RecordCommit(metrics.Commit{Kind: kind, Namespace: p.obj.GetNamespace(), Name: p.obj.GetName(),
		Outcome: outcome, Conflicts: c.conflicts})
}
