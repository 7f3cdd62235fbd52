package explain

import (
	"strings"
	"time"

	"kstatus.dev/status"
)

// An Explanation lists why the requested objects are not ready.
type Explanation struct {
	Subjects     []Subject `json:"objects"`          // in the order of the request
	Causes       []Cause   `json:"causes"`           // the one that explains most first
	Gaps         []Gap     `json:"notSeen,omitzero"` // what could not be read
	OfUnmetGoals bool      `json:"-"`                // of objects that do not meet the goals of a wait; causes of Current ones are no warnings
}

// A Subject is an object whose explanation was requested.
type Subject struct {
	ID       status.ID     `json:"id"`
	Status   status.Status `json:"status"`
	Failing  bool          `json:"failing,omitempty"` // InProgress with a problem that may resolve itself
	Reason   string        `json:"reason"`
	Message  string        `json:"message"`
	Since    time.Time     `json:"since,omitzero"`     // the start of this status, as far as it is known
	Causes   []int         `json:"causes"`             // indices of its causes, in order
	Assumed  bool          `json:"assumed,omitempty"`  // Current without evidence for or against
	Warnings []string      `json:"warnings,omitempty"` // irregularities that did not decide the verdict
	Caveat   string        `json:"caveat,omitempty"`   // why a Current object may not work as its user expects
}

// A Cause is one problem, with all objects that have it.
type Cause struct {
	Kind     string      `json:"kind"` // one of [CauseKinds]; stable
	Text     string      `json:"text"` // one line for people; may change between releases
	Chain    []Step      `json:"chain"`
	Count    int         `json:"count"`              // the number of objects that have it
	Objects  []status.ID `json:"objects"`            // the first of these objects, sorted, at most maxNamed
	Blocks   []status.ID `json:"blocks"`             // the requested objects that it affects, in their order; Current ones last
	First    []status.ID `json:"first,omitzero"`     // the objects of Blocks that have it as their first cause
	Evidence []Evidence  `json:"evidence"`           // never empty
	Changed  []string    `json:"changed,omitzero"`   // changes before, such as "image shop/api:1.8.2 -> 1.9.0"
	Next     []string    `json:"next,omitzero"`      // commands to investigate or fix it
	Log      *LogID      `json:"log,omitempty"`      // the log that would show more, if the facts lack it
	Certain  bool        `json:"certain"`            // false: a reported problem without a cause
	Terminal bool        `json:"terminal,omitempty"` // it does not resolve itself
}

// A Step is one step from a requested object to the cause.
type Step struct {
	ID        status.ID     `json:"id"`
	Container string        `json:"container,omitempty"`
	Status    status.Status `json:"status"`
	Text      string        `json:"text,omitempty"`
}

// An Evidence is one fact that supports a cause.
type Evidence struct {
	From   Origin    `json:"from"`
	Object status.ID `json:"object"`
	Path   string    `json:"path,omitempty"`  // of a field: ".status.conditions[Ready].reason"
	Value  string    `json:"value,omitempty"` // the value of a field, or the text of an event
	Lines  []string  `json:"lines,omitempty"` // of a log
	Log    string    `json:"log,omitempty"`   // the owner of a log, such as "api, previous run"
}

// An Origin is the type of fact of an [Evidence].
type Origin string

// The values of Origin.
const (
	OriginSpec   Origin = "spec"   // a field that users write
	OriginStatus Origin = "status" // a field that controllers write
	OriginEvent  Origin = "event"
	OriginLog    Origin = "log"
	OriginLookup Origin = "lookup" // the result of looking up an object
)

// A Gap is something that could not be read or was left out, and why.
type Gap struct {
	Subject string `json:"what"` // "events in namespace db"
	Reason  string `json:"why"`  // "forbidden (list events)"
}

// A LogID names the log of a container.
type LogID struct {
	Pod       status.ID `json:"pod"`
	Container string    `json:"container"`
	Previous  bool      `json:"previous,omitempty"` // of the run before the last restart
}

// String returns the gap as one line.
func (g Gap) String() string { return strings.TrimSuffix(g.Subject+": "+g.Reason, ": ") }

// maxNamed is the maximum number of named objects of a cause.
const maxNamed = 10
