package examples

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func site(name, image string) string {
	return "{apiVersion: web.example.com/v1, kind: Site, metadata: {name: " + name + "}, spec: {image: " + image + ", replicas: 2}}\n"
}

// The single worker of the controller never blocks. A Site that never becomes ready is created
// first, and does not prevent another one from becoming ready.
func TestController(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, "", read(t, "../../../examples/controller/crd.yaml"))
	start(t, "controller")
	c.Apply(t, ns, site("bad", broken)+"---\n"+site("web", good))
	sites, deployments := newAPI(t, ns, "web.example.com", "v1", "sites"), newAPI(t, ns, "apps", "v1", "deployments")

	// ready reports whether a Site is ready at its latest spec, and checks it if so.
	ready := func(obj *unstructured.Unstructured) bool {
		said := condition(obj, "Ready")
		if said["status"] != "True" || said["observedGeneration"] != obj.GetGeneration() {
			return false
		}
		made := deployments.get(obj.GetName())
		image := made.Object["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["image"]
		if image != good || integer(made, "status", "availableReplicas") != 2 {
			t.Errorf("Site %s is Ready, its Deployment has the image %v and %d of 2 replicas", obj.GetName(), image, integer(made, "status", "availableReplicas"))
		}
		return true
	}
	// stuck reports whether the status of a Site contains that its image cannot be pulled.
	stuck := func(obj *unstructured.Unstructured) bool {
		said := condition(obj, "Ready")
		message, _ := said["message"].(string)
		return said["status"] == "False" && said["observedGeneration"] == obj.GetGeneration() && strings.Contains(message, broken)
	}
	was := map[string]bool{}
	sites.until(func(obj *unstructured.Unstructured) bool {
		was[obj.GetName()] = ready(obj) || stuck(obj)
		return was["web"] && was["bad"]
	})
	if !ready(sites.get("web")) || !stuck(sites.get("bad")) {
		t.Errorf("web: %v\nbad: %v", sites.get("web").Object["status"], sites.get("bad").Object["status"])
	}

	// A new spec: the ready Site is no longer ready, and the other way round.
	sites.patch("web", `{"spec": {"image": "`+broken+`"}}`)
	sites.patch("bad", `{"spec": {"image": "`+good+`"}}`)
	sites.until(func(obj *unstructured.Unstructured) bool {
		was[obj.GetName()] = obj.GetGeneration() == 2 && (ready(obj) || stuck(obj))
		return was["web"] && was["bad"]
	})
	if !stuck(sites.get("web")) || !ready(sites.get("bad")) {
		t.Errorf("web: %v\nbad: %v", sites.get("web").Object["status"], sites.get("bad").Object["status"])
	}
}

// Lint finds nothing in the definitions of the programs.
func TestDefinitionsAreClean(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"controller", "operator"} {
		r := execute(t, "kstatus", "lint", "--profile", "strict", "../../../examples/"+name+"/crd.yaml")
		if r.code != 0 || !strings.HasPrefix(r.stdout, "nothing found in 1 definition") {
			t.Errorf("%s: %s", name, r)
		}
	}
}
