package output

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/explain"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// Version is the version of the lines. It increases only if a field changes its meaning or is
// removed. Readers must ignore unknown fields.
const Version = 1

// A Start is the first line.
type Start struct {
	V        int               `json:"v"`
	Type     string            `json:"type"` // "start"
	Time     string            `json:"time"`
	Objects  *int              `json:"objects,omitempty"` // the number of objects, if known
	Profile  string            `json:"profile"`
	Contexts []string          `json:"contexts,omitempty"`
	Goal     []string          `json:"goal,omitempty"`
	Any      bool              `json:"any,omitempty"`
	Timeout  string            `json:"timeout,omitempty"`
	Timeouts map[string]string `json:"timeouts,omitempty"` // of some objects, by SEL
}

// An Object is the verdict on one object. An object from a file has its source. An object that
// could not be judged is Unknown with an error.
type Object struct {
	V      int        `json:"v"`
	Type   string     `json:"type"` // "object"
	Time   string     `json:"time"`
	ID     status.ID  `json:"id"`
	Parent *status.ID `json:"parent,omitempty"` // in a tree, its parent
	status.Result
	Failing            bool             `json:"failing,omitempty"`  // Status is InProgress, with a failure that may resolve itself
	Previous           status.Status    `json:"previous,omitempty"` // the status in the previous line, if there is one
	Evidence           []status.Read    `json:"evidence"`
	Generation         *int64           `json:"generation,omitempty"`
	ObservedGeneration *int64           `json:"observedGeneration,omitempty"`
	Source             *manifest.Source `json:"source,omitempty"`
	Error              string           `json:"error,omitempty"`
}

// A Result is the last line of the stream, with the exit code.
type Result struct {
	V        int                   `json:"v"`
	Type     string                `json:"type"` // "result"
	Time     string                `json:"time"`
	Outcome  string                `json:"outcome"`
	ExitCode exit.Code             `json:"exitCode"`
	TimedOut bool                  `json:"timedOut,omitempty"` // the timeout of the whole wait has passed
	Objects  int                   `json:"objects"`
	Counts   map[status.Status]int `json:"counts"`            // "Failing" instead of InProgress for failing objects.
	Ignored  int                   `json:"ignored,omitempty"` // the number of ignored objects, which Objects includes
	Causes   []explain.Cause       `json:"causes,omitempty"`  // why objects are not Current
	NotSeen  []explain.Gap         `json:"notSeen,omitempty"` // what could not be read
}

// evidenceOf returns the fields that decided in the form of a line. It returns an empty list for
// none.
func evidenceOf(reads []status.Read) []status.Read {
	all := make([]status.Read, len(reads))
	for i, read := range reads {
		all[i] = status.Read{Path: read.Path, Value: printable(read.Value)}
	}
	return all
}

// printable returns a value for printing. It shortens the value, and reduces a larger structure
// to its size.
func printable(v any) any {
	switch v := v.(type) {
	case string:
		return text.Cut(v, 500+len(text.Ellipsis))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	case map[string]any:
		return "a map of " + text.Count(len(v), "key")
	case []any:
		return "a list of " + text.Count(len(v), "item")
	}
	return v
}

// IDOf returns the ID of an object. Missing fields are empty.
func IDOf(root map[string]any) status.ID {
	id := status.ID{
		Kind:      status.Kind{Kind: decoded.Text(root, "kind")},
		Namespace: decoded.Text(root, "metadata", "namespace"),
		Name:      decoded.Text(root, "metadata", "name"),
	}
	if group, _, ok := strings.Cut(decoded.Text(root, "apiVersion"), "/"); ok {
		id.Group = group
	}
	return id
}

// FormatTime returns a time in UTC, in the format of RFC 3339 with whole seconds.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// FormatExactTime returns a time in UTC with nanoseconds, for records. It returns an empty text
// for the zero time.
func FormatExactTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// ParseTime parses a time of a record. It returns the zero time if text is not a time.
func ParseTime(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}
