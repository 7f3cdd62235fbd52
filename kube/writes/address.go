package writes

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// An address is what a request is about.
type address struct {
	resource                     schema.GroupVersionResource
	namespace, name, subresource string
}

// addressOf reads from a path what the API server will read from it.
func addressOf(path string) (a address, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	i := slices.IndexFunc(parts, func(p string) bool { return p == "api" || p == "apis" })
	switch { // a cluster may be served below some path of a larger server
	case i < 0:
		return a, false
	case parts[i] == "api" && len(parts) > i+2:
		a.resource.Version, parts = parts[i+1], parts[i+2:]
	case parts[i] == "apis" && len(parts) > i+3:
		a.resource.Group, a.resource.Version, parts = parts[i+1], parts[i+2], parts[i+3:]
	default:
		return a, false
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		a.namespace = parts[1]
		if len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
			parts = parts[2:]
		} else {
			a.namespace = ""
		}
	}
	a.resource.Resource = parts[0]
	if len(parts) > 1 {
		a.name = parts[1]
	}
	if len(parts) > 2 {
		a.subresource = strings.Join(parts[2:], "/")
	}
	return a, true
}

// Requests to these subresources write an object. Others, such as exec and
// eviction, do something else, and what they say is none of ours.
var writeSubresources = []string{"", "status", "scale", "finalize", "approval", "ephemeralcontainers", "resize"}

// Requests about these are no writes of objects, or are made all the time to say
// that a process is alive, or what happens. Those about Events and Leases count
// where they are asked for.
var (
	reviewGroups   = []string{"authentication.k8s.io", "authorization.k8s.io"} // groups
	noiseResources = []schema.GroupResource{{Resource: "events"}, {Group: "events.k8s.io", Resource: "events"}, {Group: "coordination.k8s.io", Resource: "leases"}}
)

// A filter says which resources are meant: lamps.example.com, lamps, or *.example.com. The empty
// one means all but noise.
type filter []string

func (f filter) admits(a address) bool {
	r := a.resource.GroupResource()
	if !slices.Contains(writeSubresources, a.subresource) || slices.Contains(reviewGroups, r.Group) || isWithheld(r) {
		return false
	}
	if len(f) == 0 {
		return !slices.Contains(noiseResources, r)
	}
	return slices.ContainsFunc(f, func(name string) bool {
		resource, group, grouped := strings.Cut(strings.ToLower(name), ".")
		return (resource == r.Resource || resource == "*") && (!grouped || group == r.Group)
	})
}

// verbOf returns what a request does to an object; empty if it changes none, or many.
func verbOf(r *http.Request, a address) string {
	if slices.Contains(r.URL.Query()["dryRun"], "All") {
		return ""
	}
	switch r.Method {
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	case http.MethodPatch:
		if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); strings.HasPrefix(media, "application/apply-patch") {
			return "apply"
		}
		return "patch"
	case http.MethodDelete:
		if a.name != "" {
			return "delete"
		}
	}
	return ""
}
