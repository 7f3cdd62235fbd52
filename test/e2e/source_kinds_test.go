package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/apply"
)

const twoVersions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.GROUP}
spec:
  group: GROUP
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - {name: v1, served: NEW, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v1beta1, served: OLD, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// A kind whose version is served no longer is read in another, and its objects
// are not taken for gone meanwhile.
func TestVersionsThatChange(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	definition := func(old, new string) string {
		return strings.NewReplacer("GROUP", group, "OLD", old, "NEW", new).Replace(twoVersions)
	}
	applied(t, c, ns, definition("true", "false")+"---\napiVersion: "+group+"/v1beta1\nkind: Widget\nmetadata: {name: w}\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var seen []string
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, named(group, "Widget", ns, "w")) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, u.Result.Reason)
		switch len(seen) {
		case 1:
			applied(t, c, ns, definition("false", "true"))
			applied(t, c, ns, "apiVersion: "+group+"/v1\nkind: Widget\nmetadata: {name: w, generation: 1}\nstatus: {conditions: [{type: Ready, status: \"False\", reason: X, message: x}]}\n")
		case 2:
			if err := apply.Delete(ctx, c.Config(), ns, parsed(t, "apiVersion: "+group+"/v1\nkind: Widget\nmetadata: {name: w}\n"), nil); err != nil {
				t.Fatal(err)
			}
		}
		if u.Result.Reason == "Deleted" {
			break
		}
	}
	if len(seen) != 3 || slices.Contains(seen, "NoMatch") || slices.Contains(seen, "KindRemoved") || seen[2] != "Deleted" {
		t.Errorf("have %v, want it, it as it was changed, and Deleted", seen)
	}
}

const brokenService = `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.GROUP}
spec:
  group: GROUP
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 10
  insecureSkipTLSVerify: true
  service: {namespace: NS, name: nobody}
`

// A part of the API that does not answer concerns its kinds only, and does not
// make them pass for gone.
func TestBrokenPartsOfTheAPI(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.com"
	broken := strings.NewReplacer("GROUP", group, "NS", ns).Replace(brokenService)
	applied(t, c, ns, broken+"---\n"+configMap("m"))
	t.Cleanup(func() {
		if err := apply.Delete(context.Background(), c.Config(), ns, parsed(t, broken), nil); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	have := map[string]string{}
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, named("", "ConfigMap", ns, "m"), named(group, "Widget", ns, "w")) {
		if err != nil {
			t.Fatal(err)
		}
		have[u.Target.Kind.Kind] = u.Result.Reason
		if have["ConfigMap"] == "NoStatusExpected" && have["Widget"] == "Transport" {
			return
		}
	}
	t.Errorf("have %v, want NoStatusExpected and Transport", have)
}

// A namespace may come and go like any object.
func TestNamespacesThatComeAndGo(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t) + "-later"
	space := "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + ns + "}\n"
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var seen []string
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, named("", "ConfigMap", ns, "m")) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, u.Result.Reason)
		switch u.Result.Reason {
		case "NeverSeen":
			applied(t, c, ns, space)
			applied(t, c, ns, configMap("m"))
		case "NoStatusExpected":
			if err := apply.Delete(ctx, c.Config(), ns, parsed(t, space), nil); err != nil {
				t.Fatal(err)
			}
		case "Deleted":
			cancel()
		}
	}
	if text := strings.Join(seen, " "); text != "NeverSeen NoStatusExpected Deleted" {
		t.Errorf("have %s", text)
	}
}
