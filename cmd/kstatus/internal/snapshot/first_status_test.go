package snapshot

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/explain"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// sign returns an object of a custom kind with a status that its controller has not written.
func sign(name string, created, changed time.Time) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Sign",
		"metadata": map[string]any{
			"name": name, "namespace": "shop", "uid": "u-" + name, "resourceVersion": "1", "generation": int64(1), "creationTimestamp": created.UTC().Format(time.RFC3339),
			"managedFields": []any{map[string]any{
				"manager": "kubectl", "operation": "Apply", "apiVersion": "example.com/v1", "time": changed.UTC().Format(time.RFC3339),
				"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:text": map[string]any{}}},
			}},
		},
		"spec": map[string]any{"text": "exit"},
	}}
}

// signs is the CustomResourceDefinition of these objects.
var signs = &unstructured.Unstructured{Object: map[string]any{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "signs.example.com"},
	"spec": map[string]any{
		"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Sign", "plural": "signs"},
		"versions": []any{map[string]any{
			"name": "v1", "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
			"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
				"status": map[string]any{"type": "object", "properties": map[string]any{"phase": map[string]any{"type": "string"}}},
			}}},
		}},
	},
}}

func TestFirstStatusExpires(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name        string
		first       time.Duration
		strict      bool
		created     time.Duration // time since creation
		changed     time.Duration
		others      []runtime.Object
		want        status.Status
		confidence  status.Confidence
		wantWarning string
	}{
		{name: "after the time", first: 30 * time.Second, created: time.Hour, changed: time.Hour,
			want: status.CurrentStatus, confidence: status.ConfidenceAssumed, wantWarning: "waited for 30s without success"},
		{name: "not within the time", first: 30 * time.Second, created: 10 * time.Second, changed: 10 * time.Second, want: status.InProgressStatus},
		{name: "not right after a change", first: 30 * time.Second, created: time.Hour, changed: 10 * time.Second, want: status.InProgressStatus},
		{name: "never with zero", created: time.Hour, changed: time.Hour, want: status.InProgressStatus},
		{name: "not by a profile that assumes nothing", first: 30 * time.Second, strict: true, created: time.Hour, changed: time.Hour, want: status.InProgressStatus},
		{name: "not while others of its kind have a status", first: 30 * time.Second, created: time.Hour, changed: time.Hour,
			others: []runtime.Object{reported("a", now), reported("b", now)}, want: status.InProgressStatus},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sign("exit", now.Add(-c.created), now.Add(-c.changed))
			cluster := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
				{Group: "example.com", Version: "v1", Resource: "signs"}:                              "SignList",
				{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}: "CustomResourceDefinitionList",
			}, append(c.others, signs)...)
			client := source.NewClientFor(source.Interfaces{Dynamic: cluster}, source.Options{})
			by := output.Criteria{Now: now, Evaluator: status.Evaluator{Now: func() time.Time { return now }}}
			if c.strict {
				by.Evaluator.Profile, _ = status.ParseProfile("strict")
			}
			reader := Reader{Cluster: &connection.Cluster{Client: client, Notify: func(n string) { t.Error(n) }}, Judge: by.Judge(output.DetailObject).With(client.Evaluator()), FirstStatus: c.first}
			kind := status.Kind{Group: "example.com", Kind: "Sign"}
			all, err := reader.LookUp(t.Context(), []selection.Object{{Target: observe.Target{Kind: kind, Namespace: "shop", Name: "exit"}, Listed: o}})
			if err != nil {
				t.Fatal(err)
			}
			v := all[0]
			if v.Status != c.want || c.confidence != "" && v.Confidence != c.confidence {
				t.Errorf("have %s %s (%s): %s", v.Status, v.Reason, v.Confidence, v.Message)
			}
			why := explain.Explain(&explain.Facts{Now: now, Objects: []explain.ObjectFact{*v.ObjectFact}}, v.ID)
			if got := why.Text(now); why.Subjects[0].Status != c.want || !strings.Contains(got, "not observed by the controller of Sign.example.com") {
				t.Errorf("the explanation is\n%s", got)
			}
			if got := strings.Join(v.Warnings, "; "); !strings.Contains(got, c.wantWarning) {
				t.Errorf("have the warnings %q, want %q", got, c.wantWarning)
			}
		})
	}
}

// A route on which no parent reports is Current after the time, unless other routes have reports.
func TestFirstStatusOfRoutes(t *testing.T) {
	now := time.Now()
	route := func(name string, status map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute",
			"metadata": map[string]any{"name": name, "namespace": "shop", "generation": int64(1), "creationTimestamp": now.Add(-time.Hour).UTC().Format(time.RFC3339)},
			"spec":     map[string]any{"parentRefs": []any{map[string]any{"name": "edge"}}}, "status": status,
		}}
	}
	parents := map[string]any{"parents": []any{map[string]any{"controllerName": "example.com/edge"}}}
	for _, row := range []struct {
		it     string
		others []runtime.Object
		want   status.Status
	}{
		{"assumes that it is Current", nil, status.CurrentStatus},
		{"waits while others have reports", []runtime.Object{route("b", parents), route("c", parents)}, status.InProgressStatus},
	} {
		t.Run(row.it, func(t *testing.T) {
			cluster := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
				{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "httproutes"}:           "HTTPRouteList",
				{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}: "CustomResourceDefinitionList",
			}, append(row.others, definition)...)
			client := source.NewClientFor(source.Interfaces{Dynamic: cluster}, source.Options{})
			by := output.Criteria{Now: now, Evaluator: status.Evaluator{Now: func() time.Time { return now }}}
			reader := Reader{Cluster: &connection.Cluster{Client: client, Notify: func(n string) { t.Error(n) }}, Judge: by.Judge(output.DetailObject).With(client.Evaluator()), FirstStatus: 5 * time.Second}
			kind := status.Kind{Group: "gateway.networking.k8s.io", Kind: "HTTPRoute"}
			all, err := reader.LookUp(t.Context(), []selection.Object{{Target: observe.Target{Kind: kind, Namespace: "shop", Name: "a"}, Listed: route("a", nil)}})
			if err != nil {
				t.Fatal(err)
			}
			if v := all[0]; v.Status != row.want || v.Reason != "NoControllerEvidence" {
				t.Errorf("have %s %s: %s", v.Status, v.Reason, v.Message)
			}
		})
	}
}

// definition is the CustomResourceDefinition of routes, as far as discovery needs it.
var definition = &unstructured.Unstructured{Object: map[string]any{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "httproutes.gateway.networking.k8s.io"},
	"spec": map[string]any{
		"group": "gateway.networking.k8s.io", "scope": "Namespaced", "names": map[string]any{"kind": "HTTPRoute", "plural": "httproutes"},
		"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true}},
	},
}}

// reported returns an object of the kind with a written status.
func reported(name string, now time.Time) *unstructured.Unstructured {
	o := sign(name, now.Add(-time.Hour), now.Add(-time.Hour))
	o.Object["status"] = map[string]any{"phase": "Ready"}
	o.SetManagedFields(nil)
	return o
}
