package audit

import "time"

// A Write is one version of an object, from a watch or from the response to a
// request. If both deliver the same version, the auditor merges them.
type Write struct {
	Type     WriteType      `json:"type"`
	Time     time.Time      `json:"time"`               // when it was seen; of a request: when it was answered.
	Existing bool           `json:"existing,omitempty"` // the object existed when watching began, so its earlier writes were not seen.
	Object   map[string]any `json:"object,omitempty"`   // the decoded object after the write; nil for WriteTick, optional for WriteGap.
	Request  *Request       `json:"request,omitempty"`  // the request that made the write; nil if unknown, as from a watch.
	Restored bool           `json:"restored,omitempty"` // of a WriteGap: later writes have lower versions than earlier ones, since the server was restored from a backup.
	Related  bool           `json:"related,omitempty"`  // input for rules of other objects, such as a Cluster; no rule is called for the object.
}

// A WriteType is the type of a [Write].
type WriteType string

// These are the types. After a WriteGap versions may be missing, so rules that
// compare two versions start again. A WriteGap with an Object affects only
// objects of its apiVersion, kind and, if set, namespace. A WriteTick only
// advances the clock, as every write does.
const (
	WriteAdded    WriteType = "ADDED"
	WriteModified WriteType = "MODIFIED"
	WriteDeleted  WriteType = "DELETED"
	WriteGap      WriteType = "GAP"
	WriteTick     WriteType = "TICK"
)

// A Request describes the request behind a write, from an API server's audit
// log or from the client that sent it. The Object of a rejected request, or of
// a request for a deleted object, has only apiVersion, kind, namespace and
// name. If the request changed nothing, Object is the unchanged object with its
// old resourceVersion.
type Request struct {
	ID          string `json:"id,omitempty"`
	Verb        string `json:"verb"` // create, update, patch, delete, apply
	Subresource string `json:"subresource,omitempty"`
	User        string `json:"user,omitempty"`
	Agent       string `json:"agent,omitempty"`
	Code        int    `json:"code"` // the HTTP status code of the response
}

// Refused reports whether the server rejected the request.
func (r *Request) Refused() bool { return r.Code >= 300 }
