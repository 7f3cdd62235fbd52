package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A servedType is a type that the API server of scripts serves, with its objects as
// "namespace/name".
type servedType struct {
	group, version string
	plural, kind   string
	short          string
	cluster        bool // the type is cluster-scoped
	objects        []string
}

var servedTypes = []servedType{
	{version: "v1", plural: "configmaps", kind: "ConfigMap", short: "cm"},
	{version: "v1", plural: "namespaces", kind: "Namespace", short: "ns", cluster: true, objects: []string{"/default", "/shop", "/shop-test"}},
	{version: "v1", plural: "pods", kind: "Pod", short: "po", objects: []string{"shop/web-1", "shop/web-2"}},
	{version: "v1", plural: "secrets", kind: "Secret", objects: []string{"shop/password", "shop/sh.helm.release.v1.web.v1"}},
	{version: "v1", plural: "services", kind: "Service", short: "svc"},
	{group: "apps", version: "v1", plural: "deployments", kind: "Deployment", short: "deploy", objects: []string{"default/db", "shop/api", "shop/web"}},
	{group: "apps", version: "v1", plural: "statefulsets", kind: "StatefulSet", short: "sts"},
	{group: "batch", version: "v1", plural: "jobs", kind: "Job"},
	{group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions", kind: "CustomResourceDefinition", short: "crd", cluster: true, objects: []string{"/gears.example.com"}},
	{group: "example.com", version: "v1", plural: "gears", kind: "Gear", short: "gr", objects: []string{"shop/cog"}},
}

// apiServerCommand is a command of scripts. It starts an API server with a few types and
// objects, and sets KUBECONFIG to a file with that server. The server serves only lists,
// Namespaces and discovery. Lists are of metadata, except those
// of the missing namespace shp and of shop-test, which are empty. It answers other requests with 404. With "hang" it never answers.
// With "unauthorized" it rejects all users. With "late" it serves the group example.com only
// after it was looked for twice.
func apiServerCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: apiserver [hang | unauthorized | late]")
	}
	handler := http.HandlerFunc(serveTypes)
	closing := make(chan struct{})
	switch {
	case slices.Equal(args, []string{"hang"}):
		handler = func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-closing:
			}
		}
	case slices.Equal(args, []string{"late"}):
		var looks atomic.Int64
		handler = func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/apis" && looks.Add(1) <= 2 {
				writeJSON(w, http.StatusOK, groupList("example.com"))
				return
			}
			serveTypes(w, r)
		}
	case slices.Equal(args, []string{"unauthorized"}):
		handler = func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, http.StatusUnauthorized, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Unauthorized", "message": "Unauthorized", "code": 401})
		}
	}
	server := httptest.NewServer(handler)
	ts.Defer(func() { close(closing); server.Close() })
	config := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: one, cluster: {server: %q}}, {name: two, cluster: {server: %[1]q}}]
users: [{name: me, user: {}}, {name: you, user: {}}]
contexts:
- {name: east, context: {cluster: one, user: me, namespace: shop}}
- {name: west, context: {cluster: two, user: you}}
current-context: east
`, server.URL)
	file := ts.MkAbs("served-" + strings.Join(append(args, "kubeconfig"), "-"))
	ts.Check(os.WriteFile(file, []byte(config), 0o600))
	ts.Setenv("KUBECONFIG", file)
	ts.Setenv("HOME", ts.MkAbs("home-"+fmt.Sprint(time.Now().UnixNano()))) // with its own cache
}

// serveTypes serves discovery, and lists of metadata only. Completion must not read the values
// of Secrets.
func serveTypes(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch group, version, rest := pathOf(path); {
	case r.URL.Path == "/api":
		writeJSON(w, http.StatusOK, map[string]any{"kind": "APIVersions", "versions": []string{"v1"}})
	case r.URL.Path == "/apis":
		writeJSON(w, http.StatusOK, groupList(""))
	case len(rest) == 0 && version != "":
		writeJSON(w, http.StatusOK, resourceList(group, version))
	case version != "":
		serveList(w, r, group, rest)
	default:
		http.NotFound(w, r)
	}
}

// pathOf splits a path into the group, the version and the rest.
func pathOf(path []string) (group, version string, rest []string) {
	switch {
	case path[0] == "api" && len(path) > 1:
		return "", path[1], path[2:]
	case path[0] == "apis" && len(path) > 2:
		return path[1], path[2], path[3:]
	}
	return "", "", nil
}

// groupList returns the served groups, except one.
func groupList(without string) any {
	groups, seen := []any{}, map[string]bool{"": true, without: true}
	for _, t := range servedTypes {
		if !seen[t.group] {
			seen[t.group] = true
			version := map[string]any{"groupVersion": t.group + "/" + t.version, "version": t.version}
			groups = append(groups, map[string]any{"name": t.group, "versions": []any{version}, "preferredVersion": version})
		}
	}
	return map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
}

func resourceList(group, version string) any {
	resources := []any{}
	for _, t := range servedTypes {
		if t.group == group {
			one := map[string]any{
				"name": t.plural, "singularName": strings.ToLower(t.kind), "namespaced": !t.cluster, "kind": t.kind, "verbs": []string{"get", "list", "watch"},
			}
			if t.short != "" {
				one["shortNames"] = []string{t.short}
			}
			resources = append(resources, one)
		}
	}
	return map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.TrimPrefix(group+"/"+version, "/"), "resources": resources}
}

func serveList(w http.ResponseWriter, r *http.Request, group string, rest []string) {
	namespace := ""
	if len(rest) == 3 && rest[0] == "namespaces" {
		namespace, rest = rest[1], rest[2:]
	}
	i := slices.IndexFunc(servedTypes, func(t servedType) bool { return t.group == group && t.plural == rest[0] })
	switch {
	case i >= 0 && servedTypes[i].plural == "namespaces" && len(rest) == 2 && slices.Contains(servedTypes[i].objects, "/"+rest[1]):
		writeJSON(w, http.StatusOK, map[string]any{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{"name": rest[1]}})
		return
	case i < 0 || len(rest) != 1 || r.Method != http.MethodGet:
		http.NotFound(w, r)
		return
	case r.URL.Query().Has("fieldSelector"):
		message := "field label not supported: " + strings.Split(r.URL.Query().Get("fieldSelector"), "=")[0]
		writeJSON(w, http.StatusBadRequest, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "BadRequest", "message": message, "code": 400})
		return
	case !strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList"):
		if t := servedTypes[i]; namespace == "shp" || namespace == "shop-test" {
			writeJSON(w, http.StatusOK, map[string]any{"kind": t.kind + "List", "apiVersion": strings.TrimPrefix(t.group+"/"+t.version, "/"), "metadata": map[string]any{"resourceVersion": "1"}, "items": []any{}})
			return
		}
		http.Error(w, "want metadata only", http.StatusNotAcceptable)
		return
	}
	items := []any{}
	for _, id := range servedTypes[i].objects {
		if in, name, _ := strings.Cut(id, "/"); namespace == "" || in == namespace {
			items = append(items, map[string]any{"metadata": map[string]any{"namespace": in, "name": name}})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": items})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have closed the connection
}
