package endpoint

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/deletion"
	"kstatus.dev/clusterapi/move/internal/retry"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/status"
)

// KindOf returns the kind of an item.
func KindOf(i *plan.Item) *management.Kind {
	return &management.Kind{
		GroupVersionKind: schema.GroupVersionKind{Group: i.Group, Version: i.Version, Kind: i.Kind},
		Resource:         i.Resource, Namespaced: i.Namespace != "",
	}
}

// Of returns the client of the kind and the namespace of an item.
func (c *Cluster) Of(i *plan.Item) dynamic.ResourceInterface {
	return c.Resource(KindOf(i), i.Namespace)
}

// Live reads what the cluster has by the name of an item, and returns nil if there is nothing.
func (c *Cluster) Live(ctx context.Context, i *plan.Item) (live *management.Object, err error) {
	err = c.shared.Retry(ctx, "read "+i.Key(), func(ctx context.Context) (err error) {
		live, err = c.Get(ctx, KindOf(i), i.Namespace, i.Name)
		return err
	})
	return live, err
}

// A Known is what is known of an object to delete. The zero Known is always true.
type Known struct {
	Object      *management.Object // as it was read last; nil if it was not
	OwnsNothing bool
}

// Delete deletes the object with the name and the UID of an item safely: see package deletion. It
// calls before with the live object first.
func (c *Cluster) Delete(ctx context.Context, i *plan.Item, known Known, before func(ctx context.Context, live *unstructured.Unstructured) error) error {
	o := deletion.Object{Client: c.Of(i), Name: i.Name, UID: types.UID(i.UID), Unprotected: KindOf(i).MetadataOnly(), OwnsNothing: known.OwnsNothing}
	if known.Object != nil {
		o.Known = known.Object.Unstructured
	}
	return c.shared.Retry(ctx, "delete "+i.Key(), func(ctx context.Context) error { return o.Delete(ctx, before) })
}

// WaitUntilGone waits until the server has removed objects. It returns what is left after the
// timeout.
func (c *Cluster) WaitUntilGone(ctx context.Context, items []*plan.Item, timeout time.Duration) ([]*plan.Item, error) {
	deadline := time.Now().Add(timeout)
	limited, cancel := context.WithDeadlineCause(ctx, deadline, fmt.Errorf("the deletion does not end within %s", timeout))
	defer cancel()
	for delay := retry.FirstDelay; len(items) > 0; delay = min(2*delay, time.Second) {
		left, err := c.left(limited, items)
		if err != nil {
			return nil, err
		}
		switch items = left; {
		case len(items) == 0 || !time.Now().Add(delay).Before(deadline):
			return items, nil
		case !sleep.For(ctx, delay):
			return nil, context.Cause(ctx)
		}
	}
	return nil, nil
}

// left returns the items that exist. It does not look at all of them as long as the last one exists,
// which was deleted last.
func (c *Cluster) left(ctx context.Context, items []*plan.Item) (left []*plan.Item, err error) {
	if last := items[len(items)-1]; len(items) > few {
		states, err := c.OwnStates(ctx, []*plan.Item{last})
		if _, exists := states[types.UID(last.UID)]; err != nil || exists {
			return items, err
		}
	}
	states, err := c.OwnStates(ctx, items)
	if err != nil {
		return nil, err
	}
	for _, i := range items {
		if _, exists := states[types.UID(i.UID)]; exists {
			left = append(left, i)
		}
	}
	return left, nil
}

// Each calls do for each number below n, several at the same time. It repeats a call that fails, and
// returns the errors of all. what names a call in errors.
func (c *Cluster) Each(ctx context.Context, n int, what func(n int) string, do func(ctx context.Context, n int) error) error {
	errs := make([]error, n)
	crash.Each(n, c.shared.Concurrency, func(n int) {
		errs[n] = c.shared.Retry(ctx, what(n), func(ctx context.Context) error { return do(ctx, n) })
	})
	return retry.Join(errs)
}

// A State is what a list of metadata shows about an object.
type State struct {
	UID       types.UID
	ID        status.ID
	Version   string
	IsDeleted bool // it is being deleted
}

// States lists the kinds and namespaces of items, by UID.
func (c *Cluster) States(ctx context.Context, items []*plan.Item) (map[types.UID]State, error) {
	all, err := List(ctx, c, items, func(k *management.Kind, o *metav1.PartialObjectMetadata) (State, bool) {
		id := management.IDOf(k.GroupKind(), o.Namespace, o.Name)
		return State{o.UID, id, o.ResourceVersion, o.DeletionTimestamp != nil}, true
	})
	states := make(map[types.UID]State, len(all))
	for _, s := range all {
		states[s.UID] = s
	}
	return states, err
}

// few is the number of items that are read one by one. If all objects of their kinds were listed, each
// step of a long chain of owners would list all of it.
const few = 5

// OwnStates returns the states of the objects with the names of items, by UID. It may list others too.
func (c *Cluster) OwnStates(ctx context.Context, items []*plan.Item) (map[types.UID]State, error) {
	if len(items) > few {
		return c.States(ctx, items)
	}
	states := map[types.UID]State{}
	for _, i := range items {
		live, err := c.Live(ctx, i)
		if err != nil {
			return nil, err
		}
		if live != nil {
			states[live.GetUID()] = State{live.GetUID(), i.ID(), live.GetResourceVersion(), live.GetDeletionTimestamp() != nil}
		}
	}
	return states, nil
}

// List lists the metadata of all objects of the kinds of items in their namespaces. It returns what
// pick makes of those that it reports true for. pick may be called concurrently.
func List[T any](ctx context.Context, c *Cluster, items []*plan.Item, pick func(*management.Kind, *metav1.PartialObjectMetadata) (T, bool)) (all []T, err error) {
	type place struct {
		resource  schema.GroupVersionResource
		namespace string
	}
	var places []*plan.Item
	seen := map[place]bool{}
	for _, i := range items {
		at := place{KindOf(i).GroupVersionResource(), i.Namespace}
		if !seen[at] {
			seen[at] = true
			places = append(places, i)
		}
	}
	var mu sync.Mutex
	err = c.Each(ctx, len(places), func(n int) string { return "list " + KindOf(places[n]).String() }, func(ctx context.Context, n int) error {
		k := KindOf(places[n])
		var found []T
		err := c.EachMetadata(ctx, k.GroupVersionResource(), places[n].Namespace, func(o *metav1.PartialObjectMetadata) {
			if t, picked := pick(k, o); picked {
				found = append(found, t)
			}
		})
		switch {
		case apierrors.IsNotFound(err):
			return nil // the cluster does not have the kind, so it has no objects of it
		case err != nil:
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, found...)
		return nil
	})
	return all, err
}
