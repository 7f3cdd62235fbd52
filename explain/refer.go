package explain

import (
	"strings"

	"kstatus.dev/status"
)

// refer names another object in the same cluster.
func (n *node) refer(kind status.Kind, namespace, name string) ID {
	return ID{n.ID.Cluster, kind.Group, kind.Kind, namespace, name}
}

// reference reads a reference of the usual shape: a kind and a name, a namespace
// if it is not the object's own, and the group or the version of its API.
func (f fields) reference(path string) (r Ref, ok bool) {
	at := f.under(path)
	id := ID{Cluster: f.node.ID.Cluster, Kind: at.text("kind"), Name: at.text("name"), Namespace: first(at.text("namespace"), f.node.ID.Namespace)}
	id.Group = first(at.text("apiGroup"), at.text("group"), GroupOf(at.text("apiVersion")))
	return Ref{Path: at.path + "name", ID: id}, id.Kind != "" && id.Name != ""
}

// called names an object as people do: shop/web.
func (n *node) called() string {
	if n.ID.Namespace == "" {
		return n.ID.Name
	}
	return n.ID.Namespace + "/" + n.ID.Name
}

// lookup is what was found when looking around an object.
func (n *node) lookup(found string) Evidence {
	return Evidence{From: FromLookup, Object: n.ID, Value: bounded(found)}
}

// kubectl is a command in the namespace of an object, from words with blanks between.
func (n *node) kubectl(args string) string { return n.ID.kubectl(strings.Fields(args)...) }

// everywhere is a command that is about no namespace, or all.
func (n *node) everywhere(args string) string {
	return ID{Cluster: n.ID.Cluster}.kubectl(strings.Fields(args)...)
}

// condition returns a condition, empty if there is none or if it speaks of an
// earlier generation.
func (n *node) condition(is string) fields { return n.conditionAt("status.conditions[" + is + "]") }

func (n *node) conditionAt(path string) fields {
	c := n.under(path)
	if seen := c.whole("observedGeneration", 0); seen > 0 && seen < n.whole("metadata.generation", 0) {
		return fields{path: c.path, node: n}
	}
	return c
}

// says returns what a condition says for people: its message, else its reason.
func (f fields) says() string {
	return bounded(first(f.text("message"), f.text("reason"), f.text("type")+" is "+f.text("status")))
}

// conditionEvidence is a condition as evidence: its reason or status, and its message.
func (f fields) conditionEvidence() []Evidence {
	all := []Evidence{f.evidence("reason")}
	if f.text("reason") == "" {
		all[0] = f.evidence("status")
	}
	if f.text("message") != "" {
		all = append(all, f.evidence("message"))
	}
	return all
}
