package explain

import (
	"iter"
	"strings"
	"time"

	"kstatus.dev/explain/internal/messages"
)

// A saying is what a controller says of an object in a condition or an event.
type saying struct {
	text     string
	evidence func() Evidence
}

// sayings yields what is said of an object: the messages of the conditions that
// are not True, or that tell of trouble, in order, and then those of warning events.
func (n *node) sayings() iter.Seq[saying] {
	return func(yield func(saying) bool) {
		for c := range n.Each("status.conditions") {
			text := messages.Head(c.Text("message"))
			if text != "" && !yield(saying{text, func() Evidence { return c.evidence("message") }}) {
				return
			}
		}
		for _, e := range n.events {
			if e.Type == "Warning" && n.scene.recent(e.Last) && !yield(saying{messages.Head(e.Message), func() Evidence { return n.event(e) }}) {
				return
			}
		}
	}
}

// stillSaid is for how long a warning is taken to hold: controllers that keep
// failing repeat it within that time.
const stillSaid = 30 * time.Minute

// recent reports whether something was said lately, or nobody knows when.
func (s *scene) recent(at time.Time) bool {
	return at.IsZero() || s == nil || s.now.IsZero() || s.now.Sub(at) < stillSaid
}

// missedRefs are the objects of its namespace that a custom resource is said to miss.
func missedRefs(n *node) (all []Ref) {
	for s := range n.sayings() {
		for _, id := range missingNamed(n.ID, strings.ToLower(s.text)) {
			if id.Namespace != "" {
				e := s.evidence()
				all = append(all, Ref{ID: id, Guessed: true, said: &e})
			}
		}
	}
	return all
}

// names reports whether what is said of an object contains the name of another
// as a word of its own.
func (n *node) names(other ID) bool {
	if messages.HasName(messages.Head(n.Message()), other.Name) {
		return true
	}
	for s := range n.sayings() {
		if messages.HasName(s.text, other.Name) {
			return true
		}
	}
	return false
}
