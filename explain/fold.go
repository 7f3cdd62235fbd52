package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/show"
)

// linked says where an object on the way to a cause stands, without what its
// verdict repeats of those that follow. Of a Service its verdict does not tell
// that nobody serves behind it.
func (n *node) linked(next []*node) string {
	if n.ID.GroupKind() == service {
		if _, ready, known := n.endpoints(); known && ready == 0 && n.Text("spec.type") != "ExternalName" {
			return "no endpoint behind it is ready"
		}
	}
	text := n.Result.Message
	for _, part := range next { // controllers of Cluster API list objects like this
		text, _, _ = strings.Cut(text, "; "+part.ID.Kind+" "+part.ID.Name+":")
	}
	if slices.ContainsFunc(next, n.tellsOf) {
		return text
	}
	return n.Parts.AppendTo(text)
}

// tellsOf reports whether the verdict repeats what is wrong with a part.
func (n *node) tellsOf(part *node) bool {
	p := n.Parts
	return p != nil && p.Kind == part.ID.Kind && p.Group == part.ID.Group && (p.Count > 1 || p.Name == part.ID.Name)
}

// mostLink is how many characters of a message are shown on the way to a cause,
// whose evidence has the whole of it.
const mostLink = 160

// brief returns the beginning of a message.
func brief(text string) string {
	text = show.Line(text)
	n := 0
	for i := range text {
		if n++; n == mostLink {
			return strings.TrimSuffix(text[:i], "…") + "…"
		}
	}
	return text
}
