package sets

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestRefsOf(t *testing.T) {
	deployment := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Name: "web"}
	secret := status.ID{Kind: status.Kind{Kind: "Secret"}, Namespace: "other", Name: "s"}
	for name, c := range map[string]struct {
		manifest string
		want     []status.ID
	}{
		"it finds no object in an empty text": {"", nil},
		"it finds no object in comments":      {"---\n# Source: web/a.yaml\n---\n\n--- # b\nnull\n", nil},
		"it finds objects": {"---\n# Source: a\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n--- \napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: other}\n",
			[]status.ID{deployment, secret}},
		"it reads JSON and Windows line endings": {"---\r\n{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\"}}\r\n---\r\n", []status.ID{deployment}},
		"it does not split strings":              {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nx: |\n  ---\n  kind: A\n---a: b\n", []status.ID{deployment}},
		"it uses the last of duplicate keys":     {"apiVersion: v1\napiVersion: apps/v1\nkind: Deployment\nmetadata: {labels: {}, name: a, labels: {}, name: web}\n", []status.ID{deployment}},
		"it reads lists":                         {"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}\n- {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: other}}\n", []status.ID{deployment, secret}},
		"it follows aliases":                     {"apiVersion: apps/v1\nkind: Deployment\nx: &x {name: web}\nmetadata: *x\n", []status.ID{deployment}},
	} {
		t.Run(name, func(t *testing.T) {
			if have, err := refsOf(c.manifest); err != nil || !slices.Equal(have, c.want) {
				t.Errorf("have %v, %v, want %v", have, err, c.want)
			}
		})
	}
}

func TestRefsOfInvalidManifest(t *testing.T) {
	for name, c := range map[string]struct{ manifest, want string }{
		"it is a string":                 {"hunter2", "document 1 of the manifest: want an object, have something else"},
		"it is invalid YAML":             {"---\n---\na: [hunter2\n", "document 3 of the manifest: want YAML, have something else"},
		"it has no kind":                 {"apiVersion: v1\nmetadata: {name: a}", "document 1 of the manifest: kind: want a string, have none"},
		"its kind is a list":             {"kind: [a]\nmetadata: {name: a}", "document 1 of the manifest: kind: want a string, have none"},
		"it has no name":                 {"kind: Job\nmetadata: {generateName: a-}", `document 1 of the manifest: "Job": metadata.name: want a name, have none`},
		"its metadata is a string":       {"kind: Job\nmetadata: hunter2", `document 1 of the manifest: "Job": metadata.name: want a name, have none`},
		"it contains itself":             {"&a\nkind: List\nitems: [*a]", "document 1 of the manifest: want a list of objects, have nested lists"},
		"a document is too large":        {"x: " + strings.Repeat("a", 5<<20), "document 1 of the manifest: want at most 4 MiB, have more"},
		"it has too many objects":        {strings.Repeat("---\nkind: A\nmetadata: {name: a}\n", MaxObjects+1), "the manifest: want at most 50000 objects, have more"},
		"an item of a list is malformed": {"kind: List\nitems: [hunter2]", "document 1 of the manifest: want an object, have something else"},
	} {
		t.Run(name, func(t *testing.T) {
			if have, err := refsOf(c.manifest); err == nil || err.Error() != c.want {
				t.Errorf("have %v, error %v, want %s", have, err, c.want)
			}
		})
	}
}

func TestParseInventoryID(t *testing.T) {
	for id, want := range map[string]status.ID{
		"shop_web_apps_Deployment":                                    {Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"},
		"shop_web__Service":                                           {Kind: status.Kind{Kind: "Service"}, Namespace: "shop", Name: "web"},
		"_system__node_rbac.authorization.k8s.io_ClusterRole":         {Kind: status.Kind{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}, Name: "system:node"},
		"_catalogs.shop.io_apiextensions.k8s.io_CustomResourceDefine": {Kind: status.Kind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefine"}, Name: "catalogs.shop.io"},
	} {
		t.Run(id, func(t *testing.T) {
			if have, err := parseInventoryID(id); err != nil || have != want {
				t.Errorf("have %v, %v, want %v", have, err, want)
			}
		})
	}
	for _, id := range []string{"", "a", "a_b", "a_b_c", "a_b_c_", "a__c_D", "a_b_x_c_D", "____"} {
		t.Run("it_refuses_"+id, func(t *testing.T) {
			if have, err := parseInventoryID(id); err == nil {
				t.Errorf("%q: have %v, want an error", id, have)
			}
		})
	}
}

func TestParseOwner(t *testing.T) {
	for text, want := range map[string]Owner{
		"helm/web": {TypeHelm, "shop", "web"}, "applyset/web": {TypeApplySet, "shop", "web"}, "kapp/web": {TypeKapp, "shop", "web"}, "kpt/web": {TypeKpt, "shop", "web"},
	} {
		t.Run(text, func(t *testing.T) {
			if have, ok := ParseOwner(text, "shop"); !ok || have != want || have.String() != text {
				t.Errorf("have %v, %v, want %v", have, ok, want)
			}
		})
	}
	for _, text := range []string{"", "helm", "helm/", "helm.example.com/web", "deployment/web", "Helm/web"} {
		t.Run("it_refuses_"+text, func(t *testing.T) {
			if have, ok := ParseOwner(text, "shop"); ok {
				t.Errorf("%q: have %v, want none", text, have)
			}
		})
	}
}

func TestInCycle(t *testing.T) {
	owners := map[types.UID]types.UID{"a": "b", "b": "c", "c": "b", "d": "e", "e": "", "f": "gone", "g": "g"}
	for uid, want := range map[types.UID]bool{"a": true, "b": true, "d": false, "e": false, "f": false, "g": true} {
		t.Run(string(uid), func(t *testing.T) {
			if have := inCycle(owners, uid); have != want {
				t.Errorf("%s: have %v, want %v", uid, have, want)
			}
		})
	}
}

// A name of a set's object stays a target even if it is invalid. So a name that is a path
// does not hide the other objects of the set.
func TestTargetNamesWithPaths(t *testing.T) {
	f := &finder{Cluster: &Cluster{Namespace: "shop", Mapper: meta.NewDefaultRESTMapper(nil)}}
	secret := status.Kind{Kind: "Secret"}
	have := f.targets([]status.ID{{Kind: secret, Namespace: "..", Name: "../a"}, {Kind: secret, Name: "system:a.b"}}, "shop")
	want := []observe.Target{{Kind: secret, Namespace: "..", Name: "../a"}, {Kind: secret, Name: "system:a.b"}}
	if !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
}

func FuzzRefs(f *testing.F) {
	f.Add("---\nkind: A\nmetadata: {name: a}\n")
	f.Add("shop_web_apps_Deployment")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = refsOf(text)
		_, _ = parseInventoryID(text)
	})
}
