package explainer

import (
	"slices"
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Events and logs are read in the namespaces that the user requested. The author of a set does not
// choose them.
func TestRequestedNamespaces(t *testing.T) {
	pod := func(namespace string) status.ID {
		return status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: namespace, Name: "web"}
	}
	target := func(namespace string) observe.Target {
		return observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: namespace, Name: "web"}
	}
	homes := map[observe.Target]string{target("vault"): "release", target("release"): "release"}
	for _, row := range []struct {
		it         string
		everywhere bool
		ids        []status.ID
		want       []string
	}{
		{"are those of named objects", false, []status.ID{pod("shop"), pod("other")}, []string{"shop", "other"}},
		{"are that of a set, and not those of its objects", false, []status.ID{pod("vault"), pod("release")}, []string{"release", "release"}},
		{"are none for a cluster-scoped object", false, []status.ID{{Kind: status.Kind{Kind: "Node"}, Name: "n"}}, []string{}},
		{"are all with the flag", true, []status.ID{pod("shop")}, []string{""}},
	} {
		t.Run(row.it, func(t *testing.T) {
			f := Flags{Everywhere: row.everywhere}
			if have := f.namespaces(homes, row.ids); have == nil || !slices.Equal(have, row.want) {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
