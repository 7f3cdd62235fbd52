package sets

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Expand adds to the targets the objects that they own, recursively. Selections
// stay unchanged. An object that does not exist owns none.
//
// The error names owned objects that may not be read; the set has all others.
func (c *Cluster) Expand(ctx context.Context, targets ...observe.Target) (Set, error) {
	f, err := c.finder()
	if err != nil {
		return Set{}, err
	}
	x := traversal{finder: f, seen: map[observe.Target]bool{}}
	owners := map[observe.Target]observe.Target{}
	var errs []error
	for level := x.unseen(targets); len(level) > 0; {
		owned := make([][]observe.Target, len(level))
		failed := make([]error, len(level))
		_ = parallel(len(level), func(i int) error {
			owned[i], failed[i] = f.ownedObjects(ctx, level[i])
			return nil
		})
		var next []observe.Target
		for i := range level {
			if failed[i] != nil {
				errs = append(errs, failed[i])
			}
			fresh := x.unseen(owned[i])
			for _, t := range fresh {
				owners[t] = level[i]
			}
			next = append(next, fresh...)
		}
		if len(x.all) > MaxObjects {
			errs = append(errs, fmt.Errorf("want at most %d objects, have more", MaxObjects))
			break
		}
		level = next
	}
	set := f.set(x.all)
	set.Owners = owners
	return set, errors.Join(errs...)
}

// A traversal holds the found objects, so that cycles end.
type traversal struct {
	*finder
	seen map[observe.Target]bool
	all  []observe.Target
}

// unseen returns the targets that were not found before.
func (x *traversal) unseen(targets []observe.Target) (fresh []observe.Target) {
	for _, t := range targets {
		if !x.seen[t] {
			x.seen[t] = true
			x.all = append(x.all, t)
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// ownedObjects returns the objects that an object owns. It sends no request
// unless the kind of the object owns sets.
func (f *finder) ownedObjects(ctx context.Context, t observe.Target) ([]observe.Target, error) {
	if t.IsSelection() {
		return nil, nil
	}
	read, err := f.readerOf(ctx, t.Kind)
	if read == nil || err != nil {
		return nil, err
	}
	m, err := f.mapping(t.Kind)
	if meta.IsNoMatchError(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	u, err := f.get(ctx, m.Resource, t.Namespace, t.Name)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	all, err := read(ctx, f, u)
	if err != nil {
		return all, fmt.Errorf("%s: %w", t, err)
	}
	return all, nil
}

// readerOf returns the reader for the sets of a kind; nil if it owns none.
func (f *finder) readerOf(ctx context.Context, kind status.Kind) (ownerReader, error) {
	if read := ownerReaders[kind]; read != nil {
		return read, nil
	}
	if !f.mayBeCustom(kind) {
		return nil, nil
	}
	s, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	if s.composites[kind] {
		return composite, nil
	}
	return nil, nil
}

// mayBeCustom reports whether a kind may be a custom kind that owns sets.
func (f *finder) mayBeCustom(kind status.Kind) bool {
	_, ruled := f.rules[kind]
	return !ruled && strings.Contains(kind.Group, ".") && !strings.HasSuffix(kind.Group, ".k8s.io")
}

// An ownerReader returns the objects that an object owns.
type ownerReader func(ctx context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error)
