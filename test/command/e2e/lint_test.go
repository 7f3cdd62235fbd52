package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/test/lib/cluster"
)

const lanternsCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lanterns.lint.example.com, labels: {lint: "yes"}}
spec:
  group: lint.example.com
  names: {kind: Lantern, listKind: LanternList, plural: lanterns, singular: lantern}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties:
              observedGeneration: {type: integer, format: int64}
              conditions:
                type: array
                items:
                  type: object
                  required: [type, status]
                  properties: {type: {type: string}, status: {type: string}}
`

// Definitions in a cluster are linted there, their stored objects are checked against the
// requirements of the patch, and the API server accepts the patch.
func TestLintOfACluster(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, lanternsCRD)
	t.Cleanup(func() { c.Delete(t, ns, lanternsCRD) })
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	if r := runAs(t, c.Kubeconfig(), "", "wait", "crd/lanterns.lint.example.com", "--timeout", "1m"); r.code != 0 {
		t.Fatalf("wait for the definition: %+v", r)
	}
	lanterns := client.Resource(schema.GroupVersionResource{Group: "lint.example.com", Version: "v1", Resource: "lanterns"}).Namespace(ns)
	lit := map[string]any{"type": "Lit", "status": "True"}
	for name, conditions := range map[string][]any{"once": {lit}, "twice": {lit, lit}} {
		made, err := lanterns.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "lint.example.com/v1", "kind": "Lantern", "metadata": map[string]any{"name": name}}}, metav1.CreateOptions{})
		if err == nil {
			made.Object["status"] = map[string]any{"conditions": conditions}
			_, err = lanterns.UpdateStatus(t.Context(), made, metav1.UpdateOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}

	found := runAs(t, c.Kubeconfig(), "", "lint", "crd/lanterns.lint.example.com", "--profile", "kstatus")
	if found.code != 7 || !strings.Contains(found.out, "crd/lanterns.lint.example.com: spec.versions[0].schema.openAPIV3Schema.properties.status: error: ") {
		t.Errorf("lint: %+v", found)
	}
	all := runAs(t, c.Kubeconfig(), "", "lint", "--live", "--group", "*.example.com", "-l", "lint=yes", "-o", "json", "--skip", "condition-shape")
	if all.code != 0 || !strings.Contains(all.out, `"type":"result","outcome":"ok","exitCode":0,"definitions":1,`) {
		t.Errorf("lint --live: %+v", all)
	}
	none := runAs(t, c.Kubeconfig(), "", "lint", "--live", "--group", "example.com")
	missing := runAs(t, c.Kubeconfig(), "", "lint", "crd/torches.lint.example.com")
	printed := runAs(t, c.Kubeconfig(), "", "rbac", "--name", ns, "--serviceaccount", ns+":linter", "--", "lint", "crd/lanterns.lint.example.com", "--patch", "json", "--unsafe")
	linter := c.User(t, ns, "linter")
	c.Apply(t, ns, printed.out)
	t.Cleanup(func() { c.Delete(t, ns, printed.out) })
	if least := runAs(t, linter, "", "lint", "crd/lanterns.lint.example.com", "--patch", "json", "--unsafe"); printed.code != 0 || least.code != 7 || !strings.Contains(least.err, "of 2 stored objects ") {
		t.Errorf("lint --patch with the printed roles %+v: %+v", printed, least)
	}
	user := c.User(t, ns, "someone", cluster.Grant{Namespace: ns, Verbs: []string{"get"}, Resources: []string{"pods"}})
	forbidden := runAs(t, user, "", "lint", "--live")
	if none.code != 5 || missing.code != 5 || forbidden.code != 6 {
		t.Errorf("want exit codes 5, 5 and 6, have %+v, %+v, %+v", none, missing, forbidden)
	}

	patch := runAs(t, c.Kubeconfig(), "", "lint", "crd/lanterns.lint.example.com", "--patch", "json", "--unsafe", "--only", "conditions-list-map,creation-race")
	want := "of 2 stored objects 1 would no longer be valid, such as " + ns + "/twice: status.conditions[1]: Duplicate value"
	if !strings.Contains(patch.err, want) {
		t.Errorf("lint --patch says %s\nwant …%s…", patch.err, want)
	}
	var line struct{ Patch json.RawMessage }
	if err := json.Unmarshal([]byte(patch.out), &line); err != nil {
		t.Fatalf("lint --patch: %v in %s", err, patch.out)
	}
	definitions := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	if _, err := definitions.Patch(t.Context(), "lanterns.lint.example.com", types.JSONPatchType, line.Patch, metav1.PatchOptions{}); err != nil {
		t.Fatalf("the API server refuses the patch: %v\n%s", err, line.Patch)
	}
	after := runAs(t, c.Kubeconfig(), "", "lint", "crd/lanterns.lint.example.com", "--only", "conditions-list-map,creation-race")
	if after.code != 0 || !strings.HasPrefix(after.out, "nothing found in 1 definition") {
		t.Errorf("after the patch: %+v", after)
	}
}
