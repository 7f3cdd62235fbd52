package writes

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// An address is the object or the resource of a request.
type address struct {
	resource                     schema.GroupVersionResource
	namespace, name, subresource string
}

// addressOf parses the path of a request as the API server does.
func addressOf(path string) (a address, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	i := slices.IndexFunc(parts, func(p string) bool { return p == "api" || p == "apis" })
	switch { // a path prefix may come first, as behind a proxy
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

// writeSubresources are the subresources whose requests write an object.
// Others, such as exec and eviction, are ignored.
var writeSubresources = []string{"", "status", "scale", "finalize", "approval", "ephemeralcontainers", "resize"}

// Requests about these resources are not writes of objects, or are frequent
// noise. Those about Events and Leases count if they are selected.
var (
	reviewGroups   = []string{"authentication.k8s.io", "authorization.k8s.io"} // groups
	noiseResources = []schema.GroupResource{{Resource: "events"}, {Group: "events.k8s.io", Resource: "events"}, {Group: "coordination.k8s.io", Resource: "leases"}}
)

// A filter selects resources: lamps.example.com, lamps, or *.example.com. An
// empty filter selects all except noise.
type filter []string

func (f filter) matches(a address) bool {
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

// verbOf returns the verb of a request that writes an object. It is empty for
// other requests, and for requests that write several objects.
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
