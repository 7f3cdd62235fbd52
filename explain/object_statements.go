package explain

import (
	"iter"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
)

// A statement is the text of a condition or an event about an object.
type statement struct {
	text     string
	evidence func() Evidence
}

// statements yields the messages of conditions, in order, and then those of warning
// events.
func (o *object) statements() iter.Seq[statement] {
	return func(yield func(statement) bool) {
		for c := range o.Each("status.conditions") {
			text := messages.Head(c.Text("message"))
			if text != "" && !yield(statement{text, func() Evidence { return c.evidence("message") }}) {
				return
			}
		}
		for _, e := range o.events {
			if e.Type == "Warning" && o.index.isRecent(e.Last) && !yield(statement{messages.Head(e.Message), func() Evidence { return o.eventEvidence(e) }}) {
				return
			}
		}
	}
}

// statementLifetime is how long a warning counts. Controllers that keep failing repeat it
// within that time.
const statementLifetime = 30 * time.Minute

// isRecent reports whether a statement still counts, or its time is not known.
func (x *index) isRecent(at time.Time) bool {
	return at.IsZero() || x == nil || x.now.IsZero() || x.now.Sub(at) < statementLifetime
}

// missingRefs returns the objects that a custom resource reports as missing in its
// namespace.
func missingRefs(o *object) (all []objectRef) {
	for s := range o.statements() {
		for _, id := range missingNamed(o.ID, strings.ToLower(s.text)) {
			if id.Namespace != "" {
				e := s.evidence()
				all = append(all, objectRef{ID: id, Guessed: true, reportedBy: &e})
			}
		}
	}
	return all
}

// mentions reports whether the message of an object, or a statement about it, contains
// the name of another object.
func (o *object) mentions(other ID) bool {
	if o.mentionedNames == nil {
		o.mentionedNames = &messages.Names{}
		o.mentionedNames.Add(messages.Head(o.Message()))
		for s := range o.statements() {
			o.mentionedNames.Add(s.text)
		}
	}
	return o.mentionedNames.Has(other.Name)
}
