//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"kstatus.dev/examples/provider/config"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
)

// A side is a cluster with a provider.
type side struct {
	*cluster.Cluster
	client dynamic.Interface
	queue  workqueue.TypedInterface[task]
	caches map[schema.GroupVersionResource]cache.GenericLister
	end    func()
}

// A task is an object that the provider looks at.
type task struct {
	kind schema.GroupVersionResource
	name string
}

// startSide starts a cluster, and its provider.
func startSide(ctx context.Context) (*side, error) {
	c, err := cluster.Start(ctx, cluster.Options{ClusterAPI: true, Nodes: 1})
	if err != nil {
		return nil, err
	}
	s := &side{Cluster: c}
	if s.client, err = dynamic.NewForConfig(c.Config()); err == nil {
		err = s.install(ctx)
	}
	if err == nil {
		err = s.provide(ctx)
	}
	return s, err
}

// stop ends the provider and the cluster. A side that was not started is nil.
func (s *side) stop() {
	if s == nil {
		return
	}
	if s.end != nil {
		s.end()
	}
	_ = s.Stop() // the process ends now
}

// processor returns the processor time that the programs of the cluster have used. It is zero where
// /proc does not exist.
func (s *side) processor() (used time.Duration) {
	const ticks = 100 // a second, on all platforms that Go supports
	for _, p := range []cluster.Program{cluster.Etcd, cluster.APIServer, cluster.ControllerManager, cluster.Scheduler, cluster.Kwok, cluster.ClusterAPI} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.Pid(p)))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ") // the name of a program may have spaces
		if fields := strings.Fields(rest); len(fields) > 12 {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			used += time.Duration(user+system) * time.Second / ticks
		}
	}
	return used
}

// install applies the definitions of the provider, with the label that clusterctl adds to them.
func (s *side) install(ctx context.Context) error {
	components, err := config.Components()
	if err != nil {
		return err
	}
	objects, err := apply.Parse([]byte(components))
	if err != nil {
		return err
	}
	for _, o := range objects {
		if all := o.GetLabels(); o.GetKind() == "CustomResourceDefinition" {
			all["clusterctl.cluster.x-k8s.io"] = ""
			o.SetLabels(all)
		}
	}
	return apply.To(ctx, s.Config(), "default", objects, nil)
}

// provide runs the provider until end. It reports Paused, and that everything is provisioned.
func (s *side) provide(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	s.queue = workqueue.NewTyped[task]()
	s.caches = map[schema.GroupVersionResource]cache.GenericLister{}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(s.client, 0, namespace, nil)
	for _, r := range []schema.GroupVersionResource{clusters, shelfClusters, shelfMachines} {
		informer := factory.ForResource(r)
		s.caches[r] = informer.Lister()
		if _, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) { s.see(r, o) }, UpdateFunc: func(_, o any) { s.see(r, o) },
		}); err != nil {
			cancel()
			return err
		}
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() { s.work(ctx) })
	}
	s.end = func() {
		cancel()
		s.queue.ShutDown()
		running.Wait()
		factory.Shutdown()
	}
	return nil
}

// see notes an object, and all objects of a Cluster.
func (s *side) see(r schema.GroupVersionResource, o any) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return
	}
	if r != clusters {
		s.queue.Add(task{r, u.GetName()})
		return
	}
	s.queue.Add(task{shelfClusters, u.GetName()})
	all, _ := s.caches[shelfMachines].List(labels.Everything())
	for _, o := range all {
		if m := o.(*unstructured.Unstructured); m.GetLabels()["cluster.x-k8s.io/cluster-name"] == u.GetName() {
			s.queue.Add(task{shelfMachines, m.GetName()})
		}
	}
}

// work reports about objects until the queue ends.
func (s *side) work(ctx context.Context) {
	for {
		t, ended := s.queue.Get()
		if ended {
			return
		}
		if err := s.report(ctx, t); err != nil && ctx.Err() == nil {
			fmt.Println("provider:", t.kind.Resource, t.name, err)
		}
		s.queue.Done(t)
	}
}

// report writes the status of an object, unless it is true already.
func (s *side) report(ctx context.Context, t task) error {
	found, err := s.caches[t.kind].ByNamespace(namespace).Get(t.name)
	if err != nil {
		return nil // it is gone
	}
	u := found.(*unstructured.Unstructured)
	owning, err := s.caches[clusters].ByNamespace(namespace).Get(u.GetLabels()["cluster.x-k8s.io/cluster-name"])
	if err != nil || u.GetDeletionTimestamp() != nil {
		return nil // the next event of its Cluster repeats this
	}
	paused, _, _ := unstructured.NestedBool(owning.(*unstructured.Unstructured).Object, "spec", "paused")
	status, reason := "False", "NotPaused"
	if paused {
		status, reason = "True", "Paused"
	}
	if hasCondition(u, "Paused", status) {
		return nil
	}
	now := time.Now().UTC().Format(time.RFC3339)
	next := map[string]any{"conditions": []any{
		map[string]any{"type": "Paused", "status": status, "reason": reason, "message": "", "observedGeneration": u.GetGeneration(), "lastTransitionTime": now},
		map[string]any{"type": "Ready", "status": "True", "reason": "Ready", "message": "", "observedGeneration": u.GetGeneration(), "lastTransitionTime": now},
	}}
	if !paused {
		next["initialization"] = map[string]any{"provisioned": true}
	}
	patch, err := json.Marshal(map[string]any{"status": next})
	if err != nil {
		return err
	}
	_, err = s.in(t.kind).Patch(ctx, t.name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "shelf-provider"}, "status")
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
