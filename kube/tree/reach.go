package tree

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// A reach is the namespaces whose events and logs may be read. An object may name an object of any
// namespace. So its author could otherwise read logs with the permissions of the caller. The
// status of such an object is read anyway.
type reach struct {
	namespaces map[string]bool // the requested ones, and those that cluster-scoped requested objects name.
	refused    map[string]bool // the namespaces of the queries that were removed last.
}

func newReach(r Reader, ids []status.ID) reach {
	all := reach{namespaces: map[string]bool{}}
	for _, namespace := range r.Namespaces {
		all.namespaces[namespace] = true
	}
	for _, id := range ids {
		if r.Namespaces == nil && id.Namespace != "" {
			all.namespaces[id.Namespace] = true
		} else if id.Namespace == "" && r.Namespace != "" {
			all.namespaces[r.Namespace] = true
		}
	}
	return all
}

// includes reports whether the events and logs of a namespace may be read. Events about
// cluster-scoped objects have no namespace here.
func (r reach) includes(namespace string) bool {
	return namespace == "" || r.namespaces[namespace] || r.namespaces[metav1.NamespaceAll]
}

// permitted returns the queries that may be sent.
func (c *collection) permitted(queries []explain.Query) []explain.Query {
	for _, namespace := range explain.NamespacesOf(c.facts, c.ids...) {
		c.reach.namespaces[namespace] = true
	}
	c.reach.refused = map[string]bool{}
	return slices.DeleteFunc(queries, func(q explain.Query) bool {
		namespace := ""
		switch {
		case q.Type == explain.QueryEvents:
			namespace = q.ID.Namespace
		case q.Type == explain.QueryLog && c.Logs:
			namespace = q.Log.Pod.Namespace
		}
		if c.reach.includes(namespace) {
			return false
		}
		c.reach.refused[namespace] = true
		return true
	})
}

// addRefused adds gaps for the namespaces whose events and logs were not read.
func (c *collection) addRefused() {
	what := "events"
	if c.Logs {
		what = "events and logs"
	}
	for namespace := range c.reach.refused {
		c.addGap(what+" in namespace "+namespace, "not read: only those of requested namespaces are")
	}
}
