package examples

import (
	"strings"
	"testing"

	"kstatus.dev/test/lib/catalog"
	"kstatus.dev/test/lib/poll"
)

const shop = "../../../examples/shop/"

// The controller of Catalogs gives a new one no status for some seconds. The installer does not
// take this for success.
func TestInstallerWaitsForALateController(t *testing.T) {
	t.Parallel()
	ns := live.Cluster(t).Namespace(t)
	manifests := read(t, shop+"catalog-crd.yaml") + "---" + deployment("web", good) + `---
{apiVersion: v1, kind: ConfigMap, metadata: {name: products}, data: {products.json: '["tea"]'}}
---
apiVersion: shop.example.com/v1
kind: Catalog
metadata: {name: books}
spec: {source: {configMap: products}, currency: EUR}
`
	r := execute(t, "installer", "-n", ns, "-timeout", poll.Patience.String(), "-f", write(t, t.TempDir(), "all.yaml", manifests))
	if r.code != 0 {
		t.Fatal(r)
	}
	books := newAPI(t, ns, "shop.example.com", "v1", "catalogs").get("books")
	if condition(books, "Ready")["status"] != "True" || r.took < catalog.NoticeDelay+catalog.WorkDuration {
		t.Errorf("%s\nCatalog: %v", r, books.Object["status"])
	}
	web := newAPI(t, ns, "apps", "v1", "deployments").get("web")
	if n := integer(web, "status", "availableReplicas"); n != 2 {
		t.Errorf("%d replicas are available, want 2\n%s", n, r)
	}
}

func TestInstallerPrintsTheCause(t *testing.T) {
	t.Parallel()
	ns := live.Cluster(t).Namespace(t)
	manifests := deployment("web", good) + "---" + deployment("api", broken)
	applyDeployments(t, ns, manifests)
	r := execute(t, "installer", "-n", ns, "-timeout", "5s", "-f", write(t, t.TempDir(), "all.yaml", manifests))
	if r.code != 1 || !strings.Contains(r.stderr, "Cause     2 Pods: image "+broken+" cannot be pulled\n") ||
		!strings.Contains(r.stderr, "\ninstaller: wait: failed") || strings.Contains(r.stderr, "Deployment/"+ns+"/web") {
		t.Errorf("%s", r)
	}
}

func TestInstallerRejectsInvalidManifest(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no YAML": "a: b: c", "no kind": "metadata: {name: web}", "an unknown kind": "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: g}}",
	} {
		file := write(t, t.TempDir(), "all.yaml", text)
		if r := execute(t, "installer", "-timeout", "5s", "-f", file); r.code != 1 || r.stdout != "" || !strings.HasPrefix(r.stderr, "installer: ") {
			t.Errorf("%s: %s", name, r)
		}
	}
}
