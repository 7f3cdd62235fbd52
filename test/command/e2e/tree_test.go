package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/explain"
	"kstatus.dev/kube/source"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// collectUntil collects facts until their explanation is as expected, and returns it.
func collectUntil(t *testing.T, r tree.Reader, want func(*explain.Explanation) bool, ids ...status.ID) (facts *explain.Facts, e *explain.Explanation) {
	t.Helper()
	poll.Check(t, func() (err error) {
		if facts, err = r.Collect(t.Context(), ids); err != nil {
			t.Fatal(err)
		}
		if e = explain.Explain(facts, ids...); !want(e) {
			return fmt.Errorf("the explanation is not as wished:\n%s", e.Text(facts.Now))
		}
		return nil
	})
	return facts, e
}

// withSchemas configures a reader to judge with the cluster's information about custom kinds.
func withSchemas(t *testing.T, r tree.Reader) tree.Reader {
	client, err := source.NewClient(r.Config, source.Options{Mapper: r.Mapper})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	r.LoadSchemas = client.LoadSchemas
	r.Explain = func(o status.Object) (status.Result, []status.Read) {
		result, reads, err := client.Evaluator().Explain(o)
		if err != nil {
			return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error()}, nil
		}
		return *result, reads
	}
	return r
}

// causes requires causes of these kinds, in any number.
func causes(kinds ...string) func(*explain.Explanation) bool {
	return func(e *explain.Explanation) bool {
		have := map[string]bool{}
		for _, c := range e.Causes {
			have[c.Kind] = true
		}
		for _, kind := range kinds {
			if !have[kind] {
				return false
			}
		}
		return len(have) == len(kinds)
	}
}

// applyOwned applies objects that another object owns. OWNER in their manifests is replaced by its
// UID.
func applyOwned(t *testing.T, c *cluster.Cluster, ns string, resource schema.GroupVersionResource, owner, manifests string) {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	o, err := client.Resource(resource).Namespace(ns).Get(t.Context(), owner, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ref := fmt.Sprintf("[{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}]", o.GetAPIVersion(), o.GetKind(), owner, o.GetUID())
	c.Apply(t, ns, strings.ReplaceAll(manifests, "OWNER", ref))
}

// treeText formats trees as text: their names, each part indented below its owner.
func treeText(trees []explain.Tree, indent string) string {
	var b strings.Builder
	for _, tree := range trees {
		fmt.Fprintf(&b, "%s%s/%s %s\n%s", indent, tree.ID.Kind.Kind, tree.ID.Name, tree.Result.Status, treeText(tree.Parts, indent+"  "))
	}
	return b.String()
}

// The children of custom resources are found in their own group, in related groups, and among
// common kinds. The values of Secrets are not requested.
func TestTreeOverCustomKinds(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".test" // a separate domain: kinds of the same domain are close to those of other tests
	c.Apply(t, ns, strings.Join([]string{
		manifest.Definition(group, "App", manifest.V1("status: "+manifest.Conditional)),
		manifest.Definition(group, "Part", manifest.V1("status: "+manifest.Conditional)),
		manifest.Definition("more."+group, "Helper", manifest.V1("spec: {type: object}")),
		manifest.Definition("else.example.org", "Other"+strings.ToUpper(ns[len(ns)-6:]), manifest.V1("spec: {type: object}")),
		manifest.Object(group+"/v1", "App", "shop"),
	}, "---\n"))
	apps := schema.GroupVersionResource{Group: group, Version: "v1", Resource: "apps"}
	parts := schema.GroupVersionResource{Group: group, Version: "v1", Resource: "parts"}
	meta := func(name string) string { return "metadata: {name: " + name + ", ownerReferences: OWNER}\n" }
	applyOwned(t, c, ns, apps, "shop", strings.Join([]string{
		"apiVersion: " + group + "/v1\nkind: Part\n" + meta("front"),
		"apiVersion: more." + group + "/v1\nkind: Helper\n" + meta("tool"),
		"apiVersion: v1\nkind: Secret\nstringData: {password: hunter2}\n" + meta("keys"),
		"apiVersion: v1\nkind: ConfigMap\ndata: {motd: hunter2}\n" + meta("motd"),
		"apiVersion: else.example.org/v1\nkind: Other" + strings.ToUpper(ns[len(ns)-6:]) + "\n" + meta("far"),
	}, "---\n"))
	applyOwned(t, c, ns, parts, "front", strings.ReplaceAll(workload("Deployment", "web", "app: web", "replicas: 1", unreadyPod), "{name: web}", "{name: web, ownerReferences: OWNER}"))
	deployment := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	poll.Check(t, func() error { // the controllers create the ReplicaSet, and then the Pod
		facts, err := (tree.Reader{Config: c.Config()}).Tree(t.Context(), []status.ID{deployment})
		if err != nil {
			t.Fatal(err)
		}
		if text := treeText(facts.Trees(nil, deployment), ""); !strings.Contains(text, "    Pod/") {
			return fmt.Errorf("no Pod yet:\n%s", text)
		}
		return nil
	})

	proxy := faults.Start(t, c.Config())
	ids := []status.ID{{Kind: status.Kind{Group: group, Kind: "App"}, Namespace: ns, Name: "shop"}}
	rows := []struct {
		it    string
		deep  bool
		extra string
		most  int
	}{
		{"finds what is likely", false, "", 40},
		{"finds all", true, "  Other" + strings.ToUpper(ns[len(ns)-6:]) + "/far Current\n", 120},
	}
	for _, row := range rows {
		before := proxy.Count(faults.Match{}).Requests
		r := withSchemas(t, tree.Reader{Config: proxy.Config(), Mapper: mapperOf(t, c.Config()), SearchAllKinds: row.deep, MaxRequests: row.most})
		facts, err := r.Tree(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("it %s: %d requests", row.it, proxy.Count(faults.Match{}).Requests-before)
		text := regexp.MustCompile(`(web-\w+)(-\w+)?`).ReplaceAllString(treeText(facts.Trees(nil, ids...), ""), "web-x")
		want := "App/shop InProgress\n  ConfigMap/motd Current\n  Helper/tool Current\n" + row.extra +
			"  Part/front InProgress\n    Deployment/web InProgress\n      ReplicaSet/web-x InProgress\n        Pod/web-x InProgress\n  Secret/keys Current\n"
		if text != want {
			t.Errorf("it %s: have\n%swant\n%s%v", row.it, text, want, facts.Gaps)
		}
		const taught = 12 // requests for the expectations about the four custom kinds
		if n := proxy.Count(faults.Match{}).Requests - before; n > row.most+taught {
			t.Errorf("it %s: %d requests:\n%s", row.it, n, proxy.Requests())
		}
		var written strings.Builder
		if err := facts.Encode(&written); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(written.String(), "hunter2") || strings.Contains(written.String(), "aHVudGVyMg") {
			t.Errorf("it %s: has read what a Secret or a ConfigMap holds", row.it)
		}
	}
}

func TestCollectGoesFromADeploymentDownToAContainer(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 3", crashingPod))
	proxy := faults.Start(t, c.Config())
	r := tree.Reader{Config: proxy.Config(), Mapper: mapperOf(t, c.Config())}
	id := status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	collectUntil(t, r, func(e *explain.Explanation) bool {
		return len(e.Causes) == 1 && e.Causes[0].Kind == "CrashLoop" && e.Causes[0].Count == 3
	}, id)

	before := proxy.Count(faults.Match{}).Requests
	facts, e := collectUntil(t, r, causes("CrashLoop"), id)
	if n := proxy.Count(faults.Match{}).Requests - before; n > 6 {
		t.Errorf("%d requests:\n%s", n, proxy.Requests())
	}
	t.Log(e.Text(facts.Now))
	if len(e.Causes) != 1 || e.Causes[0].Count != 3 || !strings.HasPrefix(e.Causes[0].Chain[2].ID.Name, "web-") {
		t.Errorf("have %+v", e.Causes)
	}
	if len(facts.Gaps) > 0 || len(facts.Events) == 0 {
		t.Errorf("have gaps %v and %d events", facts.Gaps, len(facts.Events))
	}
	for _, thing := range facts.Objects {
		if thing.Result.Status == status.UnknownStatus {
			t.Errorf("%s is %s: %s", thing.ID, thing.Result.Reason, thing.Result.Message)
		}
	}
}

// A cluster-scoped object has cluster-scoped children, as far as the reader looks for them; a
// gap reports the others. An unavailable API server does not block the reader.
func TestTreeOfClusterScopedObjects(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	everywhere := func(kind string) string {
		return strings.Replace(manifest.Definition(group, kind, manifest.V1("spec: {type: object}")), "scope: Namespaced", "scope: Cluster", 1)
	}
	broken := strings.NewReplacer("GROUP", "broken."+group, "NS", ns).Replace(brokenService)
	c.Apply(t, ns, broken+"---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: ExternalName, externalName: example.com}\n")
	t.Cleanup(func() { c.Delete(t, ns, broken) })
	c.Apply(t, ns, everywhere("Realm")+"---\n"+everywhere("Shire")+"---\n"+manifest.Object(group+"/v1", "Realm", ns))
	realms := schema.GroupVersionResource{Group: group, Version: "v1", Resource: "realms"}
	applyOwned(t, c, "", realms, ns, "apiVersion: "+group+"/v1\nkind: Shire\nmetadata: {name: "+ns+", ownerReferences: OWNER}\n")
	applyOwned(t, c, "", realms, ns, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: "+ns+", ownerReferences: OWNER}\n")

	id := status.ID{Kind: status.Kind{Group: group, Kind: "Realm"}, Name: ns}
	want := "Realm/" + ns + " Current\n  Shire/" + ns + " Current\n"
	var facts *explain.Facts
	poll.Check(t, func() (err error) { // servers discover new kinds with a delay
		if facts, err = (tree.Reader{Config: c.Config()}).Tree(t.Context(), []status.ID{id}); err != nil {
			t.Fatal(err)
		}
		if text := treeText(facts.Trees(nil, id), ""); text != want {
			return fmt.Errorf("have\n%swant\n%s", text, want)
		}
		return nil
	})
	if have := gaps(facts, ns); len(have) != 1 || have[0] != "parts of Realm/NS: only cluster-scoped kinds were searched" {
		t.Errorf("have gaps %q", have)
	}
}

// A Reader ignores objects of other clusters.
func TestCollectFromOneOfSeveralClusters(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 1", crashingPod))
	here := status.ID{Cluster: "here", Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: "web"}
	there := here
	there.Cluster = "there"
	r := tree.Reader{Config: c.Config(), Cluster: "here"}
	facts, _ := collectUntil(t, r, causes("CrashLoop"), here)
	for _, thing := range facts.Objects {
		if thing.ID.Cluster != "here" {
			t.Errorf("%s is in cluster %q", thing.ID, thing.ID.Cluster)
		}
	}
	for _, e := range facts.Events {
		if e.About.Cluster != "here" {
			t.Errorf("an event is about %s", e.About)
		}
	}
	facts, err := r.Collect(t.Context(), []status.ID{there})
	if err != nil || len(facts.Objects) > 0 {
		t.Errorf("of another cluster: have %d things, %v", len(facts.Objects), err)
	}
}
