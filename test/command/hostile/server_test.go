package hostile

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A kind is a kind that the server serves.
type kind struct {
	group, version, resource, name string
	clusterScoped                  bool
}

var kinds = []kind{
	{version: "v1", resource: "pods", name: "Pod"},
	{version: "v1", resource: "secrets", name: "Secret"},
	{version: "v1", resource: "configmaps", name: "ConfigMap"},
	{version: "v1", resource: "services", name: "Service"},
	{version: "v1", resource: "serviceaccounts", name: "ServiceAccount"},
	{version: "v1", resource: "persistentvolumeclaims", name: "PersistentVolumeClaim"},
	{version: "v1", resource: "events", name: "Event"},
	{version: "v1", resource: "nodes", name: "Node", clusterScoped: true},
	{version: "v1", resource: "namespaces", name: "Namespace", clusterScoped: true},
	{group: "apps", version: "v1", resource: "deployments", name: "Deployment"},
	{group: "apps", version: "v1", resource: "replicasets", name: "ReplicaSet"},
	{group: "example.com", version: "v1", resource: "widgets", name: "Widget"},
	{group: "example.com", version: "v1", resource: "secrets", name: "Secret"},
}

func (k kind) apiVersion() string { return strings.TrimPrefix(k.group+"/"+k.version, "/") }

func (k kind) path() string {
	if k.group == "" {
		return "/api/" + k.version
	}
	return "/apis/" + k.apiVersion()
}

// A server is an API server in a test.
type server struct {
	*httptest.Server
	t *testing.T

	// hook may answer a request instead of the server, and reports whether it did. It may be
	// nil.
	hook func(w http.ResponseWriter, r *http.Request) bool

	endInitial bool // watches that begin with a list end after it

	mu       sync.Mutex // guards the fields below
	objects  []map[string]any
	requests []string // the escaped path and the query of each
}

// serve starts a server with objects, given as JSON, that ends with the test.
func serve(t *testing.T, objects ...string) *server {
	s := &server{t: t}
	for _, text := range objects {
		var o map[string]any
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		s.objects = append(s.objects, o)
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// kubeconfig writes a kubeconfig for the server, and returns the name of the file.
func (s *server) kubeconfig() string {
	file := filepath.Join(s.t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c",
		"clusters": [{"name": "c", "cluster": {"server": %q}}],
		"users": [{"name": "u", "user": {"token": "the-token-of-the-user"}}],
		"contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": "shop"}}]}`, s.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return file
}

// log returns the requests so far: the path of each as it was sent, and its query.
func (s *server) log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.RequestURI)
	s.mu.Unlock()
	if s.hook != nil && s.hook(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	path := r.URL.Path
	switch path {
	case "/api":
		send(w, http.StatusOK, map[string]any{"kind": "APIVersions", "versions": []string{"v1"}})
		return
	case "/apis":
		send(w, http.StatusOK, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups()})
		return
	case "/version":
		send(w, http.StatusOK, map[string]any{"major": "1", "minor": "35", "gitVersion": "v1.35.0"})
		return
	}
	for _, g := range groups() {
		if path == "/apis/"+g["name"].(string) {
			g["kind"], g["apiVersion"] = "APIGroup", "v1"
			send(w, http.StatusOK, g)
			return
		}
	}
	for _, k := range kinds {
		rest, found := strings.CutPrefix(path, k.path())
		if !found {
			continue
		}
		if rest == "" {
			send(w, http.StatusOK, resources(k.group, k.version))
			return
		}
		parts := strings.Split(rest, "/")[1:]
		namespace := ""
		if parts[0] == "namespaces" && len(parts) > 2 {
			namespace, parts = parts[1], parts[2:]
		}
		if parts[0] != k.resource || len(parts) > 2 {
			continue
		}
		if len(parts) == 2 {
			s.get(w, r, k, namespace, parts[1])
		} else {
			s.list(w, r, k, namespace)
		}
		return
	}
	fail(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource", nil)
}

func groups() (all []map[string]any) {
	for _, k := range kinds {
		if k.group == "" || slices.ContainsFunc(all, func(g map[string]any) bool { return g["name"] == k.group }) {
			continue
		}
		version := map[string]any{"groupVersion": k.apiVersion(), "version": k.version}
		all = append(all, map[string]any{"name": k.group, "versions": []any{version}, "preferredVersion": version})
	}
	return all
}

func resources(group, version string) map[string]any {
	all := []any{}
	for _, k := range kinds {
		if k.group == group && k.version == version {
			all = append(all, map[string]any{"name": k.resource, "singularName": strings.ToLower(k.name), "kind": k.name, "namespaced": !k.clusterScoped, "verbs": []string{"get", "list", "watch"}})
		}
	}
	return map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.TrimPrefix(group+"/"+version, "/"), "resources": all}
}

func metadataOf(o map[string]any) map[string]any {
	m, _ := o["metadata"].(map[string]any)
	return m
}

// shown returns an object in the form that the request accepts.
func shown(r *http.Request, o map[string]any) map[string]any {
	if !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		return o
	}
	return map[string]any{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": o["metadata"]}
}

func (s *server) get(w http.ResponseWriter, r *http.Request, k kind, namespace, name string) {
	for _, o := range s.selected(k, namespace, name) {
		send(w, http.StatusOK, shown(r, o))
		return
	}
	fail(w, http.StatusNotFound, "NotFound", fmt.Sprintf("%s %q not found", k.resource, name), map[string]any{"name": name, "kind": k.resource})
}

// selected returns the objects of a kind with a name, or all of them without a name.
func (s *server) selected(k kind, namespace, name string) (all []map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.objects {
		m := metadataOf(o)
		in, _ := m["namespace"].(string)
		if o["apiVersion"] == k.apiVersion() && o["kind"] == k.name && (namespace == "" || in == namespace) && (name == "" || m["name"] == name) {
			all = append(all, o)
		}
	}
	return all
}

func (s *server) list(w http.ResponseWriter, r *http.Request, k kind, namespace string) {
	query := r.URL.Query()
	name, _ := strings.CutPrefix(query.Get("fieldSelector"), "metadata.name=")
	items := []any{}
	for _, o := range s.selected(k, namespace, name) {
		items = append(items, shown(r, o))
	}
	if query.Get("watch") != "true" {
		list := map[string]any{"kind": k.name + "List", "apiVersion": k.apiVersion(), "metadata": map[string]any{"resourceVersion": "100"}, "items": items}
		if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
			list["kind"], list["apiVersion"] = "PartialObjectMetadataList", "meta.k8s.io/v1"
		}
		send(w, http.StatusOK, list)
		return
	}
	w.WriteHeader(http.StatusOK)
	if query.Get("sendInitialEvents") == "true" {
		for _, item := range items {
			event(w, "ADDED", item)
		}
		event(w, "BOOKMARK", bookmark(r, k, "100", map[string]any{"k8s.io/initial-events-end": "true"}))
	}
	flush(w)
	if !s.endInitial {
		<-r.Context().Done()
	}
}

// bookmark returns the object of a bookmark.
func bookmark(r *http.Request, k kind, version string, annotations map[string]any) map[string]any {
	return shown(r, map[string]any{"kind": k.name, "apiVersion": k.apiVersion(), "metadata": map[string]any{"resourceVersion": version, "annotations": annotations}})
}

func event(w http.ResponseWriter, of string, object any) {
	data, _ := json.Marshal(map[string]any{"type": of, "object": object}) // of maps and strings
	_, _ = w.Write(append(data, '\n'))                                    // the client may have closed the connection
}

// flush sends the buffered response. The client may have closed the connection.
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

func send(w http.ResponseWriter, code int, document any) {
	data, _ := json.Marshal(document) // of maps and strings
	w.WriteHeader(code)
	_, _ = w.Write(data) // the client may have closed the connection
}

func fail(w http.ResponseWriter, code int, reason, message string, details map[string]any) {
	document := map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message}
	if details != nil {
		document["details"] = maps.Clone(details)
	}
	send(w, code, document)
}
