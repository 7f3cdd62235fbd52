package sets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// FindAll finds all objects with the labels in a namespace, or in all namespaces if it is
// empty. It leaves out:
//   - kinds without namespaces, and kinds without a status, such as ConfigMap, Secret,
//     Role, Lease and EndpointSlice.
//   - objects that a controller has created for another object in the set, such as the Pods of a
//     Deployment. The status of the owner includes theirs.
//
// With Deleting, it also finds objects of the kinds without a status that are being deleted. It then
// finds objects of controllers too, if they have been due for deletion for a minute. That takes one
// more list for each of these kinds. A kind that may not be listed is left out without a note.
//
// One note names the kinds that may not be listed, another the API servers that do not
// answer. The error is not nil if nothing may be listed.
func (c *Cluster) FindAll(ctx context.Context, namespace, labels string) (Set, error) {
	f, err := c.finder()
	if err != nil {
		return Set{}, err
	}
	s, err := f.discover(ctx)
	if err != nil {
		return f.set(nil), err
	}
	kinds := slices.DeleteFunc(slices.Clone(s.kinds), func(r resource) bool { return !r.namespaced || !f.hasStatus(r.kind) })
	counted := len(kinds)
	if f.Deleting {
		others := slices.DeleteFunc(slices.Clone(s.kinds), func(r resource) bool { return !r.namespaced || f.hasStatus(r.kind) || isRecord(r.kind) })
		kinds = append(kinds, others...)
	}
	listed := make([][]metav1.PartialObjectMetadata, len(kinds))
	failed := make([]error, counted)
	_ = parallel(len(kinds), func(i int) error {
		if i < counted {
			listed[i], failed[i] = f.list(ctx, kinds[i].GroupVersionResource, namespace, labels)
		} else {
			listed[i] = f.listDeleting(ctx, kinds[i], namespace, labels)
		}
		return nil
	})
	if err := f.noteUnlisted(kinds[:counted], failed, s.unavailable); err != nil {
		return f.set(nil), err
	}
	all := withoutOwned(kinds, listed, f.Deleting)
	if len(all) > MaxObjects {
		return f.set(nil), fmt.Errorf("want at most %d objects, have %d", MaxObjects, len(all))
	}
	return f.set(all), nil
}

// hasStatus reports whether objects of a kind may have a status other than
// Current.
func (f *finder) hasStatus(kind status.Kind) bool { return !isRecord(kind) && !f.rules[kind].NoStatus }

// noteUnlisted notes the kinds that could not be listed. It returns an error if
// all failed.
func (f *finder) noteUnlisted(kinds []resource, failed []error, silent []string) error {
	var denied, unreadable []string
	var first error
	for i, err := range failed {
		what := kinds[i].GroupResource().String()
		switch {
		case err == nil, apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err), apierrors.IsNotAcceptable(err):
			continue
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return err
		case apierrors.IsForbidden(err):
			denied = append(denied, what)
		default:
			unreadable = append(unreadable, what)
		}
		if first == nil || apierrors.IsForbidden(err) && !apierrors.IsForbidden(first) {
			first = err
		}
	}
	if len(denied) == len(kinds) && len(denied) > 1 {
		return fmt.Errorf("you may list none of the %d kinds, for example: %w", len(kinds), first)
	}
	if first != nil && len(denied)+len(unreadable) == len(kinds) {
		return first
	}
	if len(denied) > 0 {
		f.note("left out, because you may not list them: %s", strings.Join(denied, ", "))
	}
	if unreadable = append(unreadable, silent...); len(unreadable) > 0 {
		f.note("left out, because their API server does not answer: %s", strings.Join(unreadable, ", "))
	}
	return nil
}

// listDeleting reads the metadata of objects that are being deleted, as far as they may be listed.
func (f *finder) listDeleting(ctx context.Context, r resource, namespace, labels string) []metav1.PartialObjectMetadata {
	f.record(Permission{Verb: "list", Group: r.Group, Resource: r.Resource, Namespace: namespace, Optional: true})
	all, _ := f.listAll(ctx, r.GroupVersionResource, namespace, labels) // an error leaves the kind out
	return slices.DeleteFunc(all, func(m metav1.PartialObjectMetadata) bool { return m.DeletionTimestamp == nil })
}

// deletionDelay is how long the deletion of an object of a controller may take before it is found.
const deletionDelay = time.Minute

// withoutOwned removes objects that a controller has created for another object of the list. With
// deleting, it keeps those whose deletion is overdue. An object that several groups serve counts
// once.
func withoutOwned(kinds []resource, listed [][]metav1.PartialObjectMetadata, deleting bool) (all []observe.Target) {
	owners := map[types.UID]types.UID{} // maps objects to the objects for which they were created
	for _, some := range listed {
		for i := range some {
			owner := types.UID("")
			if c := metav1.GetControllerOfNoCopy(&some[i]); c != nil {
				owner = c.UID
			}
			owners[some[i].UID] = owner
		}
	}
	seen := map[types.UID]bool{}
	for i, some := range listed {
		for _, m := range some {
			_, made := owners[owners[m.UID]]
			isStuck := deleting && m.DeletionTimestamp != nil && time.Since(m.DeletionTimestamp.Time) > deletionDelay
			if made && !isStuck && !inCycle(owners, m.UID) || seen[m.UID] {
				continue
			}
			seen[m.UID] = true
			all = append(all, observe.Target{Kind: kinds[i].kind, Namespace: m.Namespace, Name: m.Name})
		}
	}
	slices.SortFunc(all, observe.Target.Compare)
	return all
}

// inCycle reports whether the owners form a cycle, so that none of them can
// represent the others.
func inCycle(owners map[types.UID]types.UID, uid types.UID) bool {
	for range 100 {
		owner, found := owners[uid]
		if !found || owner == "" {
			return false
		}
		uid = owner
	}
	return true
}
