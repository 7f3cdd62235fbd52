package plancheck

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
)

// newPlan returns a valid plan of three objects, of which one stays.
func newPlan() *plan.Plan {
	item := func(name string, d plan.Decision, step int) *plan.Item {
		return &plan.Item{Group: "cluster.x-k8s.io", Version: "v1", Kind: "Machine", Resource: "machines", Namespace: "shop", Name: name, UID: name, Decision: d, Step: step}
	}
	return &plan.Plan{Scope: plan.Scope{Namespaces: []string{"shop"}}, Steps: 2, Items: []*plan.Item{
		item("a", plan.Move, 0), item("b", plan.Copy, 1), item("c", plan.Exclude, -1),
	}}
}

// kinds are the kinds of a cluster.
var kinds = []*management.Kind{
	{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Resource: "secrets", Namespaced: true, Versions: []string{"v1"}},
	{GroupVersionKind: schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v2", Kind: "Machine"}, Resource: "machines", Namespaced: true, Versions: []string{"v1", "v2"}},
	{GroupVersionKind: schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1", Kind: "Realm"}, Resource: "realms", Versions: []string{"v1"}},
}

func TestPlan(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(*plan.Plan)
		want   string // in the error; empty: none
	}{
		{"accepts a plan", func(*plan.Plan) {}, ""},
		{"accepts an empty plan", func(p *plan.Plan) { *p = plan.Plan{} }, ""},
		{"accepts all namespaces", func(p *plan.Plan) { p.Scope.Namespaces = nil }, ""},
		{"accepts a copy in another namespace", func(p *plan.Plan) { p.Items[1].Namespace = "other" }, ""},
		{"accepts a cluster-scoped copy", func(p *plan.Plan) { p.Items[1].Namespace = "" }, ""},
		{"accepts an object that has the name of one that stayed", func(p *plan.Plan) { p.Items[2].Name = "a" }, ""},
		{"wants no billion steps", func(p *plan.Plan) { p.Steps = 1 << 30 }, "plan.steps is 1073741824, want a number from 0 to 3, the number of items"},
		{"wants no negative steps", func(p *plan.Plan) { p.Steps = -1 }, "plan.steps is -1, want a number from 0 to 3"},
		{"wants an item", func(p *plan.Plan) { p.Items[1] = nil }, "plan.items[1] is null, want an item"},
		{"wants a step of the plan", func(p *plan.Plan) { p.Items[0].Step = 2 }, "Machine.cluster.x-k8s.io shop/a: plan.items[0].step is 2, want a number from 0 to 1"},
		{"wants a step of what is copied", func(p *plan.Plan) { p.Items[1].Step = -1 }, "plan.items[1].step is -1, want a number from 0 to 1"},
		{"wants no step of what stays", func(p *plan.Plan) { p.Items[2].Step = 0 }, "plan.items[2].step is 0, want a number from -1 to -1"},
		{"wants a decision", func(p *plan.Plan) { p.Items[0].Decision = "Delete" }, `plan.items[0].decision is "Delete", want Move, Copy or Exclude`},
		{"wants a UID", func(p *plan.Plan) { p.Items[0].UID = "" }, "plan.items[0].uid is empty, want a UID"},
		{"wants different UIDs", func(p *plan.Plan) { p.Items[2].UID = "a" }, `shop/c: plan.items[2].uid is "a", want another one than item 0 has`},
		{"wants different objects", func(p *plan.Plan) { p.Items[1].Name = "a" }, `shop/a: plan.items[1].name is "a", want another one than item 0 of its kind has`},
		{"wants a version", func(p *plan.Plan) { p.Items[0].Version = "" }, "plan.items[0].version is empty, want a name"},
		{"wants a kind", func(p *plan.Plan) { p.Items[0].Kind = "" }, "plan.items[0].kind is empty, want a name"},
		{"wants a resource", func(p *plan.Plan) { p.Items[0].Resource = "" }, "plan.items[0].resource is empty, want a name"},
		{"wants a name", func(p *plan.Plan) { p.Items[0].Name = "" }, "plan.items[0].name is empty, want a name"},
		{"wants a name that is no path", func(p *plan.Plan) { p.Items[0].Name = "../x" }, `plan.items[0].name is "../x", want a name: `},
		{"wants a namespace that is no path", func(p *plan.Plan) { p.Items[0].Namespace = "a/b" }, `plan.items[0].namespace is "a/b", want a name: `},
		{"wants a group that is no path", func(p *plan.Plan) { p.Items[0].Group = ".." }, `plan.items[0].group is "..", want a name: `},
		{"wants a resource that is no path", func(p *plan.Plan) { p.Items[0].Resource = "secrets/status" }, `plan.items[0].resource is "secrets/status", want a name: `},
		{"wants namespaces that are no paths", func(p *plan.Plan) { p.Scope.Namespaces = []string{"shop", "a/b"} }, `plan.scope.namespaces[1] is "a/b", want a name: `},
		{"wants namespaces with a name", func(p *plan.Plan) { p.Scope.Namespaces = []string{""} }, "plan.scope.namespaces[0] is empty, want a name"},
		{"wants objects of the scope", func(p *plan.Plan) { p.Items[0].Namespace = "kube-system" }, `plan.items[0].namespace is "kube-system", want one of plan.scope.namespaces: shop`},
		{"wants namespaced objects", func(p *plan.Plan) { p.Items[0].Namespace = "" }, "plan.items[0].namespace is empty, want a namespace, because cluster-scoped objects are only copied"},
		{"wants no line breaks in its error", func(p *plan.Plan) { p.Items[0].Kind, p.Items[0].Step = "a\u202eb", 9 }, `plan.items[0].step is 9`},
	} {
		t.Run(row.it, func(t *testing.T) {
			p := newPlan()
			row.change(p)
			checkError(t, Plan(p), row.want)
		})
	}
}

// checkError checks that an error has a text, and is one line without characters that act.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err == nil:
	case err == nil || want == "" || !strings.Contains(err.Error(), want) || !errors.As(err, new(*Error)):
		t.Errorf("have error %v, want %q", err, want)
	case strings.ContainsAny(err.Error(), "\n\r\u202e\x1b"):
		t.Errorf("the error has control characters: %q", err)
	}
}

func TestKinds(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(*plan.Item)
		want   string
	}{
		{"accepts a kind of Cluster API", func(*plan.Item) {}, ""},
		{"accepts another version that is served", func(i *plan.Item) { i.Version = "v2" }, ""},
		{"accepts a Secret", func(i *plan.Item) { i.Group, i.Kind, i.Resource = "", "Secret", "secrets" }, ""},
		{"accepts a cluster-scoped kind", func(i *plan.Item) { i.Kind, i.Resource, i.Namespace = "Realm", "realms", "" }, ""},
		{"accepts any kind of what stays", func(i *plan.Item) { i.Kind, i.Decision = "Foreign", plan.Exclude }, ""},
		{"wants a known kind", func(i *plan.Item) {
			i.Group, i.Kind, i.Resource, i.Namespace = "rbac.authorization.k8s.io", "ClusterRole", "clusterroles", ""
		}, "ClusterRole.rbac.authorization.k8s.io a: plan.items[0].kind is ClusterRole of rbac.authorization.k8s.io/v1 with the resource clusterroles, cluster-scoped, want a kind of Cluster API"},
		{"wants the group of the kind", func(i *plan.Item) { i.Group = "example.com" }, "plan.items[0].kind is Machine of example.com/v1"},
		{"wants the resource of the kind", func(i *plan.Item) { i.Resource = "clusters" }, "with the resource clusters, namespaced"},
		{"wants a version that is served", func(i *plan.Item) { i.Version = "v3" }, "plan.items[0].kind is Machine of cluster.x-k8s.io/v3"},
		{"wants a namespace of a namespaced kind", func(i *plan.Item) { i.Namespace = "" }, "cluster-scoped, want a kind"},
		{"wants no namespace of a cluster-scoped kind", func(i *plan.Item) { i.Kind, i.Resource = "Realm", "realms" }, "namespaced, want a kind"},
	} {
		t.Run(row.it, func(t *testing.T) {
			p := newPlan()
			row.change(p.Items[0])
			checkError(t, Kinds(p, kinds), row.want)
		})
	}
}

func TestChoices(t *testing.T) {
	for _, row := range []struct {
		scope  plan.Scope
		accept []string
		want   string
	}{
		{plan.Scope{}, nil, "all namespaces"},
		{plan.Scope{Namespaces: []string{"a", "b"}, Clusters: []string{"c"}, Selector: "d=e"}, []string{"f", "g=h/i"}, "namespaces a, b; Clusters c; selector d=e; accepted words f, g=h/i"},
		{plan.Scope{Namespaces: []string{"a\nb"}}, nil, "namespaces a b"},
	} {
		if have := Choices(&plan.Plan{Scope: row.scope}, row.accept); have != row.want {
			t.Errorf("have %q, want %q", have, row.want)
		}
	}
}
