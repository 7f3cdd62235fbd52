package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// aggregated is an aggregated API server. It serves one Thing without a status, and optionally
// an OpenAPI document.
func aggregated(t *testing.T, group string, documented bool) (port string) {
	t.Helper()
	base := "/apis/" + group + "/v1"
	thing := map[string]any{"apiVersion": group + "/v1", "kind": "Thing", "metadata": map[string]any{
		"name": "o", "namespace": "default", "uid": "u", "resourceVersion": "7", "generation": 1, "creationTimestamp": time.Now().UTC().Format(time.RFC3339),
		"managedFields": []any{map[string]any{"manager": "user", "operation": "Update", "fieldsV1": map[string]any{"f:spec": map[string]any{}}}},
	}}
	list := map[string]any{"apiVersion": group + "/v1", "kind": "ThingList", "metadata": map[string]any{"resourceVersion": "7"}, "items": []any{thing}}
	verbs := metav1.Verbs{"get", "list"}
	pages := map[string]any{
		base: metav1.APIResourceList{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}, GroupVersion: group + "/v1",
			APIResources: []metav1.APIResource{{Name: "things", Kind: "Thing", Namespaced: true, Verbs: verbs}, {Name: "things/status", Kind: "Thing", Namespaced: true, Verbs: verbs}},
		},
		base + "/things": list, base + "/namespaces/default/things": list, base + "/namespaces/default/things/o": thing,
	}
	if documented {
		pages["/openapi/v3"] = map[string]any{"paths": map[string]any{base[1:]: map[string]any{"serverRelativeURL": "/openapi/v3" + base + "?hash=1"}}}
		pages["/openapi/v3"+base] = map[string]any{
			"openapi": "3.0.0", "info": map[string]any{"title": "things", "version": "v1"},
			"paths": map[string]any{base + "/namespaces/{namespace}/things/{name}/status": map[string]any{}},
			"components": map[string]any{"schemas": map[string]any{
				"v1.Thing": map[string]any{
					"type": "object", "properties": map[string]any{"status": map[string]any{"allOf": []any{map[string]any{"$ref": "#/components/schemas/v1.ThingStatus"}}}},
					"x-kubernetes-group-version-kind": []any{map[string]any{"group": group, "version": "v1", "kind": "Thing"}},
				},
				"v1.ThingStatus": map[string]any{"type": "object", "properties": map[string]any{"observedGeneration": map[string]any{"type": "integer"}}},
			}},
		}
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok || r.URL.Query().Get("watch") != "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(page); err != nil {
			t.Logf("answer %s: %v", r.URL.Path, err) // the client has closed the connection
		}
	}))
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return at.Port()
}

// The expectations about aggregated kinds come from their OpenAPI document, and without one
// from their status subresource.
func TestExpectationsOfAggregatedKinds(t *testing.T) {
	c := live.Cluster(t)
	for documented, want := range map[bool]string{
		true:  "its controller has not reported an observed generation, which the schema of things.GROUP declares",
		false: "it has no status yet, although things.GROUP has a status subresource",
	} {
		t.Run(fmt.Sprintf("documented %t", documented), func(t *testing.T) {
			ns := c.Namespace(t)
			group := strings.ToLower(ns) + ".example.org"
			register(t, c, ns, group, aggregated(t, group, documented))
			if documented {
				waitForOpenAPI(t, c.Config(), group, "Thing")
			}
			w := observe.Watcher{Source: &source.Cluster{Config: c.Config(), Interval: time.Second}}
			want = strings.ReplaceAll(want, "GROUP", group)
			have := ""
			ctx, stop := context.WithTimeout(t.Context(), longTimeout)
			defer stop()
			for u, err := range w.Updates(ctx, manifest.Target(group, "Thing", "default", "o")) {
				if err != nil {
					t.Fatal(err)
				}
				if have = u.Result.Message; u.Result.Reason == "NotObserved" {
					break
				}
			}
			if have != want {
				t.Errorf("documented %t: have %s\nwant %s", documented, have, want)
			}
		})
	}
}

// register registers an aggregated API server at a port of this machine.
func register(t *testing.T, c *cluster.Cluster, ns, group, port string) {
	t.Helper()
	text := strings.NewReplacer("GROUP", group, "NS", ns, "PORT", port).Replace(`apiVersion: v1
kind: Service
metadata: {name: things}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.GROUP}
spec:
  group: GROUP
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {namespace: NS, name: things, port: PORT}
`)
	c.Apply(t, ns, text)
	t.Cleanup(func() { c.Delete(t, ns, text) })
}
