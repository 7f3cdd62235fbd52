package e2e

import (
	"context"
	"strings"
	"testing"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/manifest"
)

// Clients of a caller see the same as our own client. That includes built-in kinds, the metadata of
// Secrets, and custom kinds without a status so far.
func TestClientsOfTheCaller(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := strings.ToLower(ns) + ".example.org"
	c.Apply(t, ns, manifest.Definition(group, "Widget", manifest.V1("spec: {type: object}, status: "+manifest.Promises))+
		"---\n"+manifest.Object(group+"/v1", "Widget", "w")+"spec: {}\n---\n"+manifest.ConfigMap("m")+"---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: sesame}\n"+
		"---\n"+manifest.Deployment("web", manifest.Runs))
	config := c.Config()
	config.QPS, config.Burst = 50, 100
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	partial, err := metadata.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	w := manifest.Target(group, "Widget", ns, "w")
	all := []observe.Target{w, manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("", "Secret", ns, "s"), manifest.Target("apps", "Deployment", ns, "web")}
	for _, row := range []struct {
		it      string
		clients source.Interfaces
		mapper  bool
	}{
		{"has a dynamic client alone", source.Interfaces{Dynamic: objects}, false},
		{"has all", source.Interfaces{Dynamic: objects, Metadata: partial}, true},
	} {
		t.Run(row.it, func(t *testing.T) {
			var o source.Options
			if row.mapper {
				o.Mapper = mapperOf(t, config)
			}
			r := wait.Resolver{Client: source.NewClientFor(row.clients, o)}
			ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
			defer cancel()
			last := map[observe.Target]observe.Update{}
			for e, err := range r.WaitForStatus(ctx, all...) {
				if err != nil {
					t.Fatal(err)
				}
				last[e.Target] = e.Update
				if e.Synced && last[all[3]].Progress == observe.ProgressReached {
					break
				}
			}
			for _, target := range all[1:] {
				if have := last[target].Result; have.Status != status.CurrentStatus {
					t.Errorf("%s is %s: %s", target, have.Status, have.Message)
				}
			}
			if have := last[w].Result; have.Status != status.InProgressStatus || have.Reason != "NotObserved" {
				t.Errorf("%s is %s (%s), although nobody has reported on it", w, have.Status, have.Reason)
			}
		})
	}
}
