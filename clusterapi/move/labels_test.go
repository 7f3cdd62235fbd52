package move_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/kube/wiretest"
)

// gallery are objects of a kind that is not of Cluster API: its definition has no label. One of them
// has a label for moves.
const gallery = `
	Image shop/ubuntu clusterctl.cluster.x-k8s.io/move= : {spec: {cloudCredentialsRef: {cloudName: openstack, secretName: cloud}}, metadata: {finalizers: [image]}, status: {id: "61"}}
	Secret shop/cloud : {data: {clouds.yaml: eA==}}
	Image shop/other
	Image web/ubuntu clusterctl.cluster.x-k8s.io/move=
`

// ofCluster is a Cluster that may move.
const ofCluster = "Cluster shop/a : {" + ready + "}\n"

// newGallery returns two clusters, the source with objects. The controller of Images does not report
// Paused.
func newGallery(t *testing.T, objects string) *world {
	t.Helper()
	w := newWorld(t, nil, ofCluster, "")
	for _, c := range w.core {
		c.Ignore("Image")
	}
	w.put(w.from, objects)
	synctest.Wait()
	return w
}

// An object with a label for moves is moved although its definition has none.
func TestLabeledObjects(t *testing.T) {
	for _, row := range []struct {
		it, objects string
		scope       plan.Scope
		from, to    string // what both sides have in the end
	}{
		{it: "moves the object with its Secret", objects: gallery, scope: plan.Scope{Namespaces: []string{"shop"}},
			from: "Image shop/other, Image web/ubuntu, Secret shop/cloud", to: "Cluster shop/a, Image shop/ubuntu, Secret shop/cloud"},
		{it: "moves those of all namespaces", objects: gallery, from: "Image shop/other, Secret shop/cloud", to: "Cluster shop/a, Image shop/ubuntu, Image web/ubuntu, Secret shop/cloud"},
		{it: "stays with other Clusters", objects: gallery, scope: plan.Scope{Namespaces: []string{"shop"}, Clusters: []string{"a"}},
			from: "Image shop/other, Image shop/ubuntu, Image web/ubuntu, Secret shop/cloud", to: "Cluster shop/a"},
		{it: "moves what it owns", scope: plan.Scope{Namespaces: []string{"shop"}}, to: "Album shop/a, Cluster shop/a, Image shop/i, Image shop/j, Image shop/k",
			objects: "Image shop/i clusterctl.cluster.x-k8s.io/move-hierarchy=\nImage shop/j < Image shop/i\nImage shop/k < Image shop/j\nAlbum shop/a < Image shop/i"},
		{it: "moves what an object of another kind owns", scope: plan.Scope{Namespaces: []string{"shop"}}, to: "Cluster shop/a, Image shop/i",
			objects: "Image shop/i < Cluster shop/a clusterctl.cluster.x-k8s.io/move="},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newGallery(t, row.objects)
			for _, s := range []*wiretest.Server{w.from, w.to} {
				s.Observe(func(_, after *unstructured.Unstructured) {
					if after != nil && after.GetKind() == "Image" && clusterapitest.IsPaused(after) {
						t.Errorf("%s is paused, although its controller does not know that", nameOf(after))
					}
				})
			}
			w.mustRun(with(w.options(), func(o *move.Options) { o.Scope = row.scope }))
			if have := w.names(source); have != row.from {
				t.Errorf("the source has %s, want %s", have, row.from)
			}
			if have := w.names(target); have != row.to {
				t.Errorf("the target has %s, want %s", have, row.to)
			}
			for line, want := range map[string]string{"Image shop/j": "[Image i]", "Image shop/k": "[Image j]", "Album shop/a": "[Image i]", "Image shop/ubuntu": "[]"} {
				if w.find(w.to, line) != nil && w.owners(target, line) != want {
					t.Errorf("%s has the owners %s, want %s", line, w.owners(target, line), want)
				}
			}
			if u := w.find(w.to, "Image shop/ubuntu"); u != nil && !slices.Equal(u.GetFinalizers(), []string{"image"}) {
				t.Errorf("the copy has the finalizers %v", u.GetFinalizers())
			}
		})
	}
}

// A labeled object whose controller reports Paused is paused during the move.
func TestLabeledObjectsArePaused(t *testing.T) {
	inBubble(t, "it is paused", func(t *testing.T) {
		w := newWorld(t, nil, ofCluster+gallery, "")
		pauses := 0
		w.from.Observe(func(_, after *unstructured.Unstructured) {
			if after != nil && nameOf(after) == "Image shop/ubuntu" && clusterapitest.IsPaused(after) {
				pauses++
			}
		})
		w.mustRun(with(w.options(), func(o *move.Options) { o.Strict = true }))
		if have := w.find(w.to, "Image shop/ubuntu"); pauses == 0 || have == nil || clusterapitest.IsPaused(have) || w.find(w.from, "Image shop/ubuntu") != nil {
			t.Errorf("it was written %d times while it was paused, and the target has %v", pauses, have)
		}
		if !strings.Contains(fmt.Sprint(field(w.find(w.to, "Image shop/ubuntu"), "status", "conditions")), "NotPaused") {
			t.Error("its controller has not reported in the target")
		}
	})
}

// A move of a labeled object stops, and is resumed or rolled back.
func TestLabeledObjectsAfterAnInterruption(t *testing.T) {
	for _, row := range []struct {
		it       string
		side     int
		verb     string
		goesBack bool
	}{
		{"is resumed before the deletion", target, "create", false}, {"is rolled back", target, "create", true}, {"is resumed during the deletion", source, "delete", false},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newGallery(t, gallery)
			before := w.names(source)
			repair := reject(row.side, row.verb, "ubuntu")(w, nil)
			_, err := run(t.Context(), w.options())
			w.mustFail(err, "no room for ubuntu")
			repair()
			if row.goesBack {
				_, err = rollBack(t.Context(), w.options())
			} else {
				_, err = resume(t.Context(), w.options())
			}
			if err != nil {
				t.Fatal(err)
			}
			wantFrom, wantTo := "Image shop/other, Image web/ubuntu, Secret shop/cloud", "Cluster shop/a, Image shop/ubuntu, Secret shop/cloud"
			if row.goesBack {
				wantFrom, wantTo = before, ""
			}
			if from, to := w.names(source), w.names(target); from != wantFrom || to != wantTo {
				t.Errorf("the source has %s, and the target %s; want %s and %s", from, to, wantFrom, wantTo)
			}
		})
	}
}

// A folder has labeled objects, and restores them.
func TestLabeledObjectsInAFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "saved")
	inBubble(t, "it is saved", func(t *testing.T) {
		w := newGallery(t, gallery)
		before := w.names(source)
		w.mustRun(w.saving(folder))
		if have := w.names(source); have != before {
			t.Errorf("the source has %s, want %s", have, before)
		}
	})
	inBubble(t, "it is restored", func(t *testing.T) {
		w := newWorld(t, nil, "", "")
		w.mustRun(w.restoring(folder))
		if have := w.names(target); have != "Cluster shop/a, Image shop/ubuntu, Secret shop/cloud" {
			t.Errorf("the target has %s", have)
		}
	})
	inBubble(t, "it needs the definition", func(t *testing.T) {
		w := newWorld(t, []string{"Cluster"}, "", "")
		_, err := run(t.Context(), w.restoring(folder))
		w.mustFail(err, "Image shop/ubuntu: the target does not serve gallery.example.com/v1")
	})
}

// Labeled objects that cannot be moved prevent the move, unless that is accepted.
func TestRefusedLabels(t *testing.T) {
	const label = " clusterctl.cluster.x-k8s.io/move="
	deployment := func(w *world) {
		w.from.Serve(wiretest.Resource{Group: "apps", Version: "v1", Kind: "Deployment", Name: "deployments"})
		u := w.find(w.from, "Image shop/other").DeepCopy()
		u.SetAPIVersion("apps/v1")
		u.SetKind("Deployment")
		u.SetUID("deployment")
		u.SetLabels(map[string]string{"clusterctl.cluster.x-k8s.io/move-hierarchy": ""})
		w.from.Put(u)
	}
	for _, row := range []struct {
		it      string
		prepare func(*world)
		accept  string
		want    string // empty: the move succeeds
	}{
		{"refuses a Deployment", deployment, "", "error: Deployment.apps shop/other: it has the label clusterctl.cluster.x-k8s.io/move-hierarchy, but a move creates only custom resources"},
		{"accepts a Deployment", deployment, "move-label=shop/other", ""},
		{"refuses a cluster-scoped object", adding(source, "Archive a"+label), "", "error: Archive.gallery.example.com a: it has the label clusterctl.cluster.x-k8s.io/move, but it is cluster-scoped"},
		{"accepts a cluster-scoped object", adding(source, "Archive a"+label), "move-label", ""},
		{"warns of kinds that may not be listed", forbid(source, wiretest.Match{Verbs: []string{"list"}, Resource: "archives"}), "", ""},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newGallery(t, gallery)
			row.prepare(w)
			_, err := run(t.Context(), with(w.options(), func(o *move.Options) { o.Accept = []string{"x", row.accept} }))
			if row.want != "" {
				w.mustFail(err, row.want)
			} else if err != nil || w.find(w.to, "Image shop/ubuntu") == nil || w.find(w.to, "Archive a") != nil {
				t.Errorf("the target has %s: %v", w.names(target), err)
			}
		})
	}
	inBubble(t, "it names the kinds that may not be listed", func(t *testing.T) {
		w := newGallery(t, gallery)
		forbid(source, wiretest.Match{Verbs: []string{"list"}, Resource: "archives"})(w)
		have := strings.Join(problems(w, w.options()), "\n")
		if want := "warning: archives.gallery.example.com may not be listed, so it is unknown whether some have the label clusterctl.cluster.x-k8s.io/move [move-label]"; !strings.Contains(have, want) {
			t.Errorf("the problems are %s, want %s", have, want)
		}
	})
}

// The target must define the kind too, but its definition needs no label.
func TestDefinitionsOfLabeledObjects(t *testing.T) {
	inBubble(t, "it needs the definition", func(t *testing.T) {
		w := newGallery(t, gallery)
		for _, line := range problems(w, w.options()) {
			if strings.Contains(line, "definition") {
				t.Errorf("there is the problem %q", line)
			}
		}
		for _, u := range w.to.Objects() {
			if u.GetName() == "images.gallery.example.com" {
				w.to.Delete(u)
			}
		}
		w.to.Withdraw(wiretest.Resource{Group: "gallery.example.com", Version: "v1", Name: "images"})
		_, err := run(t.Context(), w.options())
		w.mustFail(err, "error: the target has no definition images.gallery.example.com")
	})
	inBubble(t, "it notes a label that is missing in the target", func(t *testing.T) {
		w := newWorld(t, nil, ofCluster+"Album shop/a", "")
		for _, u := range w.to.Objects() {
			if u.GetName() == "albums.gallery.example.com" {
				w.to.Edit("stranger", "", u, func(u *unstructured.Unstructured) { u.SetLabels(nil) })
			}
		}
		const want = "warning: the definition albums.gallery.example.com of the target has no label of Cluster API, so the next move finds only objects that have a label themselves; kubectl label crd albums.gallery.example.com clusterctl.cluster.x-k8s.io="
		if have := strings.Join(problems(w, w.options()), "\n"); !strings.Contains(have, want) {
			t.Errorf("the problems are %s, want %s", have, want)
		}
		w.mustRun(w.options())
		if have := w.find(w.to, "Album shop/a"); have == nil || clusterapitest.IsPaused(have) {
			t.Errorf("the target has %v", have)
		}
	})
}
