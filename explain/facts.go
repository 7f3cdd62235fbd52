package explain

import (
	"time"

	"kstatus.dev/status"
)

// Facts are the input of an explanation. Their order does not matter. Texts must be valid
// UTF-8, as they are in JSON.
type Facts struct {
	Objects []ObjectFact
	Events  []Event
	Logs    []Log
	Lists   []List
	Gaps    []Gap
	Now     time.Time // when the facts were collected; ages are relative to this time
}

// Merge adds other facts, such as those of another cluster. The later collection time
// counts for all.
func (f *Facts) Merge(other *Facts) {
	f.Objects, f.Events = append(f.Objects, other.Objects...), append(f.Events, other.Events...)
	f.Logs, f.Lists, f.Gaps = append(f.Logs, other.Logs...), append(f.Lists, other.Lists...), append(f.Gaps, other.Gaps...)
	if other.Now.After(f.Now) {
		f.Now = other.Now
	}
}

// An ObjectFact is an object with its verdict. Without an Object it is the result of a failed
// lookup. Then the verdict is NotFound, or Unknown with the reason why the object could not be
// read.
type ObjectFact struct {
	ID     status.ID
	Object status.Map
	Result status.Result
	Parts  *status.Parts // the worst problem of the object's parts; nil if none is known
	Reads  []status.Read // the fields that decided, in the order in which they were read
	Since  time.Time     // the start of its status, as far as observed; or zero
	Former bool          // it was deleted, and this is its last known state
}

// Message returns the message of the verdict, with the problem of the object's parts if
// there is one.
func (t *ObjectFact) Message() string { return t.Parts.AppendTo(t.Result.Message) }

// An Event is a Kubernetes Event about an object.
type Event struct {
	About   status.ID `json:"about"`
	UID     string    `json:"uid,omitempty"`  // of the object that it is about, if set
	Path    string    `json:"path,omitempty"` // the part of the object, such as spec.containers{api}
	Type    string    `json:"type"`           // Normal or Warning
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Count   int64     `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	From    string    `json:"from,omitempty"` // the controller that reports it
}

// A Log is the end of a container's log.
type Log struct {
	LogID
	Lines []string `json:"lines,omitempty"` // the last lines
	Error string   `json:"error,omitempty"` // why it could not be read
	Gone  bool     `json:"gone,omitempty"`  // it does not exist any more
}

// A List selects all objects of a kind, in one namespace or in all, with labels. As a
// fact it says that all of them were read, so others do not exist. An incomplete list is
// no fact.
type List struct {
	Cluster   string `json:"cluster,omitempty"`
	Group     string `json:"group"`
	Kind      string `json:"kind,omitempty"`
	Resource  string `json:"resource,omitempty"`  // lower-case plural, if the Kind is not known
	Namespace string `json:"namespace,omitempty"` // empty: all namespaces, or a cluster-scoped kind
	Name      string `json:"name,omitempty"`      // empty: any
	Selector  string `json:"selector,omitempty"`  // labels as "app=web,tier=front", sorted; empty: any
}
