package provider

import (
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/audit"
)

// record watches every version of some kinds in the namespace until the test ends. It returns a
// function that returns the versions so far.
func (w *fixture) record(resources ...schema.GroupVersionResource) (seen func() []audit.Write) {
	w.T.Helper()
	var mu sync.Mutex
	var all []audit.Write
	for _, r := range resources {
		stream, err := w.Client(r).Watch(w.T.Context(), metav1.ListOptions{})
		if err != nil {
			w.T.Fatal(err)
		}
		go func() {
			for event := range stream.ResultChan() {
				obj, ok := event.Object.(*unstructured.Unstructured)
				if !ok {
					continue
				}
				mu.Lock()
				all = append(all, audit.Write{Type: audit.WriteType(event.Type), Time: time.Now(), Object: obj.Object})
				mu.Unlock()
			}
		}()
	}
	return func() []audit.Write {
		mu.Lock()
		defer mu.Unlock()
		return append([]audit.Write(nil), all...)
	}
}

// recordedUntil returns the recorded versions when they include a version of an object.
func (w *fixture) recordedUntil(seen func() []audit.Write, obj *unstructured.Unstructured) (all []audit.Write) {
	w.T.Helper()
	w.Until("the last version is recorded", func() bool {
		all = seen()
		return slices.ContainsFunc(all, func(write audit.Write) bool {
			recorded := &unstructured.Unstructured{Object: write.Object}
			return recorded.GetUID() == obj.GetUID() && recorded.GetResourceVersion() == obj.GetResourceVersion()
		})
	})
	return all
}
