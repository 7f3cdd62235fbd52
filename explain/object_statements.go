package explain

import (
	"cmp"
	"iter"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// A statement is the text of a condition or an event about an object.
type statement struct {
	text       string
	evidence   func() Evidence
	isPositive bool // of a condition that is True
}

// statements yields the messages of conditions, in order, and then those of warning events.
func (o *object) statements() iter.Seq[statement] {
	return func(yield func(statement) bool) {
		for c := range o.Each("status.conditions") {
			text := messages.Head(c.Text("message"))
			if text != "" && !yield(statement{text, func() Evidence { return c.evidence("message") }, c.Text("status") == "True"}) {
				return
			}
		}
		for _, e := range o.events {
			if e.Type == "Warning" && o.index.isRecent(e.Last) && !yield(statement{messages.Head(e.Message), func() Evidence { return o.eventEvidence(e) }, false}) {
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

// mentionedRefs returns the objects of other kinds that a custom resource names in its problems. An
// object that does not exist counts only if the text reports that.
func mentionedRefs(o *object) (all []objectRef) {
	add := func(s statement) {
		for _, m := range messages.Mentions(s.text) {
			e := s.evidence()
			id := o.refer(status.Kind{Group: cmp.Or(m.Group, o.ID.Group), Kind: m.Kind.Kind}, cmp.Or(m.Namespace, o.ID.Namespace), m.Name)
			isCore := m.Group == "" && reference.IsCore(m.Kind.Kind)
			if isCore {
				id.Group = ""
				id.Namespace = reference.Namespace(id.Kind.Kind, id.Namespace)
			}
			all = append(all, objectRef{ID: id, Guessed: true, isSimilar: !isCore, Optional: !messages.ReportsMissing(s.text), reportedBy: &e})
		}
	}
	for s := range o.statements() {
		if !s.isPositive {
			add(s)
		}
	}
	for _, path := range [...]string{"status.message", "status.reason", "status.error", "status.lastError"} {
		if text := messages.Head(o.Text(path)); text != "" && !o.isDone() {
			add(statement{text: text, evidence: func() Evidence { return o.evidence(path) }})
		}
	}
	return all[:min(len(all), maxMentioned)]
}

// maxMentioned is the maximum number of objects that are followed because a message names them.
const maxMentioned = 5

// mentions reports whether the message of an object, or a statement about it, contains
// the name of another object.
func (o *object) mentions(other status.ID) bool { return o.mentionsName(other.Name) }

func (o *object) mentionsName(name string) bool {
	if o.mentionedNames == nil {
		o.mentionedNames = &messages.Names{}
		o.mentionedNames.Add(messages.Head(o.Message()))
		for s := range o.statements() {
			o.mentionedNames.Add(s.text)
		}
	}
	return o.mentionedNames.Has(name)
}
