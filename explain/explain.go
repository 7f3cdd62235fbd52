package explain

import (
	"cmp"
	"strings"
	"time"

	"kstatus.dev/status"
)

// An ID names one object.
type ID struct {
	Cluster   string `json:"cluster,omitempty"` // which one, if there are several
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"` // empty for a kind without namespaces
	Name      string `json:"name"`
}

// String returns the ID as Kind/namespace/name, or Kind/name where there is no
// namespace. The cluster, if one is named, comes first, with a colon.
func (id ID) String() string {
	text := id.Kind + "/" + id.Name
	if id.Namespace != "" {
		text = id.Kind + "/" + id.Namespace + "/" + id.Name
	}
	if id.Cluster != "" {
		text = id.Cluster + ":" + text
	}
	return text
}

// GroupKind returns the kind of the object.
func (id ID) GroupKind() status.Kind { return status.Kind{Group: id.Group, Kind: id.Kind} }

// Compare orders IDs by cluster, kind, namespace and name.
func (id ID) Compare(other ID) int {
	return cmp.Or(
		cmp.Compare(id.Cluster, other.Cluster),
		cmp.Compare(id.Kind, other.Kind),
		cmp.Compare(id.Namespace, other.Namespace),
		cmp.Compare(id.Name, other.Name),
		cmp.Compare(id.Group, other.Group))
}

// An Explanation lists why the requested objects are not ready.
type Explanation struct {
	Subjects []Subject `json:"objects"`          // in the order of the request
	Causes   []Cause   `json:"causes"`           // the one that explains most first
	Gaps     []Gap     `json:"notSeen,omitzero"` // what could not be read
}

// A Subject is an object whose explanation was requested.
type Subject struct {
	ID       ID            `json:"id"`
	Status   status.Status `json:"status"`
	Failing  bool          `json:"failing,omitempty"` // InProgress, with something wrong that may still heal
	Reason   string        `json:"reason"`
	Message  string        `json:"message"`
	Since    time.Time     `json:"since,omitzero"`     // since when, as far as was seen
	Causes   []int         `json:"causes"`             // indices of its causes, in order
	Assumed  bool          `json:"assumed,omitempty"`  // it is Current since nothing spoke for or against it
	Warnings []string      `json:"warnings,omitempty"` // what is odd and did not decide
	Caveat   string        `json:"caveat,omitempty"`   // why, although it is Current, it may not do what its user expects
}

// A Cause is one problem, with all objects that have it.
type Cause struct {
	Kind     string     `json:"kind"` // one of [CauseKinds]; stable
	Text     string     `json:"text"` // one line for people; may change between releases
	Chain    []Step     `json:"chain"`
	Count    int        `json:"count"`              // how many objects have it
	Objects  []ID       `json:"objects"`            // those of them that are named, in order, at most mostNamed
	Blocks   []ID       `json:"blocks"`             // the requested objects that it stops, in order
	Evidence []Evidence `json:"evidence"`           // never empty
	Changed  []string   `json:"changed,omitzero"`   // what changed before, such as "image shop/api:1.8.2 -> 1.9.0"
	Next     []string   `json:"next,omitzero"`      // commands to look further or to mend it
	Log      *LogID     `json:"log,omitempty"`      // the log that would tell more, if it is not among the facts
	Certain  bool       `json:"certain"`            // false: it is a report of trouble that names no cause
	Terminal bool       `json:"terminal,omitempty"` // it does not heal by itself
}

// A Step is one step from a requested object to the cause.
type Step struct {
	ID        ID            `json:"id"`
	Container string        `json:"container,omitempty"`
	Status    status.Status `json:"status"`
	Text      string        `json:"text,omitempty"`
}

// An Evidence is one fact that carries a cause.
type Evidence struct {
	From   Origin   `json:"from"`
	Object ID       `json:"object"`
	Path   string   `json:"path,omitempty"`  // of a field: ".status.conditions[Ready].reason"
	Value  string   `json:"value,omitempty"` // of a field what it holds, of an event its words
	Lines  []string `json:"lines,omitempty"` // of a log
	Log    string   `json:"log,omitempty"`   // of a log whose it is, such as "api, previous run"
}

// An Origin says what kind of fact an [Evidence] is.
type Origin string

// The origins.
const (
	OriginSpec   Origin = "spec"   // a field that users write
	OriginStatus Origin = "status" // a field that controllers write
	OriginEvent  Origin = "event"
	OriginLog    Origin = "log"
	OriginLookup Origin = "lookup" // it was looked up: what was found
)

// A Gap is what could not be read, or was left out, and why.
type Gap struct {
	Subject string `json:"what"` // "events in namespace db"
	Reason  string `json:"why"`  // "forbidden (list events)"
}

// A LogID names the log of a container.
type LogID struct {
	Pod       ID     `json:"pod"`
	Container string `json:"container"`
	Previous  bool   `json:"previous,omitempty"` // of the run before the last restart
}

// String returns the gap as one line.
func (g Gap) String() string { return strings.TrimSuffix(g.Subject+": "+g.Reason, ": ") }

// maxNamed is how many objects of a cause are named.
const maxNamed = 10
