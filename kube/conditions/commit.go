package conditions

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// A Writer reads and writes objects of a cluster. Package ctrl has one that
// uses the client of controller-runtime.
type Writer interface {
	// Get reads an object anew from the API server, not from a cache. The
	// object says which; what it holds is replaced.
	Get(ctx context.Context, obj Object) error
	// PatchStatus sends one patch of the status subresource, and replaces what
	// the object holds by the answer.
	PatchStatus(ctx context.Context, obj Object, patch Patch) error
}

// attempts is how often a commit is sent at most, unless the options say.
const attempts = 5

// Commit ends a pass: it compares what the status is to be with what it was
// when the pass began, and sends nothing if that is the same, else one request
// with the conditions, the observedGeneration and what else the author has
// changed of the status. After it the object is as the API server has answered.
//
// If others have written meanwhile, the object is read again and what this
// pass has to say is said of the new one: what others own stays theirs. An
// object that is gone is no error while it is being deleted.
//
// An error about statements against the declaration ([InvalidError]) comes
// with everything else written.
func (p *Pass) Commit(ctx context.Context, w Writer) (changed bool, err error) {
	if p.obj == nil {
		return false, errors.New("commit of a plain list of conditions: want an object, Settle ends such a pass")
	}
	c := &commit{pass: p, writer: w}
	changed, err = c.run(ctx)
	p.report(c, changed, err)
	if err != nil {
		return false, errors.Join(append([]error{err}, p.invalid...)...)
	}
	return changed, errors.Join(p.invalid...)
}

// commit is one commit under way.
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
	limit := p.set.options.Attempts
	if limit <= 0 {
		limit = attempts
	}
	for {
		target, err := p.target(c.base, changes)
		if err != nil {
			return false, err
		}
		patch, needed, err := p.patch(c.base, target)
		if err != nil || !needed {
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
			return false, fmt.Errorf("%s: write of the status: others have written each of %d times: %w", p.describe(), limit, err)
		}
		if err := c.reread(ctx); err != nil || c.gone {
			return false, err
		}
	}
}

// reread takes the object as it is now as what to compare with.
func (c *commit) reread(ctx context.Context) error {
	p := c.pass
	fresh := p.obj.DeepCopyObject().(Object)
	if err := c.writer.Get(ctx, fresh); err != nil {
		if apierrors.IsNotFound(err) && p.deleting() {
			c.gone = true
			return nil
		}
		return fmt.Errorf("%s: read before the write of the status: %w", p.describe(), err)
	}
	base, err := read(fresh)
	if err != nil {
		return err
	}
	switch {
	case base.uid != p.base.uid:
		return fmt.Errorf("%s: %w", p.describe(), ErrReplaced)
	case base.observed > p.generation && base.observed <= base.generation && p.generation > 0:
		return fmt.Errorf("%s: generation %d was reported on, this is about %d: %w", p.describe(), base.observed, p.generation, ErrSuperseded)
	}
	c.base = base
	return nil
}

// missing tells an object that is gone from a kind without a status to patch.
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
		Remedy: "its definition has to declare subresources.status"}, cause)
}

func (p *Pass) deleting() bool {
	return p.base.deleting || p.obj.GetDeletionTimestamp() != nil
}

// changes is what the author has changed of the status besides conditions, as
// a merge patch.
func (p *Pass) changes() (map[string]any, error) {
	if p.pause != nil {
		return nil, nil
	}
	now, err := statusWith(p.obj, p.base.entries)
	if err != nil {
		return nil, err
	}
	before, err := statusWith(p.base.object, p.base.entries)
	if err != nil {
		return nil, err
	}
	return diff(before, now), nil
}

// target is a status as it is to be.
type target struct {
	status  map[string]any
	entries []entry
}

// target is the status that this pass wants, given what is stored.
func (p *Pass) target(base *snapshot, changes map[string]any) (*target, error) {
	entries := p.settle(base)
	status, err := statusWith(base.object, entries)
	if err != nil {
		return nil, err
	}
	merge(status, changes)
	if p.pause == nil {
		p.initialize(base, status)
		if n, ok := p.observed(base); ok {
			status["observedGeneration"] = n
		}
	}
	return &target{status: status, entries: entries}, nil
}

// observed is the generation that the status is to say it has observed, if
// this pass has anything to say about that.
func (p *Pass) observed(base *snapshot) (int64, bool) {
	o := p.set.options
	switch {
	case o.NoObservedGeneration, p.generation <= 0:
		return 0, false
	case p.failed && o.HoldGeneration:
		return base.observed, base.observed >= 0
	case !p.set.summarized() && len(p.stated) == 0:
		return base.observed, base.observed >= 0
	case base.observed > base.generation:
		p.warn("status.observedGeneration was %d, the object is at generation %d: set right", base.observed, base.generation)
	}
	return p.generation, true
}

// initialize sets what this pass has marked, and what was set before.
func (p *Pass) initialize(base *snapshot, status map[string]any) {
	marks := map[string]bool{}
	for name := range p.initialized {
		marks[name] = true
	}
	stored, _ := base.status["initialization"].(map[string]any)
	for name, v := range stored {
		if v == true {
			marks[name] = true
		}
	}
	if len(marks) == 0 {
		return
	}
	now, ok := status["initialization"].(map[string]any)
	if !ok {
		now = map[string]any{}
		status["initialization"] = now
	}
	for _, name := range sortedKeys(marks) {
		if stored[name] == true && now[name] != true {
			p.warn("status.initialization.%s was true and is to stay true: it had been taken back", name)
		}
		now[name] = true
	}
}

// patch is the request that makes the stored status the wanted one, and
// whether any is needed.
func (p *Pass) patch(base *snapshot, t *target) (Patch, bool, error) {
	changes := diff(base.status, t.status)
	if changes == nil {
		return Patch{}, false, nil
	}
	owner := ""
	if a := p.set.options.Apply; a != nil {
		owner = a.FieldOwner
		if patch, ok, err := p.apply(base, t, changes); ok || err != nil {
			return patch, true, err
		}
	}
	patch, err := mergePatch(base.version, owner, changes)
	return patch, true, err
}

// verify tells whether the API server and the Go type have kept what was sent.
func (p *Pass) verify(t *target) error {
	kept, err := statusOf(p.obj)
	if err != nil {
		return err
	}
	lost := func(field, remedy string) error {
		return &MissingError{Object: p.describe(), Field: "status." + field, Remedy: remedy}
	}
	if want, ok := t.status["observedGeneration"]; ok && kept["observedGeneration"] != want {
		return lost("observedGeneration", "declare it, or set Options.NoObservedGeneration")
	}
	after, err := read(p.obj)
	if err != nil {
		return err
	}
	for _, e := range t.entries {
		if c, ok := find(after.entries, e.Type); !ok && e.Type != "" || c.Status != e.Status {
			return lost("conditions", "the definition and the Go type have to keep conditions; "+e.Type+" was lost")
		}
	}
	want, _ := t.status["initialization"].(map[string]any)
	have, _ := kept["initialization"].(map[string]any)
	for _, name := range sortedKeys(want) {
		if want[name] == true && have[name] != true {
			return lost("initialization."+name, "declare it in the definition and the Go type")
		}
	}
	return nil
}

// report tells the metrics how a commit has ended.
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
		t := Transition{Kind: kind, Namespace: p.obj.GetNamespace(), Name: p.obj.GetName(),
			Type: e.Type, From: old.Status, To: e.Status, Reason: e.Reason}
		if !old.LastTransitionTime.IsZero() {
			t.After = max(e.LastTransitionTime.Sub(old.LastTransitionTime.Time), 0)
		}
		m.Transition(t)
	}
	outcome := Suppressed
	switch {
	case c.gone:
		outcome = Gone
	case err != nil:
		outcome = Refused
	case changed:
		outcome = Sent
	}
	m.Committed(Committed{Kind: kind, Namespace: p.obj.GetNamespace(), Name: p.obj.GetName(),
		Outcome: outcome, Conflicts: c.conflicts})
}
