package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A node is one thing with what hangs together with it.
type node struct {
	*Thing
	section
	scene  *scene
	uid    string
	parts  []*node // what it controls, in order
	events []Event // about it, the latest first

	refs       []Ref // what it refers to, once that has been looked for
	looked     bool
	unfollowed int // how many references of it are left out
}

func (n *node) become(t *Thing) {
	n.Thing = t
	n.section = section{fields.Section{Map: t.Object}, n}
	n.uid = n.Text("metadata.uid")
	if n.uid != "" {
		n.scene.byUID[n.uid] = n
	}
}

// refer names another object in the same cluster.
func (n *node) refer(kind status.Kind, namespace, name string) ID {
	return ID{n.ID.Cluster, kind.Group, kind.Kind, namespace, name}
}

// reference reads a reference of the usual shape: a kind and a name, a namespace
// if it is not the object's own, and the group or the version of its API.
func (f section) reference(path string) (r Ref, ok bool) {
	at := f.Under(path)
	id := ID{Cluster: f.node.ID.Cluster, Kind: at.Text("kind"), Name: at.Text("name"), Namespace: cmp.Or(at.Text("namespace"), f.node.ID.Namespace)}
	id.Group = cmp.Or(at.Text("apiGroup"), at.Text("group"), GroupOf(at.Text("apiVersion")))
	return Ref{Path: at.Path + "name", ID: id}, id.Kind != "" && id.Name != ""
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
	return Evidence{From: FromLookup, Object: n.ID, Value: show.Line(found)}
}

// kubectl is a command in the namespace of an object, from words with blanks between.
func (n *node) kubectl(args string) string { return n.ID.kubectl(strings.Fields(args)...) }

// everywhere is a command that is about no namespace, or all.
func (n *node) everywhere(args string) string {
	return ID{Cluster: n.ID.Cluster}.kubectl(strings.Fields(args)...)
}

// condition returns a condition, empty if there is none or if it speaks of an
// earlier generation.
func (n *node) condition(is string) section { return n.conditionAt("status.conditions[" + is + "]") }

func (n *node) conditionAt(path string) section {
	c := n.Under(path)
	if seen := c.Int("observedGeneration", 0); seen > 0 && seen < n.Int("metadata.generation", 0) {
		return section{fields.Section{Path: c.Path}, n}
	}
	return c
}

// says returns what a condition says for people: its message, else its reason.
func (f section) says() string {
	return show.Line(cmp.Or(f.Text("message"), f.Text("reason"), f.Text("type")+" is "+f.Text("status")))
}

// conditionEvidence is a condition as evidence: its reason or status, and its message.
func (f section) conditionEvidence() []Evidence {
	all := []Evidence{f.evidence("reason")}
	if f.Text("reason") == "" {
		all[0] = f.evidence("status")
	}
	if f.Text("message") != "" {
		all = append(all, f.evidence("message"))
	}
	return all
}

// ending reports whether an object is being deleted.
func (n *node) ending() bool { return n.Result.Status == status.TerminatingStatus }

// done reports whether nothing is to be explained about an object.
func (n *node) done() bool {
	return n.Result.Status == status.CurrentStatus && !n.failing()
}

// failing reports whether something is wrong that may still heal.
func (n *node) failing() bool {
	return n.Result.Status == status.InProgressStatus && n.Result.Failure == status.Recoverable
}
