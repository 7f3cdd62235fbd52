package explain

import (
	"iter"
	"strings"
	"time"
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
		for c := range n.each("status.conditions") {
			text := read(c.text("message"))
			if text != "" && !yield(saying{text, func() Evidence { return c.evidence("message") }}) {
				return
			}
		}
		for _, e := range n.events {
			if e.Type == "Warning" && n.scene.recent(e.Last) && !yield(saying{read(e.Message), func() Evidence { return n.event(e) }}) {
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
	if containsWord(read(n.Result.Message), other.Name) {
		return true
	}
	for s := range n.sayings() {
		if containsWord(s.text, other.Name) {
			return true
		}
	}
	return false
}

// containsWord reports whether a name stands in a text, not as a part of a longer one.
func containsWord(text, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(name)
		if (start == 0 || !partOfName(text[start-1])) && (end == len(text) || !partOfName(text[end]) || endsSentence(text[end:])) {
			return true
		}
		from = end
	}
}

func partOfName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_'
}

// endsSentence reports whether a text begins with a full stop that no name goes on after.
func endsSentence(text string) bool {
	return text[0] == '.' && (len(text) == 1 || !partOfName(text[1]))
}
