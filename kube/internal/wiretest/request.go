package wiretest

import (
	"net/http"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// A Request is what a client has asked for.
type Request struct {
	Verb      string // that of RBAC, such as list; discover for all that is not about objects
	Path      string
	Escaped   string // the path as it was sent
	Group     string
	Resource  string // such as deployments
	Part      string // the subresource
	Namespace string // empty: all
	Name      string // from the path or from a field selector; empty: all
	Labels    string // the label selector
	Version   string // the resource version that a watch starts at
	Streamed  bool   // a watch that begins with a list
	Metadata  bool   // only the metadata of objects
	DryRun    bool
	Limit     int    // the size of a page; 0: no limit
	Continue  string // the token of the page
}

// String returns the request in short, such as "watch pods in shop named web-1".
func (r Request) String() string {
	if r.Verb == "discover" {
		return r.Verb + " " + r.Path
	}
	text := r.Verb + " " + r.Resource
	if r.Namespace != "" {
		text += " in " + r.Namespace
	}
	if r.Name != "" {
		text += " named " + r.Name
	}
	if r.Labels != "" {
		text += " with " + r.Labels
	}
	return text
}

// verbs are the verbs of the methods that change objects.
var verbs = map[string]string{
	http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete",
}

// requestOf reads a request.
func requestOf(r *http.Request) Request {
	query := r.URL.Query()
	request := Request{
		Verb: "discover", Path: r.URL.Path, Escaped: r.URL.EscapedPath(),
		Labels:  query.Get("labelSelector"),
		Version: query.Get("resourceVersion"), Streamed: query.Get("sendInitialEvents") == "true",
		Metadata: strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata"),
		Continue: query.Get("continue"), DryRun: query.Has("dryRun"),
	}
	request.Limit, _ = strconv.Atoi(query.Get("limit"))
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		request.Group = parts[1]
		parts = parts[3:]
	default:
		return request
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		request.Namespace = parts[1]
		parts = parts[2:]
	}
	request.Resource = parts[0]
	if len(parts) > 1 {
		request.Name = parts[1]
	}
	if len(parts) > 2 {
		request.Part = parts[2]
	}
	switch {
	case r.Method != http.MethodGet:
		request.Verb = verbs[r.Method]
	case len(parts) > 1:
		request.Verb = "get"
	case query.Get("watch") == "true":
		request.Verb = "watch"
	default:
		request.Verb = "list"
	}
	if selector, err := fields.ParseSelector(query.Get("fieldSelector")); err == nil && request.Name == "" {
		request.Name, _ = selector.RequiresExactMatch("metadata.name")
	}
	return request
}

// selects reports whether an object is one that the request is about.
func (r Request) selects(u *unstructured.Unstructured) bool {
	if u == nil || r.Namespace != "" && u.GetNamespace() != r.Namespace || r.Name != "" && u.GetName() != r.Name {
		return false
	}
	selector, err := labels.Parse(r.Labels)
	return err == nil && selector.Matches(labels.Set(u.GetLabels()))
}
