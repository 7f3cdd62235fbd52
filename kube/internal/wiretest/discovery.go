package wiretest

import (
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// discover answers with the versions of a group, or the kinds of a version.
func (s *Server) discover(x exchange) {
	s.mu.Lock()
	resources := slices.Clone(s.resources)
	s.mu.Unlock()
	if aggregated, ok := x.aggregated(resources); ok {
		x.w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
		x.send(http.StatusOK, aggregated)
		return
	}
	group := metav1.APIGroup{TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}}
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}}
	for _, resource := range resources {
		path := "/apis/" + resource.Group
		if resource.Group == "" {
			path = "/api"
		}
		version := metav1.GroupVersionForDiscovery{GroupVersion: strings.TrimPrefix(resource.Group+"/", "/") + resource.Version, Version: resource.Version}
		switch {
		case x.request.Path == path:
			if group.Name = resource.Group; len(group.Versions) == 0 {
				group.PreferredVersion = version
			}
			if !slices.Contains(group.Versions, version) {
				group.Versions = append(group.Versions, version)
			}
		case x.request.Path == path+"/"+resource.Version:
			list.GroupVersion = version.GroupVersion
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: resource.Name, Kind: resource.Kind, Namespaced: !resource.ClusterScoped, Verbs: resource.verbs(), Categories: resource.Categories})
		}
	}
	switch {
	case len(group.Versions) > 0:
		x.send(http.StatusOK, group)
	case len(list.APIResources) > 0:
		x.send(http.StatusOK, list)
	default:
		x.fail(http.StatusNotFound, metav1.StatusReasonNotFound)
	}
}

// verbs returns the verbs of discovery.
func (r Resource) verbs() []string {
	if len(r.Verbs) == 0 {
		return []string{"get", "list", "watch"}
	}
	return r.Verbs
}

// aggregated returns all kinds of /api or /apis in one document, if the request is for that.
func (x exchange) aggregated(resources []Resource) (document map[string]any, ok bool) {
	if !strings.Contains(x.r.Header.Get("Accept"), "as=APIGroupDiscoveryList") || x.request.Path != "/api" && x.request.Path != "/apis" {
		return nil, false
	}
	var groups []any
	known := map[string]map[string]any{}
	for _, r := range resources {
		if (r.Group == "") != (x.request.Path == "/api") {
			continue
		}
		group := known[r.Group]
		if group == nil {
			group = map[string]any{"metadata": map[string]any{"name": r.Group}, "versions": []any{}}
			known[r.Group], groups = group, append(groups, group)
		}
		scope := "Namespaced"
		if r.ClusterScoped {
			scope = "Cluster"
		}
		resource := map[string]any{
			"resource": r.Name, "scope": scope, "verbs": r.verbs(), "singularResource": strings.ToLower(r.Kind), "categories": r.Categories,
			"responseKind": map[string]any{"group": r.Group, "version": r.Version, "kind": r.Kind},
		}
		versions := group["versions"].([]any)
		at := slices.IndexFunc(versions, func(v any) bool { return v.(map[string]any)["version"] == r.Version })
		if at < 0 {
			versions = append(versions, map[string]any{"version": r.Version, "freshness": "Current", "resources": []any{}})
			group["versions"], at = versions, len(versions)-1
		}
		version := versions[at].(map[string]any)
		version["resources"] = append(version["resources"].([]any), resource)
	}
	return map[string]any{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": map[string]any{}, "items": groups}, true
}
