package main

import (
	"slices"
	"strings"
	"testing"

	"kstatus.dev/kube/wiretest"
)

// definition returns the definition of a kind.
func definition(group, kind, plural string) string {
	return strings.NewReplacer("GROUP", group, "KIND", kind, "PLURAL", plural).Replace(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: PLURAL.GROUP, uid: PLURAL}
spec:
  group: GROUP
  scope: Namespaced
  names: {kind: KIND, plural: PLURAL}
  versions: [{name: v1, served: true, storage: true}]
`)
}

// The roles of a move include the kinds whose objects have a label for moves.
func TestRolesOfMoves(t *testing.T) {
	types := append(slices.Clone(memoryTypes),
		wiretest.Resource{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true},
		wiretest.Resource{Group: "cluster.x-k8s.io", Version: "v1", Kind: "Cluster", Name: "clusters"},
		wiretest.Resource{Group: "gallery.example.com", Version: "v1", Kind: "Image", Name: "images"},
		wiretest.Resource{Group: "gallery.example.com", Version: "v1", Kind: "Frame", Name: "frames"})
	image := "apiVersion: gallery.example.com/v1\nkind: Image\nmetadata: {name: a, uid: a, labels: {clusterctl.cluster.x-k8s.io/move: ''}}\n"
	frame := "apiVersion: gallery.example.com/v1\nkind: Frame\nmetadata: {name: b, uid: b}\n"
	const label = "kubectl label crd images.gallery.example.com clusterctl.cluster.x-k8s.io="
	for _, row := range []struct {
		it        string
		args      []string
		forbidden string // the resource that may not be listed
		rule      bool   // for images
		want      string // part of the comments
	}{
		{it: "include the kind of an object with a label", rule: true},
		{it: "include the kind of an object with a label in all namespaces", args: []string{"-A"}, rule: true},
		{it: "leave out labels in a move of one Cluster", args: []string{"--cluster", "a"}},
		{it: "leave out labels in a move of some Clusters", args: []string{"-l", "a=b"}},
		{it: "have the command for a kind that may not be listed", forbidden: "images", want: "because you may not list images.gallery.example.com. To move such an object, label its definition, and print the roles again: " + label},
		{it: "say nothing about Pods that may not be listed", forbidden: "pods", rule: true},
		{it: "have a command with a placeholder if nothing is known", forbidden: "clusters", want: "kubectl label crd NAME clusterctl.cluster.x-k8s.io="},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			c := newMemoryClusterOf(t, types, definition("cluster.x-k8s.io", "Cluster", "clusters"), definition("gallery.example.com", "Image", "images"), definition("gallery.example.com", "Frame", "frames"), image, frame)
			if row.forbidden != "" {
				c.On(wiretest.Rule{Match: wiretest.Match{Resource: row.forbidden}, Reply: wiretest.Forbidden})
			}
			have := c.run("", append([]string{"rbac", "--", "capi", "move"}, row.args...)...)
			if rule := strings.Contains(have.out, "- images\n"); have.code != 0 || rule != row.rule || strings.Contains(have.out, "- frames\n") {
				t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
			}
			if lacks := strings.Contains(have.out, "lack custom resources"); lacks != (row.want != "") || !strings.Contains(have.out, row.want) {
				t.Errorf("want a comment with %q, have\n%s", row.want, have.out)
			}
		})
	}
}
