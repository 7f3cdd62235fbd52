package cluster

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/catalog"
	"kstatus.dev/test/lib/poll"
)

// shopRows list the final state of each slow object of examples/shop.
var shopRows = [][2]string{
	{"deployments.apps/web", "{.status.availableReplicas}=2"},
	{"deployments.apps/api", "{.status.availableReplicas}=3"},
	{"deployments.apps/worker", "{.status.availableReplicas}=2"},
	{"statefulsets.apps/database", "{.status.availableReplicas}=2"},
	{"persistentvolumeclaims/data-database-0", "{.status.phase}=Bound"},
	{"persistentvolumeclaims/data-database-1", "{.status.phase}=Bound"},
	{"services/web", "{.status.loadBalancer.ingress[0].ipMode}=VIP"},
	{"jobs.batch/migrate-1-8", `{.status.conditions[?(@.type=="Complete")].status}=True`},
	{"poddisruptionbudgets.policy/web", "{.status.disruptionsAllowed}=1"},
	{"catalogs.shop.example.com/tea", `{.status.conditions[?(@.type=="Ready")].status}=True`},
	{"catalogs.shop.example.com/tea", "{.status.products}=4"},
	{"horizontalpodautoscalers.autoscaling/web", `{.status.conditions[?(@.type=="ScalingActive")].status}=True`},
	{"horizontalpodautoscalers.autoscaling/web", "{.status.desiredReplicas}=2"},
}

// brokenRows list the final states of examples/shop-broken.
var brokenRows = [][2]string{
	{"deployments.apps/web", `{.status.conditions[?(@.type=="Progressing")].reason}=ProgressDeadlineExceeded`},
	{"deployments.apps/api", `{.status.conditions[?(@.type=="Progressing")].reason}=ProgressDeadlineExceeded`},
	{"jobs.batch/migrate-1-9", `{.status.conditions[?(@.type=="Failed")].reason}=BackoffLimitExceeded`},
	{"persistentvolumeclaims/exports", "{.status.phase}=Pending"},
	{"deployments.apps/worker", "{.status.availableReplicas}=2"}, // the release does not change it
}

// The shop becomes ready, its next release does not, and it disappears after its deletion. Only
// this test uses the namespace of the examples.
func TestShop(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	began := time.Now()
	objects := kustomize(t, "../../../examples/shop")
	if err := apply.To(t.Context(), c.Config(), "default", objects, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range shopRows {
		poll.Check(t, func() error { return checkField(t, c, "shop", row[0], row[1]) })
	}
	t.Logf("the shop settled in %s", time.Since(began).Round(100*time.Millisecond))

	broken := kustomize(t, "../../../examples/shop-broken")
	if err := apply.To(t.Context(), c.Config(), "default", broken, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range brokenRows {
		poll.Check(t, func() error { return checkField(t, c, "shop", row[0], row[1]) })
	}
	for _, row := range [][2]string{
		{"app.kubernetes.io/name=web", "ImagePullBackOff"},
		{"app.kubernetes.io/name=api", "CrashLoopBackOff"},
	} {
		poll.Check(t, func() error { return somePodWaits(t, c, row[0], row[1]) })
	}
	// The CRD stays for other tests; the rest ends with the namespace.
	namespace := slices.DeleteFunc(broken, func(o *unstructured.Unstructured) bool { return o.GetKind() != "Namespace" })
	if err := apply.Delete(t.Context(), c.Config(), "default", namespace, nil); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error {
		if _, err := fetch(t, c, "", "namespaces/shop"); err == nil {
			return errors.New("the namespace shop is still there")
		}
		return nil
	})
}

// A new Catalog first has no status, then one that is not ready, and then a ready one. After a
// change it keeps its old status for a while.
func TestCatalogReportsLate(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	crd, err := apply.File("../../../examples/shop/catalog-crd.yaml")
	if err == nil {
		err = apply.To(t.Context(), c.Config(), ns, crd, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	manifest := func(currency string) string {
		return "apiVersion: shop.example.com/v1\nkind: Catalog\nmetadata: {name: late}\nspec: {source: {configMap: products}, currency: " + currency + "}\n"
	}
	versions := follow(t, c, ns, "catalogs.shop.example.com/late")
	began := time.Now()
	c.Apply(t, ns, manifest("EUR"))
	if err := matchField(versions.next(), "{.status}="); err != nil {
		t.Error(err)
	}
	versions.until(`{.status.conditions[0].reason}=Indexing`)
	if after := time.Since(began); after < catalog.NoticeDelay-time.Second {
		t.Errorf("the first status comes after %s, want %s", after, catalog.NoticeDelay)
	}
	versions.until(`{.status.conditions[0].reason}=SourceMissing`)
	c.Apply(t, ns, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: products}\ndata: {products.json: '[{}, {}]'}\n")
	versions.until("{.status.products}=2")
	versions.until(`{.status.conditions[0].status}=True`)

	c.Apply(t, ns, manifest("USD"))
	versions.until("{.metadata.generation}=2")
	for _, row := range []string{"{.status.observedGeneration}=1", `{.status.conditions[0].status}=True`} {
		if err := matchField(versions.now, row); err != nil {
			t.Error(err)
		}
	}
	versions.until("{.status.observedGeneration}=2")
	versions.until(`{.status.conditions[0].status}=True`)
}

func kustomize(t *testing.T, dir string) []*unstructured.Unstructured {
	t.Helper()
	objects, err := apply.Kustomization(dir)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// somePodWaits looks for a container that waits with a reason.
func somePodWaits(t *testing.T, c *Cluster, selector, reason string) error {
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		return err
	}
	pods, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace("shop").
		List(t.Context(), metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return err
	}
	for _, pod := range pods.Items {
		if checkField(t, c, "shop", "pods/"+pod.GetName(), "{.status.containerStatuses[0].state.waiting.reason}="+reason) == nil {
			return nil
		}
	}
	return fmt.Errorf("no Pod with %s waits for %s", selector, reason)
}
