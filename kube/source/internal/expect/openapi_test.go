package expect

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	statusschema "kstatus.dev/status/schema"
)

// The schemas as aggregated APIs publish them, with references, and as definitions have
// them.
const page = `{
	"paths": {"/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status": {"get": {}}, "/apis/example.com/v1/widgets": {}},
	"components": {"schemas": {
		"v1.Widget": {"properties": {"status": {"allOf": [{"$ref": "#/components/schemas/v1.WidgetStatus"}], "default": {}}},
			"x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Widget"}]},
		"v1.WidgetStatus": {"type": "object", "properties": {"observedGeneration": {"type": "integer"}}},
		"v1.Gadget": {"properties": {"status": {"$ref": "#/components/schemas/v1.Lost"}},
			"x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Gadget"}]},
		"v1.Gizmo": {"properties": {"status": {"type": "object", "default": {"observedGeneration": -1}, "properties": {"observedGeneration": {}}}},
			"x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Gizmo"}]},
		"v1.Plain": {"properties": {"spec": {"type": "object"}},
			"x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Plain"}]},
		"v1.Foreign": {"x-kubernetes-group-version-kind": [{"group": "example.org", "version": "v1", "kind": "Foreign"}]},
		"v1.Odd": 3
	}}}`

func TestExpectationsOfDocument(t *testing.T) {
	var d openAPI
	if err := json.Unmarshal([]byte(page), &d); err != nil {
		t.Fatal(err)
	}
	have := d.expectations(&meta.RESTMapping{GroupVersionKind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}})
	want := map[string]statusschema.Expectation{
		"Widget":         {Status: statusschema.TristateYes, ObservedGeneration: statusschema.TristateYes, Conditions: statusschema.TristateNo},
		"Gadget":         {Status: statusschema.TristateYes},
		"Gizmo":          {Status: statusschema.TristateYes, ObservedGeneration: statusschema.TristateYes, Conditions: statusschema.TristateNo, DefaultsStatus: true},
		"Plain":          {Status: statusschema.TristateNo, ObservedGeneration: statusschema.TristateNo, Conditions: statusschema.TristateNo},
		"widgets/status": {},
	}
	for name, e := range want {
		t.Run(name, func(t *testing.T) {
			if have[name] != e {
				t.Errorf("have %+v, want %+v", have[name], e)
			}
		})
	}
	if len(have) != len(want) {
		t.Errorf("have %v, want %d of them", have, len(want))
	}
}

// The URL of a server may have a path, as for clusters behind a shared gateway.
func TestReadsBelowThePathOfTheServer(t *testing.T) {
	var requests []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.RequestURI)
		switch r.URL.Path + "#" + r.URL.Query().Get("hash") {
		case "/clusters/a/openapi/v3#":
			_, _ = io.WriteString(w, `{"paths": {"apis/example.com/v1": {"serverRelativeURL": "/openapi/v3/apis/example.com/v1?hash=1"}}}`)
		case "/clusters/a/openapi/v3/apis/example.com/v1#1":
			_, _ = io.WriteString(w, page)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL + "/clusters/a"})
	if err != nil {
		t.Fatal(err)
	}
	gv := schema.GroupVersion{Group: "example.com", Version: "v1"}
	r := Reader{Kinds: new(Kinds), Server: client.RESTClient()}
	e, found, err := r.document(t.Context(), &meta.RESTMapping{Resource: gv.WithResource("widgets"), GroupVersionKind: gv.WithKind("Widget")})
	if err != nil || !found || e.Subresource != statusschema.TristateYes {
		t.Errorf("have %+v, found %t, %v; asked for %v", e, found, err, requests)
	}
}
