package catalog

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	catalogs = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "catalogs"}
	crds     = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// Run reconciles Catalogs in all namespaces while their CRD exists, until ctx ends.
func Run(ctx context.Context, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	core, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, metav1.NamespaceAll, func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermEqualSelector("metadata.name", catalogs.GroupResource().String()).String()
	})
	served := make(chan bool)
	say := func(is bool) {
		select {
		case served <- is:
		case <-ctx.Done():
		}
	}
	_, err = factory.ForResource(crds).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { say(established(o)) },
		UpdateFunc: func(_, o any) { say(established(o)) },
		DeleteFunc: func(any) { say(false) },
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	stop := func() {}
	for running := false; ; {
		select {
		case <-ctx.Done():
			stop()
			return nil
		case is := <-served:
			if is && !running {
				stop = start(ctx, client, core)
			}
			if !is && running {
				stop()
				stop = func() {}
			}
			running = is
		}
	}
}

// established reports whether a CRD is served.
func established(object any) bool {
	crd, ok := object.(*unstructured.Unstructured)
	return ok && condition(crd, "Established")["status"] == "True"
}

// start starts the work on Catalogs; stop ends it and waits for its end.
func start(ctx context.Context, client dynamic.Interface, core kubernetes.Interface) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx, client, core)
	}()
	return func() {
		cancel()
		<-done
	}
}

// work watches Catalogs and reconciles each one after a change or at its scheduled time.
func work(ctx context.Context, client dynamic.Interface, core kubernetes.Interface) {
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	informer := factory.ForResource(catalogs).Informer()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	enqueue := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			queue.Add(key)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, o any) { enqueue(o) },
		DeleteFunc: enqueue,
	})
	if err != nil {
		return // only a stopped informer rejects a handler
	}
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	context.AfterFunc(ctx, queue.ShutDown)
	r := reconciler{client: client, core: core, seen: map[string]sighting{}}
	for {
		key, ending := queue.Get()
		if ending {
			return
		}
		again, err := r.reconcile(ctx, informer.GetStore(), key)
		switch {
		case err != nil:
			queue.AddRateLimited(key)
		case again > 0:
			queue.Forget(key)
			queue.AddAfter(key, again)
		default:
			queue.Forget(key)
		}
		queue.Done(key)
	}
}

// reconciler reconciles Catalogs. Only one goroutine may use it.
type reconciler struct {
	client dynamic.Interface
	core   kubernetes.Interface
	seen   map[string]sighting // by namespace/name
}

// sighting is the time when a generation of a Catalog was first seen.
type sighting struct {
	generation int64
	at         time.Time
}

func (r reconciler) reconcile(ctx context.Context, store cache.Store, key string) (again time.Duration, err error) {
	object, exists, err := store.GetByKey(key)
	if err != nil {
		return 0, err
	}
	if !exists {
		delete(r.seen, key)
		return 0, nil
	}
	catalog, ok := object.(*unstructured.Unstructured)
	if !ok {
		return 0, fmt.Errorf("catalog %s: have a %T", key, object)
	}
	if s := r.seen[key]; s.generation != catalog.GetGeneration() {
		r.seen[key] = sighting{catalog.GetGeneration(), time.Now()}
	}
	next, again, err := r.next(ctx, catalog, time.Since(r.seen[key].at))
	if err != nil || next == nil {
		return again, err
	}
	updated := catalog.DeepCopy()
	if err := unstructured.SetNestedMap(updated.Object, next, "status"); err != nil {
		return 0, err
	}
	_, err = r.client.Resource(catalogs).Namespace(catalog.GetNamespace()).UpdateStatus(ctx, updated, metav1.UpdateOptions{})
	return again, err
}
