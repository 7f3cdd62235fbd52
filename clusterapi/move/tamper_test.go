package move_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// forge changes the document in the bytes of a journal, and makes it newer.
func forge(t *testing.T, encoded []byte, change func(doc map[string]any)) []byte {
	t.Helper()
	var w struct {
		Format   string         `json:"format"`
		Sequence int64          `json:"sequence"`
		Document map[string]any `json:"document"`
	}
	if err := json.Unmarshal(encoded, &w); err != nil {
		t.Fatal(err)
	}
	change(w.Document)
	data, err := json.Marshal(w.Document)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"format":%q,"sequence":%d,"sha256":"%x","document":%s}`, w.Format, w.Sequence+5, sha256.Sum256(data), data)
}

// forgeries are the places where somebody may change a journal.
var forgeries = []struct {
	it     string
	change func(*move.Options)
	forge  func(w *world, change func(map[string]any))
	origin string // in errors
}{
	{"the file", func(*move.Options) {}, func(w *world, change func(map[string]any)) {
		encoded, err := os.ReadFile(w.journal)
		if err == nil {
			err = os.WriteFile(w.journal, forge(w.T, encoded, change), 0o600)
		}
		if err != nil {
			w.Fatal(err)
		}
	}, "journal.json: "},
	{"a ConfigMap of the source", places[1].change, func(w *world, change func(map[string]any)) { w.forgeConfigMap(w.from, change) },
		"ConfigMap journals/kstatus-move-film in the source: "},
	{"a ConfigMap of the target", places[1].change, func(w *world, change func(map[string]any)) { w.forgeConfigMap(w.to, change) },
		"ConfigMap journals/kstatus-move-film in the target: "},
}

// forgeConfigMap changes the journal in a ConfigMap of one cluster.
func (w *world) forgeConfigMap(s *wiretest.Server, change func(map[string]any)) {
	w.Helper()
	u := s.Find(management.ConfigMap, "journals", "kstatus-move-film")
	if u == nil {
		w.Fatal("the ConfigMap does not exist")
	}
	s.Edit("stranger", "", u, func(u *unstructured.Unstructured) {
		compressed, err := base64.StdEncoding.DecodeString(field(u, "binaryData", "journal.gz"))
		if err != nil {
			panic(err) // the test is wrong
		}
		r, err := gzip.NewReader(bytes.NewReader(compressed))
		if err != nil {
			panic(err)
		}
		encoded, err := io.ReadAll(r)
		if err != nil {
			panic(err)
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(forge(w.T, encoded, change))
		z.Close()
		set(base64.StdEncoding.EncodeToString(b.Bytes()), "binaryData", "journal.gz")(u)
	})
}

// itemOf returns the item of a name in the document of a journal.
func itemOf(doc map[string]any, name string) map[string]any {
	for _, i := range doc["plan"].(map[string]any)["items"].([]any) {
		if item := i.(map[string]any); item["name"] == name {
			return item
		}
	}
	panic("no item " + name) // the test is wrong
}

// roles are a kind that is not of Cluster API.
var roles = wiretest.Resource{
	Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole", Name: "clusterroles", ClusterScoped: true,
	Verbs: []string{"get", "list", "watch", "create", "update", "patch", "delete"},
}

// newVictim returns an object of a foreign kind that a controller protects.
func newVictim() *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole"}}
	u.SetName("victim")
	u.SetUID("victim")
	u.SetFinalizers([]string{"example.com/protect"})
	return u
}

// add returns a change that adds an item and names its copy as one that existed before.
func add(change func(item map[string]any)) func(doc map[string]any) {
	return func(doc map[string]any) {
		item := map[string]any{
			"group": roles.Group, "version": roles.Version, "kind": roles.Kind, "resource": roles.Name, "name": "victim",
			"uid": "victim", "resourceVersion": "1", "decision": "Move", "step": 1,
		}
		change(item)
		p := doc["plan"].(map[string]any)
		p["items"] = append(p["items"].([]any), item)
		doc["adopted"] = []any{item["uid"]}
	}
}

// Somebody who may write a journal changes it. The move refuses it before it changes anything.
func TestForgedJournals(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(doc map[string]any)
		want   string
	}{
		{"names an object of a foreign kind", add(func(map[string]any) {}), "plan.items[15].namespace is empty, want a namespace"},
		{"names a namespaced object of a foreign kind", add(func(i map[string]any) { i["namespace"] = "shop" }),
			"ClusterRole.rbac.authorization.k8s.io shop/victim: plan.items[15].kind is ClusterRole of rbac.authorization.k8s.io/v1"},
		{"copies an object of a foreign kind", add(func(i map[string]any) { i["decision"] = "Copy" }),
			"ClusterRole.rbac.authorization.k8s.io victim: plan.items[15].kind is ClusterRole of rbac.authorization.k8s.io/v1"},
		{"names a foreign kind as that of an object", func(doc map[string]any) { itemOf(doc, "one")["resource"] = "clusterroles" }, "with the resource clusterroles"},
		{"names an object of another namespace", func(doc map[string]any) { itemOf(doc, "one")["namespace"] = "other" }, `namespace is "other", want one of plan.scope.namespaces: shop`},
		{"names an object twice", func(doc map[string]any) { itemOf(doc, "one")["name"] = "two" }, `want another one than item `},
		{"names a path", func(doc map[string]any) { itemOf(doc, "one")["name"] = "../../secrets/x" }, `name is "../../secrets/x", want a name`},
		{"has a billion steps", func(doc map[string]any) { doc["plan"].(map[string]any)["steps"] = 1 << 30 }, "plan.steps is 1073741824, want a number from 0 to 15"},
		{"has a step that does not exist", func(doc map[string]any) { itemOf(doc, "one")["step"] = 14 }, "step is 14, want a number from 0 to "},
		{"is at a step that does not exist", func(doc map[string]any) { doc["step"] = 99 }, "step is 99, want a number from 0 to "},
		{"is in an unknown phase", func(doc map[string]any) { doc["phase"] = "Deleted" }, `phase is "Deleted", want one such as Creating`},
		{"has an unknown decision", func(doc map[string]any) { itemOf(doc, "one")["decision"] = "Delete" }, `decision is "Delete", want Move, Copy or Exclude`},
	} {
		for _, place := range forgeries {
			inBubble(t, row.it+" in "+place.it, func(t *testing.T) {
				w, o := interrupted(t, place.change)
				place.forge(w, row.change)
				synctest.Wait()
				before := w.everything(w.journal)
				for _, do := range []func() error{
					func() error { _, err := resume(t.Context(), o); return err },
					func() error { _, err := rollBack(t.Context(), o); return err },
				} {
					err := do()
					w.mustFail(err, place.origin)
					w.mustFail(err, row.want)
					w.mustFail(err, "it is damaged, or somebody has changed it: remove it, and go on with another copy of the journal")
				}
				if names := changed(before, w.everything(w.journal)); len(names) > 0 {
					t.Errorf("the move has changed %q", names)
				}
				if w.from.Find(clusterRole.GroupKind(), "", "victim") == nil {
					t.Error("the foreign object is deleted")
				}
			})
		}
	}
}

var clusterRole = newVictim().GroupVersionKind()

// interrupted returns a world with a foreign object in both clusters and a move that has stopped
// while it deletes.
func interrupted(t *testing.T, change func(*move.Options)) (*world, move.Options) {
	w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
	for _, s := range []*wiretest.Server{w.from, w.to} {
		s.Serve(roles)
		s.Put(newVictim())
	}
	o := with(w.options(), change)
	repair := reject(source, "delete", "web-1")(w, nil)
	_, err := run(t.Context(), o)
	w.mustFail(err, "no room for web-1")
	repair()
	return w, o
}

// The accepted words and the scope of a move come from its journal, so a note names them.
func TestJournalsDecideWhatIsAccepted(t *testing.T) {
	for _, place := range forgeries {
		inBubble(t, "in "+place.it, func(t *testing.T) {
			w, o := interrupted(t, place.change)
			place.forge(w, func(doc map[string]any) { doc["accept"] = []any{"differences", "not\nready"} })
			if _, err := resume(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			w.mustFail(errors.New(w.notes()), "goes on as the journal says: namespaces shop; accepted words differences, not ready")
			if strings.Contains(w.notes(), "not\nready") {
				t.Error("a word of the journal breaks the line of a note")
			}
			w.watcher.checkMoved(copied...)
		})
	}
}

// A provider is uninstalled from the source while objects of the target are unpaused. The journal
// still names its kinds.
func TestKindsThatTheSourceHasLost(t *testing.T) {
	inBubble(t, "it resumes", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		repair := func() {}
		forbid := on(target, 0, wiretest.Forbidden, "machines", "patch")
		_, err := run(t.Context(), at(w.options(), move.Cleaning, func() { repair = forbid(w, nil) }))
		w.mustFail(err, "patch machines in shop")
		repair()
		for _, u := range w.from.Objects() {
			if slices.Contains([]string{"boxtemplates." + box.Group, "logins." + box.Group}, u.GetName()) {
				w.from.Delete(u)
			}
		}
		for _, k := range clusterapitest.Kinds() {
			if k.Kind == "BoxTemplate" || k.Kind == "Login" {
				w.from.Withdraw(wiretest.Resource{Group: k.Group, Version: k.Version, Name: k.Resource})
			}
		}
		if _, err := resume(t.Context(), w.options()); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkMoved(copied...)
	})
}

// One process has only its old file. Another one has gone on with the move, and its newer journal is
// in the ConfigMaps.
func TestNewerJournalsInConfigMaps(t *testing.T) {
	inBubble(t, "it goes on from the newer one", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		o := with(w.options(), func(o *move.Options) { o.JournalNamespace, o.ID = "journals", "film" })
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), o)
		w.mustFail(err, "no room for web-1-x")
		repair()
		repair = reject(source, "delete", "web-1")(w, nil)
		_, err = resume(t.Context(), with(o, func(o *move.Options) { o.Journal = "" }))
		w.mustFail(err, "no room for web-1; resume it; objects may have been deleted from the source")
		repair()
		w.events = nil
		if _, err := resume(t.Context(), with(o, func(o *move.Options) { o.ID = "" })); err != nil {
			t.Fatal(err)
		}
		for _, e := range w.events {
			if e.Phase == move.Pausing || e.Phase == move.Creating {
				t.Errorf("the move has gone back to %s", e.Phase)
			}
		}
		w.watcher.checkMoved(copied...)
	})
}
