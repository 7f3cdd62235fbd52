package explain

import (
	"time"

	"kstatus.dev/status"
)

// Facts are what is known when an explanation is requested. Their order does not
// matter. Texts are valid UTF-8, as JSON gives them.
type Facts struct {
	Objects []ObjectFact
	Events  []Event
	Logs    []Log
	Lists   []List
	Gaps    []Gap
	Now     time.Time // when they were collected; ages count from here
}

// Merge adds other facts, such as those of another cluster. They count as
// collected when the ones that were collected last are.
func (f *Facts) Merge(other *Facts) {
	f.Objects, f.Events = append(f.Objects, other.Objects...), append(f.Events, other.Events...)
	f.Logs, f.Lists, f.Gaps = append(f.Logs, other.Logs...), append(f.Lists, other.Lists...), append(f.Gaps, other.Gaps...)
	if other.Now.After(f.Now) {
		f.Now = other.Now
	}
}

// An ObjectFact is an object with the verdict on it. Without an Object it is one that
// was looked up: its verdict tells whether it does not exist (NotFound) or why it
// could not be read (Unknown).
type ObjectFact struct {
	ID     ID
	Object status.Map
	Result status.Result
	Parts  *status.Parts // the worst problem of what its controller has made; nil if none is known
	Reads  []status.Read // the fields that decided, in the order in which they were read
	Since  time.Time     // since when it has its status, as far as was seen; zero if that is not known
}

// Message returns the message of the verdict, with the problem of the thing's
// parts if one is known.
func (t *ObjectFact) Message() string { return t.Parts.AppendTo(t.Result.Message) }

// An Event is what a controller has told about an object.
type Event struct {
	About   ID        `json:"about"`
	UID     string    `json:"uid,omitempty"`  // of the object that it is about; empty if it does not say
	Path    string    `json:"path,omitempty"` // the part of the object, such as spec.containers{api}
	Type    string    `json:"type"`           // Normal or Warning
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Count   int64     `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	From    string    `json:"from,omitempty"` // the controller that told it
}

// A Log is the end of what a container has printed.
type Log struct {
	LogID
	Lines []string `json:"lines,omitempty"` // the last ones
	Error string   `json:"error,omitempty"` // why it could not be read
}

// A List says which objects have been looked for: all that there are of a kind,
// in a namespace or everywhere, with labels. As a fact it says that those that
// are not among the things do not exist; a list that was cut is none.
type List struct {
	Cluster   string `json:"cluster,omitempty"`
	Group     string `json:"group"`
	Kind      string `json:"kind,omitempty"`
	Resource  string `json:"resource,omitempty"`  // instead of Kind: its plural name in lower case, where only that is known
	Namespace string `json:"namespace,omitempty"` // empty: all of them, or a kind that has none
	Name      string `json:"name,omitempty"`      // empty: any
	Selector  string `json:"selector,omitempty"`  // labels as "app=web,tier=front", in order; empty: any
}
