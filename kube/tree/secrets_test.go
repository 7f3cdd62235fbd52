package tree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// Secrets are got by their names: a list would take the right to read all of the namespace.
func TestSecretsAreNeverListedForTheirNames(t *testing.T) {
	server := wiretest.New(t, wiretest.Resource{Version: "v1", Kind: "Secret", Name: "secrets"})
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, meta.RESTScopeNamespace)
	var ids []status.ID
	var want []string
	for i := range 12 {
		ids = append(ids, status.ID{Kind: status.Kind{Kind: "Secret"}, Namespace: "shop", Name: fmt.Sprintf("s%02d", i)})
		if i < 10 {
			want = append(want, fmt.Sprintf("get secrets in shop named s%02d", i))
		}
	}
	facts, err := tree.Reader{Config: server.Config(), Mapper: mapper}.Tree(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, r := range server.Requests() {
		if line := r.String(); strings.Contains(line, "secrets") {
			have = append(have, line)
		}
	}
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("requested %q\nwant %q", have, want)
	}
	unread := 0
	for _, o := range facts.Objects {
		if strings.Contains(o.Result.Message, "not read: at most 10 Secrets are") {
			unread++
		}
	}
	if unread != 2 {
		t.Errorf("%d objects are left out, want 2: %v", unread, facts.Objects)
	}
}
