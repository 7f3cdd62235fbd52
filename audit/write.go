package audit

import "time"

// A Write is one version of an object, as a watch delivers it, or as the answer
// to a request shows it.
type Write struct {
	Type    Type           `json:"type"`
	Time    time.Time      `json:"time"`              // when it was seen; of a request when it was answered
	Object  map[string]any `json:"object,omitempty"`  // the object after it, as a decoder of JSON delivers it; nil for Tick; see Gap
	Request *Request       `json:"request,omitempty"` // by what request; nil: a watch does not say
	Related bool           `json:"related,omitempty"` // it is there for what it says of others, as a Cluster does; no rule looks at it
}

// A Type says what became known.
type Type string

// The types. After a Gap versions may be missing, so what takes two of them
// starts anew; one whose Object has an apiVersion, a kind and perhaps a namespace
// is about objects of that kind only. A Tick says only that time has passed.
const (
	Added    Type = "ADDED"
	Modified Type = "MODIFIED"
	Deleted  Type = "DELETED"
	Gap      Type = "GAP"
	Tick     Type = "TICK"
)

// A Request is what is known of the request behind a write, from an API
// server's audit log or from the client that sent it. One that was refused, or
// that named an object that is gone, has an Object with no more than its
// apiVersion, kind, namespace and name.
type Request struct {
	ID          string `json:"id,omitempty"`
	Verb        string `json:"verb"` // create, update, patch, delete, apply
	Subresource string `json:"subresource,omitempty"`
	User        string `json:"user,omitempty"`
	Agent       string `json:"agent,omitempty"`
	Code        int    `json:"code"` // of the answer
}
