package main

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/test/lib/apply"
)

// A change is a change of an object.
type change struct {
	name   string
	weight int
	do     func(s *soakRun, ctx context.Context) error
}

var allChanges = []change{
	{"rollout", 12, func(s *soakRun, ctx context.Context) error {
		return s.template(ctx, deployments, "step", s.randomJSON())
	}},
	{"rollout of a StatefulSet", 2, func(s *soakRun, ctx context.Context) error {
		return s.template(ctx, statefulSets, "step", s.randomJSON())
	}},
	{"scale", 8, func(s *soakRun, ctx context.Context) error {
		return s.patch(ctx, deployments, fmt.Sprintf(`{"spec":{"replicas":%d}}`, s.rng.IntN(4)))
	}},
	{"crash", 2, func(s *soakRun, ctx context.Context) error {
		return s.template(ctx, deployments, "kstatus.dev/pod", `"crash-loop"`)
	}},
	{"recovery", 6, func(s *soakRun, ctx context.Context) error {
		return s.template(ctx, deployments, "kstatus.dev/pod", `null`)
	}},
	{"change of a Gadget", 12, func(s *soakRun, ctx context.Context) error {
		return s.patch(ctx, gadgets, fmt.Sprintf(`{"spec":{"step":%d}}`, s.rng.IntN(1000)))
	}},
	{"change of a ConfigMap", 6, func(s *soakRun, ctx context.Context) error {
		return s.patch(ctx, configMaps, fmt.Sprintf(`{"data":{"step":%s}}`, s.randomJSON()))
	}},
	{"Job", 8, func(s *soakRun, ctx context.Context) error {
		return s.randomObject(jobs).create(ctx, s.objects, task(s.rng.Int64N(3), s.rng.Int64N(3)))
	}},
	{"end or return of a ConfigMap", 20, func(s *soakRun, ctx context.Context) error { return s.toggle(ctx, s.randomObject(configMaps)) }},
	{"end or return of a Gadget", 6, func(s *soakRun, ctx context.Context) error { return s.toggle(ctx, s.randomObject(gadgets)) }},
	{"end or return of a Deployment", 4, func(s *soakRun, ctx context.Context) error { return s.toggle(ctx, s.randomObject(deployments)) }},
	{"end or return of a Widget", 3, func(s *soakRun, ctx context.Context) error { return s.toggle(ctx, s.randomObject(widgets)) }},
	{"end or return of a namespace", 1, (*soakRun).namespace},
	{"end or return of a kind", 1, (*soakRun).kind},
}

// work changes objects until ctx ends.
func (s *soakRun) work(ctx context.Context) {
	total := 0
	for _, a := range allChanges {
		total += a.weight
	}
	for ctx.Err() == nil {
		n := s.rng.IntN(total)
		for _, a := range allChanges {
			if n -= a.weight; n < 0 {
				s.metrics.countChange(a.do(s, ctx))
				break
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(50+s.rng.IntN(150)) * time.Millisecond):
		}
	}
}

// randomJSON returns a random value as JSON.
func (s *soakRun) randomJSON() string { return fmt.Sprintf("%q", fmt.Sprint(s.rng.Int())) }

// randomObject returns a random thing of a kind, in any namespace.
func (s *soakRun) randomObject(r schema.GroupVersionResource) *testObject {
	var all []*testObject
	for _, t := range s.objectList {
		if t.family.resource == r {
			all = append(all, t)
		}
	}
	return all[s.rng.IntN(len(all))]
}

func (s *soakRun) patch(ctx context.Context, r schema.GroupVersionResource, patch string) error {
	t := s.randomObject(r)
	_, err := t.at(s.objects).Patch(ctx, t.name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// template changes an annotation of the Pod template, which starts a rollout.
func (s *soakRun) template(ctx context.Context, r schema.GroupVersionResource, key, value string) error {
	return s.patch(ctx, r, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{%q:%s}}}}}`, key, value))
}

// toggle deletes a thing, or creates it if it does not exist. Sometimes it does both, so that
// another object gets the name at once.
func (s *soakRun) toggle(ctx context.Context, t *testObject) error {
	anew := s.rng.IntN(3) == 0
	err := t.at(s.objects).Delete(ctx, t.name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) || err == nil && anew {
		return t.make(ctx, s.objects)
	}
	return err
}

// namespace deletes the second namespace, or recreates it with all its objects.
func (s *soakRun) namespace(ctx context.Context) error {
	err := s.objects.Resource(namespaces).Delete(ctx, deletedNamespace, metav1.DeleteOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	for _, t := range s.objectList {
		if t.name != deletedNamespace && t.family.namespace != deletedNamespace {
			continue
		}
		if err := t.make(ctx, s.objects); err != nil {
			return err
		}
	}
	return nil
}

// kind removes the definition of Widgets with its objects, or creates it again.
func (s *soakRun) kind(ctx context.Context) error {
	err := s.objects.Resource(definitions).Delete(ctx, widgets.GroupResource().String(), metav1.DeleteOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	all, err := apply.Parse([]byte(definitionText()))
	if err != nil {
		return err
	}
	_, err = s.objects.Resource(definitions).Create(ctx, (*unstructured.Unstructured)(all[1]), metav1.CreateOptions{})
	return err
}
