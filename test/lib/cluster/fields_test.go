package cluster

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/jsonpath"

	"kstatus.dev/test/lib/poll"
)

// checkField compares a field of an object, "{jsonpath}=value".
func checkField(t *testing.T, c *Cluster, ns, look, row string) error {
	object, err := fetch(t, c, ns, look)
	if err != nil {
		return err
	}
	return matchField(object, row)
}

// matchField compares a field of an object, "{jsonpath}=value".
func matchField(object *unstructured.Unstructured, row string) error {
	path, want, ok := strings.Cut(row, "}=")
	if !ok {
		return fmt.Errorf("row %q: want {jsonpath}=value", row)
	}
	j := jsonpath.New(row).AllowMissingKeys(true)
	if err := j.Parse(path + "}"); err != nil {
		return err
	}
	var have bytes.Buffer
	if err := j.Execute(&have, object.Object); err != nil {
		return err
	}
	if have.String() != want {
		return fmt.Errorf("%s: %s} = %q, want %q; its status: %v", object.GetName(), path, have.String(), want, object.Object["status"])
	}
	return nil
}

// fetch gets an object by "resource.group/name" in version v1. Autoscalers are read in v2.
func fetch(t *testing.T, c *Cluster, ns, look string) (*unstructured.Unstructured, error) {
	client, name, err := clientOf(c, ns, look)
	if err != nil {
		return nil, err
	}
	return client.Get(t.Context(), name, metav1.GetOptions{})
}

func clientOf(c *Cluster, ns, look string) (client dynamic.ResourceInterface, name string, err error) {
	all, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		return nil, "", err
	}
	kind, name, _ := strings.Cut(look, "/")
	resource, group, _ := strings.Cut(kind, ".")
	gvr := schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
	if group == "autoscaling" {
		gvr.Version = "v2"
	}
	return all.Resource(gvr).Namespace(ns), name, nil
}

// A history has the versions of an object, one after the other. It misses none, however short a
// state lasts.
type history struct {
	t      *testing.T
	events <-chan watch.Event
	now    *unstructured.Unstructured // the version that was read last; nil at first
}

// follow returns the history of an object from now on, which ends with the test.
func follow(t *testing.T, c *Cluster, ns, look string) *history {
	t.Helper()
	client, name, err := clientOf(c, ns, look)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), poll.Patience)
	t.Cleanup(stop)
	var w watch.Interface
	poll.Check(t, func() (err error) { // the kind may not be served yet
		w, err = client.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
		return err
	})
	t.Cleanup(w.Stop)
	return &history{t: t, events: w.ResultChan()}
}

// next reads the next version.
func (h *history) next() *unstructured.Unstructured {
	h.t.Helper()
	for e := range h.events {
		if o, is := e.Object.(*unstructured.Unstructured); is && e.Type != watch.Deleted && e.Type != watch.Error {
			h.now = o
			return o
		}
	}
	h.t.Fatalf("there is no further version after %v", h.now)
	return nil
}

// until reads on until a field has a value, "{jsonpath}=value".
func (h *history) until(row string) {
	h.t.Helper()
	if h.now == nil {
		h.next()
	}
	for matchField(h.now, row) != nil {
		h.next()
	}
}

func deployment(spec, container string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: d}}\n" +
		"  template: {metadata: {labels: {app: d}}, spec: {containers: [{name: c, " + container + "}]}}\n  " + spec + "\n"
}

func pod(fate, container, spec string) string {
	annotations := ""
	if fate != "" {
		annotations = ", annotations: {kstatus.dev/pod: " + fate + "}"
	}
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p" + annotations + "}\nspec:\n  containers: [{name: c, " + container + "}]\n  " + spec + "\n"
}

func job(command string) string {
	return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  backoffLimit: 0\n" +
		"  template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx, command: [sh, -c, \"" + command + "\"]}]}}\n"
}

func claim(spec string) string {
	return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n  " + spec + "\n"
}
