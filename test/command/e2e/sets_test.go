package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// A log of requests records each request and the requested form.
type requestLog struct {
	mu  sync.Mutex // guards all
	all []string
}

// wrap returns a config that records all requests except discovery: the verb, the path below
// the namespace, and whether more than metadata was requested.
func (l *requestLog) wrap(config *rest.Config, namespace string) *rest.Config {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			what := strings.TrimPrefix(r.URL.Path, "/api/v1/namespaces/"+namespace+"/")
			if !strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadata") {
				what += " whole"
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if !strings.Contains(r.Header.Get("Accept"), "APIGroupDiscoveryList") {
				l.all = append(l.all, r.Method+" "+what)
			}
			return next.RoundTrip(r)
		})
	})
	return config
}

// createSets creates one set of each type in a namespace. All but the release contain the ConfigMap
// m, and the release contains many more.
func createSets(ns string, inRelease int) (string, error) {
	var many strings.Builder
	for i := range inRelease {
		fmt.Fprintf(&many, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m%d}\n", i)
	}
	text := fmt.Sprintf(`apiVersion: v1
kind: Secret
metadata:
  name: shop
  labels: {applyset.kubernetes.io/id: applyset-x-v1}
  annotations: {applyset.kubernetes.io/contains-group-kinds: "ConfigMap,Deployment.apps"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: shop.apps.k14s.io, labels: {kapp.k14s.io/is-app: ""}}
data:
  spec: '{"labelKey":"kapp.k14s.io/app","labelValue":"1","lastChange":{"namespaces":["%[1]s"]},"usedGKs":[{"Group":"","Kind":"ConfigMap"}]}'
---
apiVersion: v1
kind: ConfigMap
metadata: {name: inventory, labels: {cli-utils.sigs.k8s.io/inventory-id: shop}}
data: {%[1]s_m__ConfigMap: ""}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: m, labels: {applyset.kubernetes.io/part-of: applyset-x-v1, kapp.k14s.io/app: "1"}}
`, ns)
	for revision := range 12 {
		kept, err := releaseObject("Secret", ns, "web", revision+1, "deployed", many.String())
		if err != nil {
			return "", err
		}
		text += "---\n" + kept + "\n"
	}
	return text, nil
}

func TestSetsTakeFewRequests(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	text, err := createSets(ns, 300)
	if err != nil {
		t.Fatal(err)
	}
	c.Apply(t, ns, text)
	for _, row := range []struct {
		owner   string
		objects int
		want    []string
	}{
		{"helm/web", 300, []string{"GET secrets", "GET secrets/sh.helm.release.v1.web.v12 whole"}},
		{"applyset/shop", 1, []string{"GET secrets/shop", "GET configmaps", "GET /apis/apps/v1/namespaces/" + ns + "/deployments"}},
		{"kapp/shop", 1, []string{"GET configmaps/shop.apps.k14s.io whole", "GET configmaps"}},
		{"kpt/inventory", 1, []string{"GET configmaps/inventory whole"}},
	} {
		t.Run(row.owner, func(t *testing.T) {
			var l requestLog
			owner, _ := sets.ParseOwner(row.owner, ns)
			finder := sets.Cluster{Config: l.wrap(c.Config(), ns), Mapper: mapperOf(t, c.Config()), Namespace: ns}
			set, err := finder.Find(t.Context(), owner)
			slices.Sort(l.all)
			slices.Sort(row.want)
			if err != nil || len(set.Objects) != row.objects || !slices.Equal(l.all, row.want) {
				t.Errorf("%s: %d objects, error %v, requests %q\nwant %d objects, requests %q", owner, len(set.Objects), err, l.all, row.objects, row.want)
			}
		})
	}
}

// A user with the printed permissions for a set can find it and wait for it. Without one of
// them, this fails or misses something.
func TestPermissionsForSetsSuffice(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	text, err := createSets(ns, 2)
	if err != nil {
		t.Fatal(err)
	}
	c.Apply(t, ns, text+"---\n"+manifest.ConfigMap("m0")+"---\n"+manifest.ConfigMap("m1"))
	for name, args := range map[string][]string{
		"helm": {"helm/web"}, "applyset": {"applyset/shop"}, "kapp": {"kapp/shop"}, "kpt": {"kpt/inventory"}, "expanded": {"configmap/m", "--expand"},
	} {
		t.Run(name, func(t *testing.T) {
			printed := runAs(t, c.Kubeconfig(), "", append([]string{"rbac", "-n", ns, "--name", name, "--secrets", "--optional", "--serviceaccount", ns + ":" + name}, args...)...)
			roles, err := apply.Parse([]byte(printed.out))
			if err != nil || printed.code != 0 || printed.err != "" {
				t.Fatalf("%s: have %+v, %v", name, printed, err)
			}
			account := c.User(t, ns, name)
			try := func(roles string) commandOutput {
				c.Apply(t, ns, roles)
				return runAs(t, account, "", append([]string{"wait", "-n", ns, "--timeout", "1m"}, args...)...)
			}
			if all := try(printed.out); all.code != 0 || all.err != "" {
				t.Errorf("%s: with all that was printed: have %+v\n%s", name, all, printed.out)
			}
			rules, _, _ := unstructured.NestedSlice(roles[0].Object, "rules")
			for k := range rules {
				less, what := withoutRule(roles, 0, k)
				if err := apply.To(t.Context(), c.Config(), ns, less, nil); err != nil {
					t.Fatal(err)
				}
				if have := runAs(t, account, "", append([]string{"wait", "-n", ns, "--timeout", "0"}, args...)...); have.code == 0 && have.err == "" {
					t.Errorf("%s: without %s nothing is missed: %+v", name, what, have)
				}
			}
		})
	}
}

// An unavailable API group is reported in one note, and everything else is found.
func TestAllDespiteBrokenAPIService(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	broken := strings.NewReplacer("GROUP", ns+".example.com", "NS", ns).Replace(brokenService)
	c.Apply(t, ns, broken+"---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: ExternalName, externalName: example.com}\n")
	t.Cleanup(func() { c.Delete(t, ns, broken) })
	finder := sets.Cluster{Config: c.Config(), Mapper: mapperOf(t, c.Config()), Namespace: ns}
	want := "left out, because their API server does not answer: " + ns + ".example.com/v1"
	poll.Wait(t, "there is the note "+want+" alone", func() bool { // the server learns of the group a moment later
		set, err := finder.FindAll(t.Context(), ns, "")
		if err != nil || len(set.Objects) != 1 || set.Objects[0] != (observe.Target{Kind: manifest.Target("", "Service", ns, "s").Kind, Namespace: ns, Name: "s"}) {
			t.Fatalf("have %v, %v, want the Service", set.Objects, err)
		}
		return slices.Equal(set.Notes, []string{want})
	})
}
