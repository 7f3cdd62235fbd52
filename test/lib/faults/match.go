package faults

import (
	"net/http"
	"slices"
	"strings"
)

// A Match selects the requests for a fault. The zero Match selects all, including discovery.
type Match struct {
	Verbs     []string // as RBAC spells them: get, list, watch, create, update, patch, delete, deletecollection
	Resources []string // "pods", "deployments.apps", "pods/log"; for other requests the path, such as "/apis" and "/version"
	Namespace string
	Token     string  // only requests that carry this bearer token
	First     int     // only the first requests; 0: all
	Share     float64 // only this share of the requests, evenly spread, such as 0.1 for every tenth; 0: all
}

// A call describes a request.
type call struct {
	verb, resource, namespace string
	token                     string
}

// matches reports whether a call matches, without First and Share.
func (m *Match) matches(c call) bool {
	return (len(m.Verbs) == 0 || slices.Contains(m.Verbs, c.verb)) &&
		(len(m.Resources) == 0 || slices.Contains(m.Resources, c.resource)) &&
		(m.Namespace == "" || m.Namespace == c.namespace) &&
		(m.Token == "" || m.Token == c.token)
}

// isInShare reports whether the nth call, from 1, is in the share.
func (m *Match) isInShare(n int) bool {
	return m.Share == 0 || int(float64(n)*m.Share) > int(float64(n-1)*m.Share)
}

var verbs = map[string]string{
	http.MethodGet: "get", http.MethodPost: "create", http.MethodPut: "update",
	http.MethodPatch: "patch", http.MethodDelete: "delete",
}

// callOf parses the path of a request like the API server.
func callOf(r *http.Request) call {
	c := call{verb: verbs[r.Method], resource: r.URL.Path}
	c.token, _ = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if c.verb == "" {
		c.verb = strings.ToLower(r.Method)
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var group string
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, parts = parts[1], parts[3:]
	default:
		return c
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		c.namespace = parts[1]
		if len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
			parts = parts[2:]
		}
	}
	c.resource = parts[0]
	if group != "" {
		c.resource += "." + group
	}
	if len(parts) > 2 {
		c.resource += "/" + parts[2]
	}
	if len(parts) == 1 {
		c.verb = ofMany(c.verb, r)
	}
	return c
}

// ofMany returns the verb for all objects of a kind.
func ofMany(verb string, r *http.Request) string {
	watch := r.URL.Query().Get("watch")
	switch {
	case verb == "get" && (watch == "true" || watch == "1"):
		return "watch"
	case verb == "get":
		return "list"
	case verb == "delete":
		return "deletecollection"
	}
	return verb
}
