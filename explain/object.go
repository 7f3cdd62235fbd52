package explain

import (
	"cmp"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/condition"
	"kstatus.dev/status"
)

// An object is one object of the facts, with its parts, its events and its references.
type object struct {
	*ObjectFact
	section
	index  *index
	uid    string
	parts  []*object // the objects that it controls, in order
	events []Event   // about it, the latest first

	refs        []objectRef // the objects that it refers to; see refsFound
	refsFound   bool
	skippedRefs int // the number of references that are not followed

	podRefs         []objectRef          // see podReferences
	podRefPaths     map[status.ID]string // the first path of each; nil until first needed
	containerEvents map[string][]Event   // by the name of the container; nil until first needed
	like            string               // see likeness
	unservedBy      []string             // see unserved
	unservedFound   bool

	mentionedNames *messages.Names // the names in its message and in the statements about it; nil until first needed
}

// set sets the fact of an object.
func (o *object) set(t *ObjectFact) {
	o.ObjectFact = t
	o.section = section{fields.Section{Map: condition.Normalized(t.Object), Names: &fields.Names{}}, o}
	o.uid = o.Text("metadata.uid")
	if o.uid != "" {
		o.index.byUID[o.uid] = o
	}
}

// refer returns the ID of another object in the same cluster.
func (o *object) refer(kind status.Kind, namespace, name string) status.ID {
	return status.ID{Cluster: o.ID.Cluster, Kind: kind, Namespace: namespace, Name: name}
}

// reference reads a reference of the usual form: kind, name, an optional namespace, and
// the group or the apiVersion. The default is the object's own namespace.
func (s section) reference(path string) (r objectRef, ok bool) {
	at := s.Under(path)
	kind := status.Kind{Group: cmp.Or(at.Text("apiGroup"), at.Text("group"), groupOf(at.Text("apiVersion"))), Kind: at.Text("kind")}
	id := s.object.refer(kind, cmp.Or(at.Text("namespace"), s.object.ID.Namespace), at.Text("name"))
	return objectRef{Path: at.Path + "name", ID: id}, kind.Kind != "" && id.Name != ""
}

// fullName returns the name of an object with its namespace: shop/web.
func (o *object) fullName() string {
	if o.ID.Namespace == "" {
		return o.ID.Name
	}
	return o.ID.Namespace + "/" + o.ID.Name
}

// lookupEvidence returns the result of looking up an object as evidence.
func (o *object) lookupEvidence(found string) Evidence {
	return Evidence{From: OriginLookup, Object: o.ID, Value: show.Line(found)}
}

// condition returns a condition, empty if it does not exist or is about an earlier
// generation.
func (o *object) condition(is string) section { return o.conditionAt("status.conditions[" + is + "]") }

func (o *object) conditionAt(path string) section {
	c := o.Under(path)
	if seen := c.Int("observedGeneration", 0); seen > 0 && seen < o.Int("metadata.generation", 0) {
		return section{fields.Section{Path: c.Path}, o}
	}
	return c
}

// conditionText returns the message of a condition, or else its reason.
func (s section) conditionText() string {
	return show.Line(cmp.Or(s.Text("message"), s.Text("reason"), s.Text("type")+" is "+s.Text("status")))
}

// conditionEvidence returns a condition as evidence: its reason or status, and its
// message.
func (s section) conditionEvidence() []Evidence {
	all := []Evidence{s.evidence("reason")}
	if s.Text("reason") == "" {
		all[0] = s.evidence("status")
	}
	if s.Text("message") != "" {
		all = append(all, s.evidence("message"))
	}
	return all
}

// isDeleting reports whether an object is being deleted.
func (o *object) isDeleting() bool { return o.Result.Status == status.TerminatingStatus }

// isDone reports whether an object needs no explanation.
func (o *object) isDone() bool {
	return o.Result.Status == status.CurrentStatus && !o.isFailing()
}

// isFailing reports whether an object has a recoverable problem.
func (o *object) isFailing() bool {
	return o.Result.Status == status.InProgressStatus && o.Result.Failure == status.FailureRecoverable
}
