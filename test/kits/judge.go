package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// judgement is what a watcher has observed about one controller.
type judgement struct {
	versions    int // written by the controller
	wrongTimes  int // transition times that moved without the status, or the other way round
	oldReady    int // versions of the controller that report Ready for a generation that they have not observed
	torn        int // versions of the controller with a successor from the same reconcile
	firstTypes  int // the types of the first report, out of four
	lostForeign bool
	behind      int // reconciles that left an old observed generation beside conditions of the new one
}

// follow watches the Server of a world from its creation on.
func follow(ctx context.Context, w *world) (watch.Interface, error) {
	s, err := w.read(ctx)
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(version.WithKind("ServerList"))
	return w.users.Watch(ctx, list, client.InNamespace(w.key.Namespace), client.MatchingFields{"metadata.name": w.key.Name},
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: s.ResourceVersion}})
}

// until collects the versions up to a given one.
func until(ctx context.Context, events watch.Interface, last string) (all []*Server, err error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case event, open := <-events.ResultChan():
			u, ok := event.Object.(*unstructured.Unstructured)
			if !open || !ok {
				return nil, fmt.Errorf("watch ended with %v", event.Object)
			}
			s := &Server{}
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, s); err != nil {
				return nil, err
			}
			all = append(all, s)
			if s.ResourceVersion == last {
				return all, nil
			}
		}
	}
}

// judge evaluates all versions in order. ends are the final versions of the reconciles.
func judge(versions []*Server, others, ends map[string]bool) (j judgement) {
	before := &Server{}
	foreign := false
	for _, s := range versions {
		mine := !others[s.ResourceVersion]
		if mine {
			j.versions++
			if !ends[s.ResourceVersion] {
				j.torn++
			}
			if r := s.condition(ready); r.Status == metav1.ConditionTrue && (s.Status.ObservedGeneration < s.Generation || r.ObservedGeneration < s.Generation) {
				j.oldReady++
			}
		}
		if mine && j.firstTypes == 0 {
			for _, typ := range []string{ready, serverUp, degraded, paused} {
				if s.condition(typ).Type != "" {
					j.firstTypes++
				}
			}
		}
		for _, c := range s.Status.Conditions {
			was := before.condition(c.Type)
			if was.Type != "" && (was.Status == c.Status) != was.LastTransitionTime.Equal(&c.LastTransitionTime) {
				j.wrongTimes++
			}
		}
		there := s.condition("Scanned").Type != ""
		j.lostForeign = j.lostForeign || foreign && !there
		foreign = foreign || there
		before = s
	}
	return j
}
