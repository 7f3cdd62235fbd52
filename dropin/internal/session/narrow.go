package session

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/kube/watcher"
)

// A level is how much one scope reads.
type level int

const (
	scopePlace     level = iota // the place of the caller
	scopeNamespace              // one namespace of it
	scopeName                   // one object, with a watch
	scopeGet                    // one object, with reads at an interval
)

// getInterval is the time between two reads of an object that may not be watched.
const getInterval = 3 * time.Second

// narrow replaces a scope that may not be read by smaller ones. It returns false if there is no
// smaller one, and in the mode that sends the events of the original.
func (k *kindWatch) narrow(mapping *meta.RESTMapping, err error) bool {
	if !k.s.right() || !apierrors.IsForbidden(err) || len(k.ids) == 0 || k.level == scopeGet {
		return false
	}
	namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace
	k.box.Mark(change{op: opReplaced, start: func() { k.startSmaller(namespaced) }}) // after all that was read
	return true
}

// startSmaller starts the watches of smaller scopes.
func (k *kindWatch) startSmaller(namespaced bool) {
	if k.level == scopePlace && k.place.Namespace == "" && namespaced {
		byNamespace := map[string]object.ObjMetadataSet{}
		for _, id := range k.ids {
			byNamespace[id.Namespace] = append(byNamespace[id.Namespace], id)
		}
		for namespace, ids := range byNamespace {
			k.s.watch(Place{k.place.Kind, namespace}, ids, scopeNamespace, k.seen(ids)...)
		}
	} else {
		next := scopeName
		if k.level == scopeName {
			next = scopeGet
		}
		for _, id := range k.ids {
			ids := object.ObjMetadataSet{id}
			k.s.watch(Place{k.place.Kind, k.place.Namespace}, ids, next, k.seen(ids)...)
		}
	}
}

// seen returns the targets that exist, as they were last seen, for the watch that reads them next.
func (k *kindWatch) seen(ids object.ObjMetadataSet) (all []target) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range ids {
		if t := k.targets[id]; t != nil && t.exists {
			all = append(all, target{id: id, exists: true, data: t.data, version: t.version, last: t.last, ending: t.ending, age: t.age})
		}
	}
	return all
}

// poll reads the object at an interval, until an error ends it.
func (k *kindWatch) poll(ctx context.Context, mapping *meta.RESTMapping) {
	res := k.resource(mapping)
	var pause watcher.Pause
	id := k.ids[0]
	for ctx.Err() == nil {
		u, err := res.Get(ctx, id.Name, metav1.GetOptions{})
		switch {
		case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
			k.denied = err
			return
		case err != nil && !apierrors.IsNotFound(err):
			pause.Wait(ctx, maxPause)
			continue
		case err != nil:
			k.box.Mark(change{op: opBegin})
			k.box.Mark(change{op: opEnd})
		default:
			k.box.Mark(change{op: opBegin})
			k.put(u)
			k.box.Mark(change{op: opEnd})
		}
		k.wait(ctx, getInterval)
	}
}
