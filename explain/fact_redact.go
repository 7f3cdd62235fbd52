package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/brief"
	"kstatus.dev/redact"
)

// A Redactor replaces secrets in facts, as package redact recognizes them. Redacting
// twice changes nothing more. The zero Redactor is ready for use, by one goroutine.
type Redactor struct{ objects redact.Objects }

// ObjectFact returns a copy of the fact without secrets.
func (r *Redactor) ObjectFact(t ObjectFact) ObjectFact {
	t.Object = r.objects.Object(t.Object)
	t.Result = brief.Result(t.Result, r.objects.Text)
	if t.Parts != nil {
		parts := *t.Parts
		parts.Message = r.objects.Text(parts.Message)
		t.Parts = &parts
	}
	t.Reads = slices.Clone(t.Reads)
	for i, read := range t.Reads {
		t.Reads[i].Value = r.objects.Field(read.Path, read.Value)
	}
	return t
}

// Brief returns a copy of the fact without secrets. Of the texts of its object it keeps the metadata,
// the status, references, and the fields of its kind that this package reads.
func (r *Redactor) Brief(t ObjectFact) ObjectFact {
	t = r.ObjectFact(t)
	if t.Object != nil {
		t.Object = brief.Object(t.Object, t.Reads, r.objects.Replace)
	}
	return t
}

// Event returns a copy of the event without secrets.
func (r *Redactor) Event(e Event) Event {
	e.Reason, e.Message, e.From = r.objects.Text(e.Reason), r.objects.Text(e.Message), r.objects.Text(e.From)
	return e
}

// Log returns a copy of the log without secrets, as far as they can be recognized in
// text.
func (r *Redactor) Log(l Log) Log {
	if len(l.Lines) > 0 {
		l.Lines = strings.Split(r.objects.Text(strings.Join(l.Lines, "\n")), "\n")
	}
	l.Error = r.objects.Text(l.Error)
	return l
}
