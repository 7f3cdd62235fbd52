package tree

import (
	"context"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// resolveSimilar replaces a guessed kind by the served one that it means. It returns false if no
// served kind is meant, which is usual: a word of a message may look like a kind.
func (c *collection) resolveSimilar(ctx context.Context, id *status.ID) bool {
	served, err := c.servedKinds(ctx)
	if err != nil {
		return false // the search for parts has added the gap
	}
	kinds := make([]status.Kind, len(served))
	for i, m := range served {
		kinds[i] = scope{mapping: m}.kind()
	}
	kind, ok := explain.SimilarKind(id.Kind, kinds)
	if !ok {
		return false
	}
	id.Kind = kind
	for _, m := range served {
		if s := (scope{mapping: m}); s.kind() == kind && !s.namespaced() {
			id.Namespace = ""
		}
	}
	return true
}
