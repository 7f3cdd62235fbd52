package selection

import (
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The user requested an object in the namespace of its set, or of its topmost owner.
func TestHome(t *testing.T) {
	target := func(kind, namespace, name string) observe.Target {
		return observe.Target{Kind: status.Kind{Kind: kind}, Namespace: namespace, Name: name}
	}
	app, web, pod := target("Application", "argocd", "web"), target("Deployment", "shop", "web"), target("Pod", "shop", "web-1")
	found := Found{homes: map[observe.Target]string{target("Pod", "vault", "keeper"): "shop", target("Role", "", "all"): "shop"}}
	found.Owners = map[observe.Target]observe.Target{web: app, pod: web, target("A", "x", "a"): target("B", "x", "b"), target("B", "x", "b"): target("A", "x", "a")}
	for _, row := range []struct {
		it   string
		of   observe.Target
		want string
	}{
		{"is that of the object", target("Pod", "other", "x"), "other"},
		{"is that of the set", target("Pod", "vault", "keeper"), "shop"},
		{"is that of the set for a cluster-scoped object", target("Role", "", "all"), "shop"},
		{"is that of the topmost owner", pod, "argocd"},
		{"ends in a circle of owners", target("A", "x", "a"), "x"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := found.home(row.of); have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
