package e2e

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/status"
	statusschema "kstatus.dev/status/schema"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// widgets writes the objects of a kind, as a controller and as a user.
type widgets struct {
	t  *testing.T
	of dynamic.ResourceInterface
	gv string
}

func (w widgets) do(o *unstructured.Unstructured, err error) *unstructured.Unstructured {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

// newWidgets returns the Widgets of a namespace once they are served.
func newWidgets(t *testing.T, config *rest.Config, namespace, group string) widgets {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	of := client.Resource(schema.GroupVersionResource{Group: group, Version: "v1", Resource: "widgets"}).Namespace(namespace)
	poll.Check(t, func() error {
		_, err := of.List(t.Context(), metav1.ListOptions{})
		return err
	})
	return widgets{t, of, group + "/v1"}
}

// apply is a server-side apply by a user.
func (w widgets) apply(name, fields string) *unstructured.Unstructured {
	w.t.Helper()
	text := `{"apiVersion": "` + w.gv + `", "kind": "Widget", "metadata": {"name": "` + name + `"}` + fields + `}`
	return w.do(w.of.Patch(context.Background(), name, types.ApplyPatchType, []byte(text), metav1.PatchOptions{FieldManager: "user", Force: new(true)}))
}

// report writes the status of an object as a controller.
func (w widgets) report(name, state string, subresource ...string) *unstructured.Unstructured {
	w.t.Helper()
	return w.do(w.of.Patch(context.Background(), name, types.MergePatchType, []byte(`{"status": `+state+`}`), metav1.PatchOptions{FieldManager: "controller"}, subresource...))
}

// writeTimes returns the times of the last writes of the user and of the controller.
func writeTimes(o *unstructured.Unstructured) (user, controller string) {
	for _, e := range o.GetManagedFields() {
		switch e.Manager {
		case "user":
			user = e.Time.UTC().Format(time.RFC3339)
		case "controller":
			controller = e.Time.UTC().Format(time.RFC3339)
		}
	}
	return user, controller
}

// The API server writes metadata.managedFields as verdicts expect it.
func TestStatusWriters(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.org"
	c.Apply(t, ns, manifest.Definition(group, "Widget", manifest.V1(
		"spec: {type: object, x-kubernetes-preserve-unknown-fields: true}, status: {type: object, x-kubernetes-preserve-unknown-fields: true, default: {observedGeneration: -1}}")))
	w := newWidgets(t, c.Config(), ns, group)
	want := func(it string, o *unstructured.Unstructured, written statusschema.Tristate) {
		t.Helper()
		if have := statusschema.StatusWritten(o.Object); have != written {
			fields, _ := json.Marshal(o.GetManagedFields())
			t.Errorf("it %s: have %v, want %v: %s", it, have, written, fields)
		}
	}
	o := w.apply("a", `, "spec": {"size": 1}, "status": {"phase": "mine"}`)
	if state := o.Object["status"]; state == nil {
		t.Error("the schema's default is not in a new object")
	}
	want("has not been written when it is created, whatever its defaults are", o, statusschema.TristateNo)
	want("has not been written when it is created otherwise", w.do(w.of.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": group + "/v1", "kind": "Widget", "metadata": map[string]any{"name": "b"}, "spec": map[string]any{"size": int64(1)}, "status": map[string]any{"phase": "mine"}}}, metav1.CreateOptions{})), statusschema.TristateNo)
	first := w.report("a", `{"phase": "seen"}`, "status")
	want("has been written when its controller has", first, statusschema.TristateYes)
	_, wrote := writeTimes(first)

	poll.NextSecond(t, time.Now())
	again := w.report("a", `{"phase": "seen"}`, "status")
	if _, have := writeTimes(again); have != wrote {
		t.Errorf("a status write that changes nothing moves its time from %s to %s", wrote, have)
	}
	changed := w.apply("a", `, "spec": {"size": 2}`)
	user, controller := writeTimes(changed)
	if user <= controller || controller != wrote {
		t.Errorf("after a change of the spec the user wrote at %s, the controller at %s, want the later and %s", user, controller, wrote)
	}
	poll.NextSecond(t, time.Now())
	labelled := w.do(w.of.Patch(t.Context(), "a", types.ApplyPatchType, []byte(`{"apiVersion": "`+w.gv+`", "kind": "Widget", "metadata": {"name": "a", "labels": {"x": "y"}}, "spec": {"size": 2}}`),
		metav1.PatchOptions{FieldManager: "user", Force: new(true)}))
	if after, _ := writeTimes(labelled); after <= user || labelled.GetGeneration() != changed.GetGeneration() {
		t.Errorf("an apply of a label moves the user's time from %s to %s, and the generation from %d to %d, want the time only", user, after, changed.GetGeneration(), labelled.GetGeneration())
	}
	cleared := w.do(w.of.Patch(t.Context(), "a", types.MergePatchType, []byte(`{"metadata": {"managedFields": [{}]}}`), metav1.PatchOptions{}))
	want("is not known once the record is cleared", cleared, statusschema.TristateUnknown)
	want("is not known when the record begins later", w.apply("a", `, "spec": {"size": 3}`), statusschema.TristateUnknown)
}

// Without a status subresource, the status is written with the rest, and raises the generation.
// The creator of an object owns the defaults of its schema.
func TestStatusWritersWithoutSubresource(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.org"
	definition := "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}, " +
		"status: {type: object, x-kubernetes-preserve-unknown-fields: true, default: {color: blue}}}}}}"
	c.Apply(t, ns, manifest.Definition(group, "Widget", definition))
	w := newWidgets(t, c.Config(), ns, group)
	e := status.Evaluator{Expect: func(string, string) statusschema.Expectation {
		return statusschema.Expectation{Status: statusschema.TristateYes, Subresource: statusschema.TristateNo}
	}}
	want := func(it string, o *unstructured.Unstructured, generation int64, reason string) {
		t.Helper()
		have, err := e.Compute(o)
		if err != nil || o.GetGeneration() != generation || have.Reason != reason {
			fields, _ := json.Marshal(o.GetManagedFields())
			t.Errorf("it %s: have generation %d and %+v, %v, want generation %d and %s: %s", it, o.GetGeneration(), have, err, generation, reason, fields)
		}
	}
	w.apply("a", `, "spec": {"size": 1}`)
	poll.NextSecond(t, time.Now())
	w.report("a", `{"observedGeneration": 1}`)
	want("has been observed although its status has raised the generation", w.report("a", `{"color": "red"}`), 3, "ObservedOnly")
	poll.NextSecond(t, time.Now())
	want("is behind when its spec has", w.apply("a", `, "spec": {"size": 2}`), 4, "LatestGenerationNotObserved")

	o := w.do(w.of.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": w.gv, "kind": "Widget", "metadata": map[string]any{"name": "b"}, "spec": map[string]any{"size": int64(1)}}}, metav1.CreateOptions{}))
	if have := statusschema.StatusWritten(o.Object); have != statusschema.TristateUnknown {
		t.Errorf("of a status that its creator has by default it is %v whether a controller has written it, want Unknown", have)
	}
}
