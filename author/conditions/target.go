package conditions

import (
	"fmt"

	"kstatus.dev/internal/decoded"
)

// changes returns the caller's changes of the status, without conditions, as a
// merge patch.
func (p *Pass) changes() (map[string]any, error) {
	if p.pause != nil {
		return nil, nil
	}
	now, err := statusWith(p.obj, p.base.entries)
	if err != nil {
		return nil, err
	}
	before := p.base.status
	if len(p.base.duplicated) > 0 || len(p.base.entries) == 0 {
		if before, err = statusWith(p.base.object, p.base.entries); err != nil {
			return nil, err
		}
	}
	return diff(before, now), nil
}

// maxSize is the size limit of a patch. An object may have 1.5 MiB in etcd,
// including all its other fields.
const maxSize = 1 << 20

// cutTo is the length of messages, in bytes, if the status would be too large.
const cutTo = 1024

// fitPatch returns the new status and its request. It cuts messages if the
// request would be too large. A request without data need not be sent.
func (p *Pass) fitPatch(base *snapshot, changes map[string]any) (*target, Patch, error) {
	for _, limit := range []int{maxMessage, cutTo} {
		t, err := p.target(base, changes, limit)
		if err != nil {
			return nil, Patch{}, err
		}
		patch, err := p.patch(base, t)
		if err != nil || len(patch.Data) <= maxSize {
			return t, patch, err
		}
		p.warn("the status has more than %d bytes: messages were cut to %d", maxSize, cutTo)
	}
	return nil, Patch{}, fmt.Errorf("%s: write of the status: %w", p.describe(), ErrTooLarge)
}

// target is a status to be written.
type target struct {
	status  map[string]any
	entries []entry
}

// target computes the status to be written from the stored one.
func (p *Pass) target(base *snapshot, changes map[string]any, limit int) (*target, error) {
	entries := p.resolve(base)
	for i := range entries {
		if entries[i].raw == nil && len(entries[i].Message) > limit {
			if d, known := p.set.Lookup(entries[i].Type); known && d.isOurs() {
				entries[i].Message = storable(entries[i].Message, limit)
			}
		}
	}
	status := plainMap(base.status)
	if len(base.duplicated) > 0 || !sameEntries(entries, base.entries) {
		var err error
		if status, err = statusWith(base.object, entries); err != nil {
			return nil, err
		}
	}
	merge(status, changes)
	if p.pause == nil {
		p.initialize(base, status)
		if n, ok := p.observedGeneration(base); ok {
			status["observedGeneration"] = n
		}
	}
	return &target{status: status, entries: entries}, nil
}

// observedGeneration returns the new status.observedGeneration. The result is
// false if the status has none.
func (p *Pass) observedGeneration(base *snapshot) (int64, bool) {
	o := p.set.options
	switch {
	case o.NoObservedGeneration, p.generation <= 0:
		return 0, false
	case p.failed && o.HoldGenerationOnFailure:
		return base.observed, base.observed >= 0
	case !p.set.hasSummary() && len(p.statements) == 0:
		return base.observed, base.observed >= 0
	case base.observed > base.generation:
		p.warn("status.observedGeneration was %d, but the object is at generation %d: corrected", base.observed, base.generation)
	}
	return p.generation, true
}

// initialize sets the fields of status.initialization that this pass has
// marked, and restores fields that were true before.
func (p *Pass) initialize(base *snapshot, status map[string]any) {
	marks := map[string]bool{}
	for name := range p.initialized {
		marks[name] = true
	}
	stored := decoded.Map(base.status, "initialization")
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
			p.warn("status.initialization.%s was true, and was changed or removed: restored", name)
		}
		now[name] = true
	}
}

// patch returns the request from the stored status to the new one. It has no
// data if they are equal.
func (p *Pass) patch(base *snapshot, t *target) (Patch, error) {
	changes := diff(base.status, t.status)
	if changes == nil {
		return Patch{}, nil
	}
	owner := ""
	if a := p.set.options.ServerSideApply; a != nil {
		owner = a.FieldOwner
		if patch, ok, err := p.apply(base, t, changes); ok || err != nil {
			return patch, err
		}
	}
	return mergePatch(base.version, owner, changes)
}

// verify checks that the API server and the Go type have kept what was sent.
func (p *Pass) verify(t *target) error {
	kept, err := statusOf(p.obj)
	if err != nil {
		return err
	}
	lost := func(field, remedy string) error {
		return &MissingError{Object: p.describe(), Field: "status." + field, Remedy: remedy}
	}
	if want, ok := t.status["observedGeneration"]; ok && kept["observedGeneration"] != want {
		return lost("observedGeneration", "declare it in the definition and the Go type, or set Options.NoObservedGeneration")
	}
	after, err := takeSnapshot(p.obj)
	if err != nil {
		return err
	}
	for _, e := range t.entries {
		if d, known := p.set.Lookup(e.Type); !known || !d.isOurs() {
			continue
		}
		if c, ok := find(after.entries, e.Type); !ok || c.Status != e.Status {
			return lost("conditions", "keep all conditions in the definition and the Go type; "+e.Type+" was lost")
		}
	}
	want, have := decoded.Map(t.status, "initialization"), decoded.Map(kept, "initialization")
	for _, name := range sortedKeys(want) {
		if want[name] == true && have[name] != true {
			return lost("initialization."+name, "declare it in the definition and the Go type")
		}
	}
	return nil
}
