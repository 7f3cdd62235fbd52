package tree_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/source"
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The kinds that the server of the tests serves.
var resources = []wiretest.Resource{
	{Version: "v1", Kind: "Pod", Name: "pods"},
	{Version: "v1", Kind: "Secret", Name: "secrets"},
	{Version: "v1", Kind: "ConfigMap", Name: "configmaps"},
	{Version: "v1", Kind: "Service", Name: "services"},
	{Version: "v1", Kind: "ServiceAccount", Name: "serviceaccounts"},
	{Version: "v1", Kind: "PersistentVolumeClaim", Name: "persistentvolumeclaims"},
	{Version: "v1", Kind: "Event", Name: "events"},
	{Version: "v1", Kind: "Node", Name: "nodes", ClusterScoped: true},
	{Version: "v1", Kind: "Namespace", Name: "namespaces", ClusterScoped: true},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet", Name: "replicasets"},
	{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"},
}

// alsoRequested are the resources that are requested although the server does not serve them.
var alsoRequested = []string{"customresourcedefinitions", "selfsubjectreviews", "storageclasses", "endpointslices"}

// mapper returns how the kinds are served.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	for _, r := range resources {
		scope := meta.RESTScopeNamespace
		if r.ClusterScoped {
			scope = meta.RESTScopeRoot
		}
		m.AddSpecific(schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}, r.GroupVersionResource(), r.GroupVersionResource(), scope)
	}
	return m
}

// catalog is what discovery tells of the server.
type catalog struct {
	discovery.ServerResourcesInterface
}

func (catalog) ServerPreferredResources() (all []*metav1.APIResourceList, err error) {
	for _, r := range resources {
		all = append(all, &metav1.APIResourceList{GroupVersion: r.GroupVersionResource().GroupVersion().String(), APIResources: []metav1.APIResource{
			{Name: r.Name, Kind: r.Kind, Namespaced: !r.ClusterScoped, Verbs: []string{"get", "list", "watch"}},
		}})
	}
	return all, nil
}

// hostileObjects are objects that refer to others by a name, in every way that kstatus follows.
func hostileObjects(name string) []*unstructured.Unstructured {
	ref := map[string]any{"name": name}
	full := map[string]any{"apiVersion": "v1", "kind": "Secret", "name": name, "namespace": name}
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "p", "namespace": "shop", "uid": "1", "ownerReferences": []any{
			map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": "9", "controller": true},
			map[string]any{"apiVersion": name + "/v1", "kind": "Widget", "name": name, "uid": "8"},
		}},
		"spec": map[string]any{
			"nodeName": name, "serviceAccountName": name, "imagePullSecrets": []any{ref},
			"volumes": []any{
				map[string]any{"name": "a", "secret": map[string]any{"secretName": name}},
				map[string]any{"name": "b", "configMap": ref},
				map[string]any{"name": "c", "persistentVolumeClaim": map[string]any{"claimName": name}},
				map[string]any{"name": "d", "projected": map[string]any{"sources": []any{map[string]any{"secret": ref}, map[string]any{"configMap": ref}}}},
				map[string]any{"name": "e", "csi": map[string]any{"driver": name, "nodePublishSecretRef": ref}},
			},
			"containers": []any{map[string]any{
				"name": name, "image": "x", "envFrom": []any{map[string]any{"secretRef": ref}, map[string]any{"configMapRef": ref}},
				"env": []any{map[string]any{"name": "A", "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": name, "key": "a"}}}},
			}},
		},
		"status": map[string]any{"phase": "Pending", "containerStatuses": []any{map[string]any{
			"name": name, "ready": false, "restartCount": int64(5), "state": map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
			"lastState": map[string]any{"terminated": map[string]any{"exitCode": int64(1)}},
		}}},
	}
	widget := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w", "namespace": "shop", "uid": "2"},
		"spec": map[string]any{
			"secretRef": ref, "configMapRef": ref, "otherRef": full, "classRef": map[string]any{"apiGroup": name, "kind": "Secret", "name": name},
			"serviceRef": map[string]any{"kind": "Service", "name": "s", "namespace": name},
		},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "Waiting", "message": "secret " + name + " not found"}}},
	}
	all := []*unstructured.Unstructured{{Object: pod}, {Object: widget}, hostileRelease(name)}
	return all
}

// hostileRelease is a release of Helm that has made objects of a name.
func hostileRelease(name string) *unstructured.Unstructured {
	quoted, _ := json.Marshal(name) // of a text
	manifest := fmt.Sprintf("---\n"+`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": %[1]s}}`+"\n---\n"+
		`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": %[1]s}}`+"\n", quoted)
	document, _ := json.Marshal(map[string]any{"manifest": manifest, "namespace": name, "version": 1, "info": map[string]any{"status": "deployed"}}) // of texts
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(document) // to memory
	_ = w.Close()
	text := base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(packed.Bytes())))
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"release": text},
		"metadata": map[string]any{"name": "sh.helm.release.v1.web.v1", "namespace": "shop", "uid": "3", "labels": map[string]any{"owner": "helm", "name": "web"}},
	}}
}

// Names of objects, manifests, sets and users may be hostile. Every request still is for the
// right kinds and namespaces, and each name in its path is a given name.
func FuzzRequestsOfHostileNames(f *testing.F) {
	for _, name := range []string{
		"web", "..", ".", "../..", "../../../nodes/n1/proxy/run", "../services/evil:80/proxy/shutdown?x=1", "..%2f..%2fnodes", "%2e%2e/x", `..\..\nodes`, "a/b", "/", "//", "a?b=c",
		"a#b", "a;b", "..;/x", "a b", "a\nb", "a\x00b", "\xff", "é", "\u202e", "proxy", "namespaces", "log", "watch", "-x", "--server=https://evil", "", "a,metadata.namespace=b", "=", "!",
		strings.Repeat("a", 300), strings.Repeat("../", 100), "http://evil/", "system:node:a",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s := wiretest.New(t, resources...)
		for _, o := range hostileObjects(name) {
			s.Put(o)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		client, err := source.NewClient(s.Config(), source.Options{Mapper: mapper()})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()

		reader := tree.Reader{Config: s.Config(), Client: client, Mapper: mapper(), Discovery: catalog{}, Logs: true, MaxRequests: 200}
		ids := []status.ID{
			{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "p"}, {Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", Name: "w"},
			{Kind: status.Kind{Kind: "Secret"}, Namespace: "shop", Name: name}, {Kind: status.Kind{Kind: "ConfigMap"}, Namespace: name, Name: "x"}, {Kind: status.Kind{Group: name, Kind: "Secret"}, Namespace: "shop", Name: "x"}, {Kind: status.Kind{Kind: "Node"}, Name: name},
		}
		if _, err := reader.Collect(ctx, ids); err != nil {
			t.Fatalf("%q: collect: %v", name, err)
		}
		if _, err := reader.Tree(ctx, ids); err != nil {
			t.Fatalf("%q: tree: %v", name, err)
		}

		found := sets.Cluster{Config: s.Config(), Mapper: mapper(), Namespace: "shop"}
		set, err := found.Find(ctx, sets.Owner{Type: sets.TypeHelm, Namespace: "shop", Name: "web"})
		if err != nil {
			t.Logf("%q: find: %v", name, err) // not every text can be in a manifest
		}
		for _, of := range sets.Types() {
			_, _ = found.Find(ctx, sets.Owner{Type: of, Namespace: name, Name: name}) // there is none
		}
		_, _ = found.Expand(ctx, set.Objects...) // not all of them exist

		targets := append(set.Objects,
			observe.Target{Kind: status.Kind{Kind: "Secret"}, Namespace: "shop", Name: name}, observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: name, Name: "x"},
			observe.Target{Kind: status.Kind{Group: name, Kind: "Widget"}, Namespace: "shop", Name: "x"}, observe.Target{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: name, Name: name},
			observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: name, LabelSelector: "a=b"})
		observed, stop := context.WithTimeout(ctx, 2*time.Second)
		defer stop()
		var mu sync.Mutex // guards seen
		seen := map[observe.Target]bool{}
		cluster := source.Cluster{Client: client, Namespace: "shop"}
		if err := cluster.Observe(observed, targets, func(e observe.Event) bool {
			mu.Lock()
			defer mu.Unlock()
			seen[e.Target] = true
			for _, target := range targets {
				if !seen[target] {
					return true
				}
			}
			stop()
			return false
		}); err != nil {
			t.Fatalf("%q: observe: %v", name, err)
		}

		for _, r := range s.Requests() {
			if err := checkRequest(r.Escaped, name); err != nil {
				t.Errorf("%q: %s: %v", name, r.Escaped, err)
			}
		}
	})
}

// checkRequest returns why a path is none that may be requested when a name was given.
func checkRequest(path, name string) error {
	parts := strings.Split(path, "/")[1:]
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil {
			return err
		}
		if guard.CheckName("object", plain) != nil || plain == "" {
			return fmt.Errorf("%q is no name", plain)
		}
		parts[i] = plain
	}
	name = string([]rune(name)) // as JSON has it
	given := []string{"shop", "default", "p", "w", "x", "s", "sh.helm.release.v1.web.v1", name, name + ".apps.k14s.io"}
	switch {
	case parts[0] == "openapi", len(parts) <= 2 && parts[0] == "api", len(parts) <= 3 && parts[0] == "apis":
		return nil
	case parts[0] == "api":
		parts = parts[2:]
	case parts[0] == "apis":
		parts = parts[3:]
	default:
		return fmt.Errorf("nothing is needed of /%s", parts[0])
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		if !slices.Contains(given, parts[1]) {
			return fmt.Errorf("nobody has named the namespace %q", parts[1])
		}
		parts = parts[2:]
	}
	isServed := slices.ContainsFunc(resources, func(r wiretest.Resource) bool { return r.Name == parts[0] })
	switch {
	case !isServed && !slices.Contains(alsoRequested, parts[0]):
		return fmt.Errorf("nobody has named the resource %q", parts[0])
	case len(parts) > 1 && isServed && !slices.Contains(given, parts[1]):
		return fmt.Errorf("nobody has named the object %q", parts[1])
	case len(parts) == 3 && (parts[2] != "log" || parts[0] != "pods"), len(parts) > 3:
		return fmt.Errorf("nobody has named %q", parts[2:])
	}
	return nil
}
