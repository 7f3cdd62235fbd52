package audit

import "time"

// A Write is one version of an object, as a watch delivers it, or as the response to a
// request shows it. If both deliver the same version, the auditor merges them.
type Write struct {
	Type     WriteType      `json:"type"`
	Time     time.Time      `json:"time"`               // when it was seen; of a request when it was answered
	Existing bool           `json:"existing,omitempty"` // it existed when watching began, so its writes were not seen
	Object   map[string]any `json:"object,omitempty"`   // the object after it, as a decoder of JSON delivers it; nil for WriteTick; it may be nil for WriteGap
	Request  *Request       `json:"request,omitempty"`  // the request that made it; nil if it is not known, as for a watch
	Related  bool           `json:"related,omitempty"`  // it only helps to judge other objects, as a Cluster does; no rule is called for it
}

// A WriteType is what a [Write] says.
type WriteType string

// The types. After a WriteGap versions may be missing, so rules that compare two of them
// start again. A WriteGap with an Object concerns only objects of its apiVersion, kind and,
// if it has one, namespace. A WriteTick, like any other type, only says that time has passed.
const (
	WriteAdded    WriteType = "ADDED"
	WriteModified WriteType = "MODIFIED"
	WriteDeleted  WriteType = "DELETED"
	WriteGap      WriteType = "GAP"
	WriteTick     WriteType = "TICK"
)

// A Request is what is known of the request behind a write, from an API
// server's audit log or from the client that sent it. One that was refused, or
// that named an object that is gone, has an Object with no more than its
// apiVersion, kind, namespace and name; one that changed nothing has the object
// as it was, with the resourceVersion that it had before.
type Request struct {
	ID          string `json:"id,omitempty"`
	Verb        string `json:"verb"` // create, update, patch, delete, apply
	Subresource string `json:"subresource,omitempty"`
	User        string `json:"user,omitempty"`
	Agent       string `json:"agent,omitempty"`
	Code        int    `json:"code"` // of the answer
}

// Refused reports whether the server rejected the request.
func (r *Request) Refused() bool { return r.Code >= 300 }
