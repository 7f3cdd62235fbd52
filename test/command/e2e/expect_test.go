package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

const openSchema = "{type: object, x-kubernetes-preserve-unknown-fields: true}"

// The expectations about custom kinds cost one request for each kind with permission to read
// definitions. They are also known without that permission.
func TestExpectationsOfKinds(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := strings.ToLower(ns) + ".example.org"
	plural := func(kind string) string { return strings.ToLower(kind) + "s." + group }
	texts := []string{
		manifest.Definition(group, "Gadget", manifest.V1("spec: {type: object}, status: "+manifest.Promises)),
		manifest.Definition(group, "Gizmo", manifest.V1("spec: {type: object}, status: "+manifest.Promises)),
		manifest.Definition(group, "Widget", manifest.V1("spec: {type: object}, status: "+openSchema)),
		manifest.Definition(group, "Static", manifest.V1("spec: {type: object}")),
	}
	for _, kind := range []string{"Gadget", "Gizmo", "Widget", "Static"} {
		texts = append(texts, manifest.Object(group+"/v1", kind, "o")+"spec: {}\n")
	}
	texts = append(texts, manifest.Object(group+"/v1", "Widget", "other")+"spec: {}\n")
	c.Apply(t, ns, strings.Join(texts, "---\n"))
	applied := time.Now()
	newWidgets(t, c.Config(), ns, group).report("other", `{"observedGeneration": 1}`, "status")
	waitForOpenAPI(t, c.Config(), group, "Gadget", "Gizmo", "Widget", "Static")
	kinds := []string{plural("Gadget"), plural("Gizmo"), plural("Widget"), plural("Static")}
	objects := cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: kinds}
	unread := configOf(t, c.User(t, ns, "unread", objects))
	lists := configOf(t, c.User(t, ns, "lists", objects, cluster.Grant{Verbs: []string{"list"}, Resources: kinds}))
	const generation, declares = "its controller has not reported an observed generation, which ", " declares"
	rows := []struct {
		it     string
		config *rest.Config
		kinds  []string
		costs  int
		want   string // the message about the last one
	}{
		{"reads the definition of each kind", c.Config(), []string{"Gadget", "Gizmo"}, 2, generation + "the schema of CustomResourceDefinition " + plural("Gizmo") + declares},
		{"looks at others where the definition leaves it open", c.Config(), []string{"Widget"}, 2, generation + "Widget " + ns + "/other has"},
		{"looks at no others where there is no status", c.Config(), []string{"Static"}, 1, "the schema of CustomResourceDefinition " + plural("Static") + " declares no status"},
		{"reads what is published where it may read no definition", unread, []string{"Gadget"}, 3, generation + "the schema of " + plural("Gadget") + declares},
		{"reads what is published of several kinds once", unread, []string{"Gadget", "Gizmo"}, 5, ""},
		{"goes by the status subresource where it may see no others either", unread, []string{"Widget"}, 4, "it has no status yet, although " + plural("Widget") + " has a status subresource"},
		{"looks at others where it may", lists, []string{"Widget"}, 4, generation + "Widget " + ns + "/other has"},
	}
	// The definitions of younger objects are read again.
	poll.Wait(t, "the objects are three seconds old", func() bool { return time.Since(applied) > 3*time.Second })
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			var targets []observe.Target
			for _, kind := range row.kinds {
				targets = append(targets, manifest.Target(group, kind, ns, "o"))
			}
			said := map[observe.Target]string{}
			proxy := faults.Start(t, row.config)
			w := observe.Watcher{Source: &source.Cluster{Config: proxy.Config()}}
			for u, err := range w.Updates(t.Context(), targets...) {
				if err != nil {
					t.Fatal(err)
				}
				if said[u.Target] = u.Result.Message; u.Synced {
					break
				}
			}
			// The client discovers the group and its version, and streams the objects of each
			// kind.
			if have := proxy.Count(faults.Match{}).Requests - 2 - len(targets); have != row.costs {
				t.Errorf("it %s: that costs %d requests, want %d", row.it, have, row.costs)
			}
			if have := said[targets[len(targets)-1]]; row.want != "" && have != row.want {
				t.Errorf("it %s: have %s\nwant %s", row.it, have, row.want)
			}
		})
	}
}

// waitForOpenAPI waits until the OpenAPI document of a group contains its kinds.
func waitForOpenAPI(t *testing.T, config *rest.Config, group string, kinds ...string) {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	poll.Wait(t, "the OpenAPI document has the kinds", func() bool {
		page, err := client.RESTClient().Get().AbsPath("/openapi/v3/apis/" + group + "/v1").DoRaw(t.Context())
		return err == nil && !slices.ContainsFunc(kinds, func(kind string) bool { return !strings.Contains(string(page), `"kind":"`+kind+`"`) })
	})
}

// A slow controller is not taken for a silent one, if other objects of the kind show that it
// reports.
func TestSlowControllers(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := strings.ToLower(ns) + ".example.org"
	c.Apply(t, ns, manifest.Definition(group, "Widget", manifest.V1("spec: {type: object}, status: "+manifest.Promises))+
		"---\n"+manifest.Object(group+"/v1", "Widget", "slow")+"spec: {}\n---\n"+manifest.Object(group+"/v1", "Widget", "other")+"spec: {}\n")
	w := newWidgets(t, c.Config(), ns, group)
	const done = `{"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True"}]}`
	w.report("other", done, "status")
	watcher := observe.Watcher{
		Source:       &source.Cluster{Config: c.Config()},
		Requirements: observe.Requirements{FirstStatus: 20 * time.Second},
	}
	ctx, stop := context.WithTimeout(t.Context(), longTimeout)
	defer stop()
	var seen []string
	for u, err := range watcher.Updates(ctx, manifest.Target(group, "Widget", ns, "slow")) {
		if err != nil {
			t.Fatal(err)
		}
		if seen = append(seen, string(u.Result.Status)+": "+u.Result.Message); u.Progress == observe.ProgressReached {
			break
		}
		if strings.HasSuffix(u.Result.Message, "; still so after 20s; its controller works, since Widget "+ns+"/other has a status") {
			w.report("slow", done, "status")
		}
	}
	if len(seen) != 3 || seen[2] != "Current: Ready is True" {
		t.Errorf("have %s\nwant that it is waited for, that others have what is missing, and that it is there", strings.Join(seen, "\n"))
	}
}

// If the data about a kind cannot be read at first, it is read again. If it does not exist,
// less is known. In both cases all objects are judged.
func TestExpectationsThroughFaults(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := strings.ToLower(ns) + ".example.org"
	c.Apply(t, ns, manifest.Definition(group, "Widget", manifest.V1("spec: {type: object}, status: "+manifest.Promises))+
		"---\n"+manifest.Object(group+"/v1", "Widget", "o")+"spec: {}\n")
	waitForOpenAPI(t, c.Config(), group, "Widget")
	widgets := "widgets." + group
	unread := configOf(t, c.User(t, ns, "unread", cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{widgets}}))
	unavailable := faults.Answer{Code: 503}
	const generation, declares = "its controller has not reported an observed generation, which the schema of ", " declares"
	rows := []struct {
		it     string
		config *rest.Config
		match  faults.Match
		fault  faults.Fault
		want   string
	}{
		{"reads a definition again", c.Config(), faults.Match{Resources: []string{"customresourcedefinitions.apiextensions.k8s.io"}, First: 2}, unavailable,
			generation + "CustomResourceDefinition " + widgets + declares},
		{"reads the index again", unread, faults.Match{Resources: []string{"/openapi/v3"}, First: 2}, unavailable, generation + widgets + declares},
		{"reads a document again", unread, faults.Match{Resources: []string{"/openapi/v3/apis/" + group + "/v1"}, First: 2}, unavailable, generation + widgets + declares},
		{"goes by the status subresource where nothing is published", unread, faults.Match{Resources: []string{"/openapi/v3"}}, faults.Answer{Code: 404},
			"it has no status yet, although " + widgets + " has a status subresource"},
		{"goes by the status subresource where others cannot be listed either", unread, faults.Match{Resources: []string{"/openapi/v3", widgets}, First: 4}, faults.Answer{Code: 403},
			"it has no status yet, although " + widgets + " has a status subresource"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			proxy := faults.Start(t, row.config)
			proxy.Inject(row.match, row.fault)
			w := observe.Watcher{Source: &source.Cluster{Config: proxy.Config()}}
			ctx, stop := context.WithTimeout(t.Context(), longTimeout)
			defer stop()
			have := ""
			for u, err := range w.Updates(ctx, manifest.Target(group, "Widget", ns, "o")) {
				if err != nil {
					t.Fatal(err)
				}
				if have = u.Result.Message; u.Result.Reason == "NotObserved" {
					break
				}
			}
			if have != row.want {
				t.Errorf("it %s: have %s\nwant %s", row.it, have, row.want)
			}
		})
	}
}
