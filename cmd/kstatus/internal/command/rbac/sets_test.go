package rbac

import (
	"reflect"
	"slices"
	"testing"

	"kstatus.dev/kube/sets"
	kubesource "kstatus.dev/kube/source"
)

func TestWithReads(t *testing.T) {
	named := kubesource.Permission{Purpose: kubesource.PurposeObjects, Namespace: "shop", Resource: "configmaps", Names: []string{"a"}, Verbs: []string{"get", "list", "watch"}}
	all := kubesource.Permission{Purpose: kubesource.PurposeObjects, Group: "apps", Resource: "deployments", Verbs: []string{"get", "list", "watch"}}
	for name, c := range map[string]struct {
		read sets.Permission
		more []kubesource.Permission
	}{
		"it adds nothing for an object that is read anyway":  {sets.Permission{Verb: "get", Resource: "configmaps", Namespace: "shop", Name: "a"}, nil},
		"it adds nothing where all are read in the cluster":  {sets.Permission{Verb: "list", Group: "apps", Resource: "deployments", Namespace: "shop"}, nil},
		"it adds another object":                             {sets.Permission{Verb: "get", Resource: "configmaps", Namespace: "shop", Name: "b"}, []kubesource.Permission{{Purpose: purposeSets, Namespace: "shop", Resource: "configmaps", Names: []string{"b"}, Verbs: []string{"get"}}}},
		"it adds a list of all beside one that is read":      {sets.Permission{Verb: "list", Resource: "configmaps", Namespace: "shop"}, []kubesource.Permission{{Purpose: purposeSets, Namespace: "shop", Resource: "configmaps", Verbs: []string{"list"}}}},
		"it adds what is in another namespace":               {sets.Permission{Verb: "get", Resource: "configmaps", Namespace: "other", Name: "a"}, []kubesource.Permission{{Purpose: purposeSets, Namespace: "other", Resource: "configmaps", Names: []string{"a"}, Verbs: []string{"get"}}}},
		"it adds a kind of that name which is another group": {sets.Permission{Verb: "get", Group: "example.com", Resource: "deployments", Name: "a"}, []kubesource.Permission{{Purpose: purposeSets, Group: "example.com", Resource: "deployments", Names: []string{"a"}, Verbs: []string{"get"}}}},
	} {
		needs := []kubesource.Permission{named, all}
		if have, want := withReads(needs, []sets.Permission{c.read}), append(slices.Clone(needs), c.more...); !reflect.DeepEqual(have, want) {
			t.Errorf("%s: have %v, want %v", name, have, want)
		}
	}
	optional := []kubesource.Permission{{Purpose: explanations, Namespace: "shop", Resource: "secrets", Verbs: []string{"get", "list"}}}
	if have := withReads(optional, []sets.Permission{{Verb: "list", Resource: "secrets", Namespace: "shop"}}); len(have) != 2 {
		t.Errorf("a set that is found by what an optional role permits: have %v, want the permission besides", have)
	}
	reads := []sets.Permission{{Verb: "list", Resource: "secrets"}, {Verb: "get", Resource: "secrets"}, {Verb: "get", Resource: "secrets", Name: "covered"},
		{Verb: "get", Resource: "configmaps", Name: "b"}, {Verb: "get", Resource: "configmaps", Name: "a"}}
	want := []kubesource.Permission{
		{Purpose: purposeSets, Resource: "secrets", Verbs: []string{"get", "list"}},
		{Purpose: purposeSets, Resource: "configmaps", Names: []string{"b", "a"}, Verbs: []string{"get"}},
	}
	if have := withReads(nil, reads); !reflect.DeepEqual(have, want) {
		t.Errorf("of several reads: have %v, want %v", have, want)
	}
}
