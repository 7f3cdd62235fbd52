// Package writes tests package author/writes with a real API server. A stream contains every
// write once, whatever faults its watch has. Requests and audit logs contain what a watch does
// not. The audit finds the mistakes of controllers.
package writes

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

var live = cluster.Shared{Options: cluster.Options{AuditPolicy: `
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: RequestResponse
  resources: [{group: audit.example.com}, {group: "", resources: [secrets]}]
- level: Metadata
  resources: [{group: apps, resources: [deployments, deployments/status]}]
`}}

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// The kinds of the tests.
const definitions = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.audit.example.com}
spec:
  group: audit.example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp, listKind: LampList, shortNames: [lmp]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: doors.audit.example.com}
spec:
  group: audit.example.com
  scope: Namespaced
  names: {plural: doors, singular: door, kind: Door, listKind: DoorList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

var lamps = schema.GroupVersionResource{Group: "audit.example.com", Version: "v1", Resource: "lamps"}

var defined sync.Once

// newFixture returns a cluster that serves Lamps, and a namespace.
func newFixture(t *testing.T) (*cluster.Cluster, string) {
	t.Helper()
	c := live.Cluster(t)
	defined.Do(func() {
		c.Apply(t, "default", definitions)
		for _, plural := range []string{"lamps", "doors"} {
			resource := client(t, c.Config(), "default", lamps.GroupVersion().WithResource(plural))
			poll.Wait(t, plural+" are served", func() bool {
				_, err := resource.List(t.Context(), metav1.ListOptions{})
				return err == nil
			})
		}
	})
	return c, c.Namespace(t)
}

// client returns a client for one kind in one namespace.
func client(t *testing.T, config *rest.Config, namespace string, of schema.GroupVersionResource) dynamic.ResourceInterface {
	t.Helper()
	config = rest.CopyConfig(config)
	config.QPS = -1
	d, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return d.Resource(of).Namespace(namespace)
}

func lamp(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "audit.example.com/v1", "kind": "Lamp",
		"metadata": map[string]any{"name": name}, "spec": map[string]any{"color": "red"}}}
}

// createLamp creates a Lamp.
func createLamp(t *testing.T, c dynamic.ResourceInterface, name string) *unstructured.Unstructured {
	t.Helper()
	u, err := c.Create(context.Background(), lamp(name), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// writeStatus writes a status.
func writeStatus(t *testing.T, c dynamic.ResourceInterface, u *unstructured.Unstructured, status map[string]any) *unstructured.Unstructured {
	t.Helper()
	u = u.DeepCopy()
	u.Object["status"] = status
	u, err := c.UpdateStatus(context.Background(), u, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A streamRecorder records the writes of a stream so far.
type streamRecorder struct {
	mu    sync.Mutex // guards the fields below
	all   []audit.Write
	notes []string
}

func (h *streamRecorder) addWrite(w audit.Write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, w)
}

func (h *streamRecorder) addNote(note string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, note)
}

// writes returns the writes to objects so far, as "TYPE name version".
func (h *streamRecorder) writes() (all []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.all {
		if w.Type == audit.WriteTick {
			continue
		}
		u := unstructured.Unstructured{Object: w.Object}
		all = append(all, fmt.Sprintf("%s %s %s", w.Type, u.GetName(), u.GetResourceVersion()))
	}
	return all
}

// requests returns the writes that are requests.
func (h *streamRecorder) requests() (all []audit.Write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.all {
		if w.Request != nil {
			all = append(all, w)
		}
	}
	return all
}

// follow starts a stream that ends with the test, and waits until it has listed. Everything
// except the denied kinds may be watched.
func follow(t *testing.T, c writes.Cluster, denied ...string) *streamRecorder {
	t.Helper()
	h := &streamRecorder{}
	listed := make(chan struct{})
	c.OnNote, c.OnSynced = h.addNote, func() { close(listed) }
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Watch(ctx, h.addWrite) }()
	t.Cleanup(func() {
		stop()
		err := <-ended
		if err != nil && len(denied) == 0 {
			t.Errorf("Follow: %v", err)
		}
		for _, kind := range denied {
			if err == nil || !strings.Contains(err.Error(), kind+" in namespace") {
				t.Errorf("Follow: want to be told that %s cannot be watched, have %v", kind, err)
			}
		}
	})
	select {
	case <-listed:
	case <-time.After(poll.Patience):
		t.Fatalf("the objects are not listed within %s", poll.Patience)
	}
	return h
}
