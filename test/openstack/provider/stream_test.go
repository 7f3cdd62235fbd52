package provider

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// record watches every version of some kinds in the namespace until the test ends. It returns a
// function that returns the versions so far.
func (w *fixture) record(resources ...schema.GroupVersionResource) (seen func() []*unstructured.Unstructured) {
	w.T.Helper()
	var mu sync.Mutex
	var all []*unstructured.Unstructured
	for _, r := range resources {
		stream, err := w.Client(r).Watch(w.T.Context(), metav1.ListOptions{})
		if err != nil {
			w.T.Fatal(err)
		}
		go func() {
			for event := range stream.ResultChan() {
				if obj, ok := event.Object.(*unstructured.Unstructured); ok {
					mu.Lock()
					all = append(all, obj)
					mu.Unlock()
				}
			}
		}()
	}
	return func() []*unstructured.Unstructured {
		mu.Lock()
		defer mu.Unlock()
		return append([]*unstructured.Unstructured(nil), all...)
	}
}
