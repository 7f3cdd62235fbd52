package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/manifest"
)

// When a version of a kind is no longer served, another version is read. Its objects are not
// reported as deleted in between.
func TestVersionsThatChange(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.org"
	const anything = "schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}"
	definition := func(old, new string) string {
		return manifest.Definition(group, "Widget", "{name: v1, served: "+new+", storage: false, "+anything+"}",
			"{name: v1beta1, served: "+old+", storage: true, "+anything+"}")
	}
	c.Apply(t, ns, definition("true", "false")+"---\n"+manifest.Object(group+"/v1beta1", "Widget", "w"))
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var seen []string
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, manifest.Target(group, "Widget", ns, "w")) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, u.Result.Reason)
		switch len(seen) {
		case 1:
			c.Apply(t, ns, definition("false", "true"))
			c.Apply(t, ns, "apiVersion: "+group+"/v1\nkind: Widget\nmetadata: {name: w, generation: 1}\nstatus: {conditions: [{type: Ready, status: \"False\", reason: X, message: x}]}\n")
		case 2:
			c.Delete(t, ns, manifest.Object(group+"/v1", "Widget", "w"))
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

// An unavailable API group affects only its kinds, and their objects are not reported as
// deleted.
func TestBrokenPartsOfTheAPI(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.org"
	broken := strings.NewReplacer("GROUP", group, "NS", ns).Replace(brokenService)
	c.Apply(t, ns, broken+"---\n"+manifest.ConfigMap("m"))
	t.Cleanup(func() {
		c.Delete(t, ns, broken)
	})
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	have := map[string]string{}
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, manifest.Target("", "ConfigMap", ns, "m"), manifest.Target(group, "Widget", ns, "w")) {
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

// A namespace may be created and deleted like any object.
func TestNamespacesThatComeAndGo(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t) + "-later"
	space := manifest.Namespace(ns)
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var seen []string
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, manifest.Target("", "ConfigMap", ns, "m")) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, u.Result.Reason)
		switch u.Result.Reason {
		case "NeverSeen":
			c.Apply(t, ns, space)
			c.Apply(t, ns, manifest.ConfigMap("m"))
		case "NoStatusExpected":
			c.Delete(t, ns, space)
		case "Deleted":
			cancel()
		}
	}
	if text := strings.Join(seen, " "); text != "NeverSeen NoStatusExpected Deleted" {
		t.Errorf("have %s", text)
	}
}
