package tree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/status"
)

func served(group, kind string, scope meta.RESTScope) *meta.RESTMapping {
	gvk := schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
	return &meta.RESTMapping{Resource: gvk.GroupVersion().WithResource(strings.ToLower(kind) + "s"), GroupVersionKind: gvk, Scope: scope}
}

func TestSimilarity(t *testing.T) {
	rows := []struct {
		it, a, b string
		near     bool
	}{
		{"is the same group", "example.com", "example.com", true},
		{"is a subgroup", "acme.cert-manager.io", "cert-manager.io", true},
		{"is a sibling", "source.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io", true},
		{"is of the same domain", "serving.knative.dev", "networking.internal.knative.dev", true},
		{"is of one project under a shared domain", "infrastructure.cluster.x-k8s.io", "cluster.x-k8s.io", true},
		{"is of another project under a shared domain", "gateway.networking.x-k8s.io", "cluster.x-k8s.io", false},
		{"shares only a word", "example.com", "example.org", false},
		{"shares only the last word", "a.com", "b.com", false},
		{"is of Kubernetes", "apps", "apps", false},
		{"is of Kubernetes by its suffix", "networking.k8s.io", "gateway.networking.k8s.io", false},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if have := similarity(row.a, row.b) > 0; have != row.near {
				t.Errorf("%s and %s: have %t", row.a, row.b, have)
			}
			if similarity(row.a, row.b) != similarity(row.b, row.a) {
				t.Errorf("it depends on the order")
			}
		})
	}
	if similarity("a.b.io", "a.b.io") <= similarity("a.b.io", "b.io") {
		t.Error("the same group is not the nearest")
	}
}

func TestCandidates(t *testing.T) {
	in, out := meta.RESTScopeNamespace, meta.RESTScopeRoot
	kinds := []*meta.RESTMapping{
		served("", "Pod", in), served("", "Node", out), served("", "Event", in), served("apps", "Deployment", in), served("batch", "CronJob", in),
		served("x.example.com", "Beside", in), served("example.com", "App", in), served("example.com", "AppTemplate", in),
		served("example.com", "Realm", out), served("other.org", "Far", in),
	}
	many := slices.Clone(kinds)
	for range maxSimilarKinds {
		many = append(many, served("example.com", "More", in))
	}
	rows := []struct {
		it    string
		kinds []*meta.RESTMapping
		owner listKey
		deep  bool
		want  string
		left  int
	}{
		{"is in a namespace", kinds, listKey{status.Kind{Group: "example.com", Kind: "App"}, "n"}, false, "App Beside Pod Deployment", 0},
		{"is cluster-scoped", kinds, listKey{status.Kind{Group: "example.com", Kind: "Realm"}, ""}, false, "Realm", 0},
		{"considers all kinds", kinds, listKey{status.Kind{Group: "example.com", Kind: "App"}, "n"}, true, "App AppTemplate Beside Pod Deployment CronJob Far", 0},
		{"has many similar kinds", many, listKey{status.Kind{Group: "example.com", Kind: "App"}, "n"}, false, "App" + strings.Repeat(" More", maxSimilarKinds-1) + " Pod Deployment", 2},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			all, left := candidates(row.kinds, row.owner, row.deep)
			var names []string
			for _, m := range all {
				names = append(names, m.GroupVersionKind.Kind)
			}
			if have := strings.Join(names, " "); have != row.want || left != row.left {
				t.Errorf("have %s and %d left, want %s and %d", have, left, row.want, row.left)
			}
		})
	}
}

func TestCommonSelector(t *testing.T) {
	owner := func(selector map[string]any) status.Map {
		return status.Map{"apiVersion": "apps/v1", "spec": map[string]any{"selector": selector}}
	}
	match := func(pairs ...string) status.Map {
		labels := map[string]any{}
		for _, p := range pairs {
			key, value, _ := strings.Cut(p, "=")
			labels[key] = value
		}
		return owner(map[string]any{"matchLabels": labels})
	}
	many := []status.Map{}
	for range 300 {
		many = append(many, match("app="+strings.Repeat("a", 10)+string(rune('a'+len(many)%26))+strings.Repeat("b", len(many)/26)))
	}
	rows := []struct {
		it     string
		owners []status.Map
		want   string
	}{
		{"has one", []status.Map{match("app=web", "tier=front")}, "app=web,tier=front"},
		{"has several values of one label", []status.Map{match("app=web"), match("app=api"), match("app=web")}, "app in (api,web)"},
		{"has one common label", []status.Map{match("app=web", "x=1"), match("app=api", "y=2")}, "app in (api,web)"},
		{"has no common label", []status.Map{match("app=web"), match("tier=db")}, ""},
		{"has one owner without a selector", []status.Map{match("app=web"), {}}, ""},
		{"has a map selector", []status.Map{owner(map[string]any{"app": "web"})}, "app=web"},
		{"has none", nil, ""},
		{"may select anything", []status.Map{{"apiVersion": "example.com/v1", "spec": map[string]any{"selector": map[string]any{"app": "web"}}}}, ""},
		{"has an invalid label", []status.Map{match("app=a b")}, ""},
		{"has a label that is not a string", []status.Map{owner(map[string]any{"matchLabels": map[string]any{"app": int64(1)}})}, ""},
		{"has too many values", many, ""},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if have := commonSelector(row.owners); have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}

func TestMoreNamespacesTakeMoreRequests(t *testing.T) {
	ids := []status.ID{{Namespace: "a", Name: "x"}, {Namespace: "a", Name: "y"}, {Namespace: "b", Name: "x"}}
	for n, want := range map[int]int{0: 40, 2: 40, 3: 48} {
		t.Run(fmt.Sprintf("%d_objects", n), func(t *testing.T) {
			if have := (Reader{}).withDefaults(ids[:n]).MaxRequests; have != want {
				t.Errorf("for %d objects: %d requests, want %d", n, have, want)
			}
		})
	}
	if have := (Reader{MaxRequests: 3}).withDefaults(ids).MaxRequests; have != 3 {
		t.Errorf("of 3 requests %d are made", have)
	}
}

func TestCovers(t *testing.T) {
	pods := served("", "Pod", meta.RESTScopeNamespace)
	all := scope{mapping: pods, namespace: "n"}
	rows := []struct {
		it    string
		a, b  scope
		wants bool
	}{
		{"is the same list", all, all, true},
		{"is narrower", all, scope{mapping: pods, namespace: "n", labels: "app=web"}, true},
		{"is wider", scope{mapping: pods, namespace: "n", labels: "app=web"}, all, false},
		{"has one more label", scope{mapping: pods, namespace: "n", labels: "app=web"}, scope{mapping: pods, namespace: "n", labels: "app=web,x=1"}, true},
		{"has another value", scope{mapping: pods, namespace: "n", labels: "app=web"}, scope{mapping: pods, namespace: "n", labels: "app=api"}, false},
		{"is in one of all namespaces", scope{mapping: pods}, all, true},
		{"is in another namespace", scope{mapping: pods, namespace: "m"}, all, false},
		{"reads more than metadata", scope{mapping: pods, namespace: "n", metadataOnly: true}, all, false},
		{"is of another kind", scope{mapping: served("", "Service", meta.RESTScopeNamespace), namespace: "n"}, all, false},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if have := row.a.covers(row.b); have != row.wants {
				t.Errorf("have %t", have)
			}
		})
	}
}

func TestLinesAreLimited(t *testing.T) {
	long := strings.Repeat("ü", lineBytes)
	all := lines([]byte("one\r\ntwo\n\n" + long + "\nlast"))
	if len(all) != 5 || all[0] != "one" || all[4] != "last" || len(all[3]) > lineBytes+len("…") || !strings.HasSuffix(all[3], "ü…") {
		t.Errorf("have %d lines, the long one of %d bytes", len(all), len(all[3]))
	}
}
