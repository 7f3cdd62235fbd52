package management_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/kube/wiretest"
)

// serve returns a client of a management cluster with all kinds.
func serve(t *testing.T) (*management.Client, *wiretest.Server) {
	t.Helper()
	s := clusterapitest.NewServer(t, "uid")
	c, err := management.NewClient(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, s
}

func TestKinds(t *testing.T) {
	c, _ := serve(t)
	kinds, err := c.Kinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, k := range kinds {
		have = append(have, k.Kind)
	}
	for name, want := range map[string]bool{
		"Secret": true, "Cluster": true, "Box": true, "Note": true, // of Cluster API
		"Album": true,                    // its definition has the label move
		"Image": false, "Archive": false, // their definitions have no label
	} {
		if slices.Contains(have, name) != want {
			t.Errorf("%s is one of the kinds %s: want %t", name, strings.Join(have, ", "), want)
		}
	}
}

func TestKindsAreForeign(t *testing.T) {
	c, _ := serve(t)
	for _, row := range []struct {
		it, resource, group string
		want                string // empty: it is not defined
		foreign             bool
	}{
		{"is of Cluster API", "machines", management.Group, "Machine", false},
		{"has the label move", "albums", "gallery.example.com", "Album", false},
		{"has no label", "images", "gallery.example.com", "Image", true},
		{"is of Kubernetes", "secrets", "", "", false},
		{"does not exist", "paintings", "gallery.example.com", "", false},
	} {
		t.Run(row.it, func(t *testing.T) {
			k, err := c.Kind(t.Context(), schema.GroupResource{Group: row.group, Resource: row.resource})
			switch {
			case err != nil:
				t.Fatal(err)
			case k == nil && row.want != "", k != nil && (k.Kind != row.want || k.IsForeign() != row.foreign):
				t.Errorf("the kind is %+v, want %s", k, row.want)
			}
		})
	}
	for _, group := range []string{"clusterctl.cluster.x-k8s.io", "operator.cluster.x-k8s.io"} {
		k := &management.Kind{Definition: "providers." + group, Labels: map[string]string{management.InstalledLabel: ""}}
		if !management.IsInventory(group) || !k.IsForeign() {
			t.Errorf("the kinds of %s are moved", group)
		}
	}
}

// A definition that cannot be read is an error.
func TestKindsThatCannotBeRead(t *testing.T) {
	c, s := serve(t)
	s.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}, Name: "images.gallery.example.com"}, Reply: wiretest.Forbidden})
	if _, err := c.Kind(t.Context(), schema.GroupResource{Group: "gallery.example.com", Resource: "images"}); err == nil || !strings.Contains(err.Error(), "read definition images.gallery.example.com") {
		t.Errorf("the error is %v", err)
	}
}
