package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// writers is the number of concurrent requests.
const writers = 32

// A writer writes the status of Lamps as their controller would: each is on for some time, then
// off.
type writer struct {
	lamps   dynamic.NamespaceableResourceInterface
	objects []*unstructured.Unstructured

	mu       sync.Mutex // guards answered
	answered map[string]time.Time
}

func newWriter(ctx context.Context, config *rest.Config, objects int) (*writer, error) {
	config.UserAgent, config.QPS = "lamp-controller/v1", -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	definition, err := apply.Parse([]byte(manifest.Definition("bench.example.com", "Lamp", manifest.V1("spec: {type: object, x-kubernetes-preserve-unknown-fields: true}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}"))))
	if err == nil {
		err = apply.To(ctx, config, "default", definition, nil)
	}
	if err != nil {
		return nil, err
	}
	w := &writer{lamps: client.Resource(schema.GroupVersionResource{Group: "bench.example.com", Version: "v1", Resource: "lamps"}), answered: map[string]time.Time{}}
	w.objects = make([]*unstructured.Unstructured, objects)
	return w, w.each(func(i int) error {
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "bench.example.com/v1", "kind": "Lamp",
			"metadata": map[string]any{"name": fmt.Sprintf("lamp-%d", i), "namespace": "default", "labels": map[string]any{"app": "bench"}}, "spec": map[string]any{"color": "red"}}}
		ctx, stop := context.WithTimeout(ctx, poll.Patience)
		defer stop()
		return poll.Until(ctx, func() (err error) { // the kind may not be served yet
			w.objects[i], err = w.lamps.Namespace("default").Create(ctx, u, metav1.CreateOptions{})
			return err
		})
	})
}

// each calls a function for each object, for several objects concurrently.
func (w *writer) each(do func(i int) error) error {
	var group sync.WaitGroup
	failed := make([]error, writers)
	for n := range writers {
		group.Go(func() {
			for i := n; i < len(w.objects) && failed[n] == nil; i += writers {
				failed[n] = do(i)
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes at a rate for a duration. One goroutine writes all versions of an object, in
// order.
func (w *writer) write(ctx context.Context, rate int, lasts time.Duration) error {
	var group sync.WaitGroup
	failed := make(chan error, writers)
	began := time.Now()
	for n := range writers {
		group.Go(func() {
			for turn := 0; ; turn++ {
				due := began.Add(time.Duration(float64(turn*writers+n) / float64(rate) * float64(time.Second)))
				if due.Sub(began) >= lasts || time.Since(began) >= lasts || ctx.Err() != nil {
					return
				}
				time.Sleep(time.Until(due)) // the rate is what the benchmark sets
				mine := (len(w.objects) - n + writers - 1) / writers
				if err := w.report(ctx, n+turn%mine*writers, turn/mine); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(failed)
	return <-failed
}

// report writes the status of an object once.
func (w *writer) report(ctx context.Context, i, turn int) error {
	u := w.objects[i].DeepCopy()
	ready := []string{"True", "False"}[turn%2]
	now := time.Now().UTC().Format(time.RFC3339)
	condition := func(kind, status, since string) map[string]any {
		return map[string]any{"type": kind, "status": status, "reason": "Switched", "message": "the switch says so", "lastTransitionTime": since, "observedGeneration": u.GetGeneration()}
	}
	first := u.GetCreationTimestamp().UTC().Format(time.RFC3339)
	u.Object["status"] = map[string]any{"observedGeneration": u.GetGeneration(), "watts": int64(40 * (1 - turn%2)), "conditions": []any{
		condition("Ready", ready, now), condition("Wired", "True", first), condition("Paused", "False", first)}}
	u, err := w.lamps.Namespace("default").UpdateStatus(ctx, u, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.objects[i], w.answered[u.GetResourceVersion()] = u, time.Now()
	return nil
}
