//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"kstatus.dev/test/lib/poll"
)

// A view watches the Pods and the Deployments directly, and notes when all of a version are ready.
type view struct {
	count int

	mu          sync.Mutex // guards the fields below
	pods        map[string]string
	deployments map[string]string // the version of each that is complete
	ready       map[string]time.Time
	complete    map[string]time.Time
}

func newView(ctx context.Context, config *rest.Config, count int) (*view, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if _, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	v := &view{count: count, pods: map[string]string{}, deployments: map[string]string{}, ready: map[string]time.Time{}, complete: map[string]time.Time{}}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	for _, i := range []cache.SharedIndexInformer{factory.Core().V1().Pods().Informer(), factory.Apps().V1().Deployments().Informer()} {
		if _, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    v.see,
			UpdateFunc: func(_, o any) { v.see(o) },
			DeleteFunc: v.lose,
		}); err != nil {
			return nil, err
		}
	}
	factory.StartWithContext(ctx)
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) {
		if !ok {
			return nil, fmt.Errorf("the watch of %s does not begin", kind)
		}
	}
	return v, nil
}

// see notes the version of a Pod that is ready, or of a Deployment that is complete.
func (v *view) see(o any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch o := o.(type) {
	case *corev1.Pod:
		v.pods[o.Name] = ""
		for _, c := range o.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue && o.DeletionTimestamp == nil {
				v.pods[o.Name] = versionOf(o.Spec)
			}
		}
		v.note(v.pods, v.ready)
	case *appsv1.Deployment:
		v.deployments[o.Name] = ""
		if s := o.Status; s.ObservedGeneration == o.Generation && s.Replicas == 1 && s.UpdatedReplicas == 1 && s.AvailableReplicas == 1 {
			v.deployments[o.Name] = versionOf(o.Spec.Template.Spec)
		}
		v.note(v.deployments, v.complete)
	}
}

func (v *view) lose(o any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p, ok := o.(*corev1.Pod); ok {
		delete(v.pods, p.Name)
	}
}

// note notes the time when the last object has a version.
func (v *view) note(objects map[string]string, times map[string]time.Time) {
	for _, version := range versions {
		n := 0
		for _, have := range objects {
			if have == version {
				n++
			}
		}
		if n == v.count && times[version].IsZero() {
			times[version] = time.Now()
		}
	}
}

func versionOf(s corev1.PodSpec) string {
	image := s.Containers[0].Image
	return image[len(image)-len("v1"):]
}

// reached returns when all Pods and Deployments of a version were ready. It waits for a while, for the
// case that a program was early.
func (v *view) reached(version string) (ready, complete time.Time, err error) {
	ctx, stop := context.WithTimeout(context.Background(), within)
	defer stop()
	err = poll.Until(ctx, func() error {
		v.mu.Lock()
		defer v.mu.Unlock()
		if ready, complete = v.ready[version], v.complete[version]; ready.IsZero() || complete.IsZero() {
			return errors.New("the Deployments do not become ready")
		}
		return nil
	})
	return ready, complete, err
}
