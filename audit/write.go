package audit

import "time"

// A Write is one version of an object, as a watch delivers it, or as the answer
// to a request shows it. The same version may be told by both: the auditor
// merges the two.
type Write struct {
	Type     WriteType      `json:"type"`
	Time     time.Time      `json:"time"`               // when it was seen; of a request when it was answered
	Existing bool           `json:"existing,omitempty"` // it was there when watching began: nobody saw it being written
	Object   map[string]any `json:"object,omitempty"`   // the object after it, as a decoder of JSON delivers it; nil for Tick and Gap
	Request  *Request       `json:"request,omitempty"`  // by what request; nil: a watch does not say
	Related  bool           `json:"related,omitempty"`  // it is there for what it says of others, as a Cluster does; no rule looks at it
}

// A WriteType says what became known.
type WriteType string

// The types. After a Gap versions may be missing, so what takes two of them
// starts anew; a Gap with an Object concerns only the objects of its apiVersion
// and kind and, if it names one, of its namespace. A Tick says only that time
// has passed, and so does any other type.
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

// Refused reports whether the server did not do what was asked.
func (r *Request) Refused() bool { return r.Code >= 300 }
