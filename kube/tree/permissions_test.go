package tree

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// A list of metadata does not load the schema of its kind. The status of its objects is
// computed once one of them is a part.
func TestMetadataListsDoNotLoadSchemas(t *testing.T) {
	for _, row := range []struct {
		metadataOnly bool
		want         status.Kind
	}{{true, status.Kind{}}, {false, status.Kind{Group: "example.com", Kind: "Widget"}}} {
		s := scope{mapping: served("example.com", "Widget", meta.RESTScopeNamespace), namespace: "shop", metadataOnly: row.metadataOnly}
		if have := (&collection{}).list(t.Context(), s, nil).kind; have != row.want {
			t.Errorf("metadata only %t: have %v, want %v", row.metadataOnly, have, row.want)
		}
	}
}

// Secrets are listed as parts for trees, and not to explain anything.
func TestSecretsAsParts(t *testing.T) {
	owner := status.ID{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", Name: "w"}
	kinds := []*meta.RESTMapping{served("", "Secret", meta.RESTScopeNamespace), served("", "Pod", meta.RESTScopeNamespace)}
	for trees, want := range map[bool][]string{true: {"secrets", "pods"}, false: {"pods"}} {
		c := newCollection(Reader{}.withDefaults(nil), nil, nil)
		c.allParts, c.allKinds = trees, kinds
		var have []string
		for _, l := range c.planAny(context.Background(), []explain.Query{{Type: queryAny, ID: owner}}) {
			have = append(have, l.mapping.Resource.Resource)
		}
		if !slices.Equal(have, want) {
			t.Errorf("trees %t: have %v, want %v", trees, have, want)
		}
	}
}
