package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/redact"
	"kstatus.dev/status"
)

// A Redactor replaces what objects, events and logs hold of secrets: the values of
// environment variables and of other pairs of a name and a value, the data of
// Secrets and ConfigMaps, passwords and tokens by the names that fields, arguments
// and annotations give them, credentials in URLs and headers, and annotations that
// hold whole objects.
//
// Equal values of pairs are replaced by equal words, so that one can still tell
// whether a value has changed, but not what it is. Redacting again changes nothing.
// The zero Redactor is ready for use, by one goroutine.
type Redactor struct{ objects redact.Objects }

// ObjectFact returns a thing without secrets. The one given stays as it is.
func (r *Redactor) ObjectFact(t ObjectFact) ObjectFact {
	t.Object = r.Object(t.Object)
	t.Result.Message = redact.Text(t.Result.Message)
	if t.Parts != nil {
		parts := *t.Parts
		parts.Message = redact.Text(parts.Message)
		t.Parts = &parts
	}
	t.Reads = slices.Clone(t.Reads)
	for i, read := range t.Reads {
		if text, ok := read.Value.(string); ok {
			t.Reads[i].Value = redact.Text(text)
		}
	}
	return t
}

// Event returns an event without secrets.
func (r *Redactor) Event(e Event) Event {
	e.Message = redact.Text(e.Message)
	return e
}

// Log returns a log without secrets, as far as they can be told from other text.
func (r *Redactor) Log(l Log) Log {
	if len(l.Lines) > 0 {
		l.Lines = strings.Split(redact.Text(strings.Join(l.Lines, "\n")), "\n")
	}
	l.Error = redact.Text(l.Error)
	return l
}

// Object returns an object without secrets. The one given stays as it is.
func (r *Redactor) Object(obj status.Map) status.Map {
	if obj == nil {
		return nil
	}
	return r.objects.Object(obj)
}

// Text returns a text without what can be recognized as a secret by the text around it.
func (r *Redactor) Text(text string) string { return redact.Text(text) }
