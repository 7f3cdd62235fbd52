package move_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/internal/journal"
)

// beforeStep returns options that call do when a step of the deletion begins.
func beforeStep(o move.Options, step int, do func()) move.Options {
	report, done := o.OnEvent, false
	o.OnEvent = func(e move.Event) {
		report(e)
		if e.Phase == move.Deleting && e.Step == step && !done {
			done = true
			do()
		}
	}
	return o
}

// lastStep is the step of the deletion in which the Clusters of a fleet are deleted.
const lastStep = 5

// again creates an object of the source again, with another content unless it is the same.
func (w *world) again(line string, change func(*unstructured.Unstructured)) {
	w.Helper()
	u := w.find(w.to, line)
	if live := w.find(w.from, line); live != nil {
		w.watcher.foreign[line] = true
		w.from.Delete(live)
	}
	next := u.DeepCopy()
	next.SetUID(types.UID("again " + line))
	next.SetOwnerReferences(nil)
	next.SetFinalizers(nil)
	next.SetAnnotations(nil)
	next.SetManagedFields(nil)
	next.SetLabels(map[string]string{management.ClusterNameLabel: "a"})
	w.from.Put(next)
	w.from.Edit("external-secrets", "", next, change)
}

// Somebody creates an original again that the move has deleted, or that somebody else has deleted.
// The copy is the only one of the first content, so it stays, and so does the new object.
func TestRecreatedOriginals(t *testing.T) {
	other := set("b3RoZXI=", "data", "key")
	for _, row := range []struct {
		it     string
		begin  func(*world, move.Options, func()) move.Options
		line   string
		change func(*unstructured.Unstructured)
	}{
		{"a Secret with another value, after its deletion", func(_ *world, o move.Options, do func()) move.Options { return beforeStep(o, lastStep, do) }, "Secret shop/a-ca", other},
		{"a Secret with the same value, after its deletion", func(_ *world, o move.Options, do func()) move.Options { return beforeStep(o, lastStep, do) }, "Secret shop/a-ca", func(u *unstructured.Unstructured) {
			u.SetLabels(map[string]string{"a": "b", management.ClusterNameLabel: "a"})
		}},
		{"a custom object, after its deletion", func(_ *world, o move.Options, do func()) move.Options { return beforeStep(o, lastStep, do) }, "Box shop/web-1-x", set("huge", "spec", "size")},
		{"a Secret, after the copies are made", func(_ *world, o move.Options, do func()) move.Options { return at(o, move.Verifying, do) }, "Secret shop/a-ca", other},
		{"a Secret, when the deletion begins", func(_ *world, o move.Options, do func()) move.Options { return at(o, move.Deleting, do) }, "Secret shop/a-ca", other},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			var first string
			_, err := run(t.Context(), row.begin(w, w.options(), func() {
				first = values(w.find(w.to, row.line))
				w.again(row.line, row.change)
			}))
			if first == "" {
				t.Fatal("nothing was created again")
			}
			w.checkCollision(err, row.line, first)
			_, err = resume(t.Context(), w.options())
			w.checkCollision(err, row.line, first)
			w.watcher.foreign[row.line] = true
			w.from.Delete(w.find(w.from, row.line))
			synctest.Wait()
			if _, err := resume(t.Context(), w.options()); err != nil && !w.isLastCopy(err) {
				t.Fatal(err)
			}
		})
	}
}

// isLastCopy reports whether an error is about a copy whose original somebody has deleted.
func (w *world) isLastCopy(err error) bool {
	_, is := errors.AsType[*move.LastCopyError](err)
	return is
}

// checkCollision checks that a move has stopped because of an object, with both contents.
func (w *world) checkCollision(err error, line, first string) {
	w.Helper()
	collision, is := errors.AsType[*move.CollisionError](err)
	_, isLast := errors.AsType[*move.LastCopyError](err)
	if !is && !isLast {
		w.Fatalf("have the error %v, want a collision", err)
	}
	if is && (!strings.Contains(collision.Object, strings.Fields(line)[1]) || collision.Writer != "external-secrets") {
		w.Errorf("have the collision %+v", collision)
	}
	if have := values(w.find(w.to, line)); have != first {
		w.Errorf("the copy is %s, want %s", have, first)
	}
	if w.find(w.from, line) == nil {
		w.Error("the new object is gone")
	}
}

// Somebody ends the pause of the source during a move. The move stops before it deletes anything
// more. When it is resumed, it pauses the source again.
func TestUnpausedSource(t *testing.T) {
	unpause := func(w *world) { w.edit(w.from, "Cluster shop/a", set(false, "spec", "paused")) }
	for _, row := range []struct {
		it    string
		begin func(move.Options, func()) move.Options
	}{
		{"while copies are made", func(o move.Options, do func()) move.Options { return at(o, move.Creating, do) }},
		{"while copies are compared", func(o move.Options, do func()) move.Options { return at(o, move.Verifying, do) }},
		{"when the deletion begins", func(o move.Options, do func()) move.Options { return beforeStep(o, 1, do) }},
		{"in the middle of the deletion", func(o move.Options, do func()) move.Options { return beforeStep(o, 3, do) }},
		{"before the Clusters are deleted", func(o move.Options, do func()) move.Options { return beforeStep(o, lastStep, do) }},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			var before string
			_, err := run(t.Context(), row.begin(w.options(), func() {
				unpause(w)
				before = w.names(source)
			}))
			active, is := errors.AsType[*move.NotPausedError](err)
			status, isStatus := errors.AsType[*move.StatusError](err)
			if !is && !isStatus || is && active.Writer != "stranger" || isStatus && status.Writer != "capi-manager" {
				t.Fatalf("have the error %v", err)
			}
			if after := w.names(source); after != before {
				t.Errorf("the source has %s, want %s", after, before)
			}
			if _, err := resume(t.Context(), w.options()); err != nil {
				t.Fatal(err)
			}
			w.watcher.checkMoved(copied...)
		})
	}
}

// A controller of the source writes a status after the pause. The move stops, names it, and goes on
// when it is resumed.
func TestStatusAfterThePause(t *testing.T) {
	for _, phase := range []move.Phase{move.Creating, move.Verifying, move.Deleting} {
		inBubble(t, "while "+string(phase), func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			_, err := run(t.Context(), at(w.options(), phase, func() {
				w.from.Edit("box", "status", w.find(w.from, "Box shop/one"), set("on", "status", "power"))
			}))
			if status, is := errors.AsType[*move.StatusError](err); !is || status.Writer != "box" || !strings.HasSuffix(status.Object, "shop/one") {
				t.Fatalf("have the error %v", err)
			}
			if w.find(w.from, "Box shop/one") == nil {
				t.Error("the original is gone")
			}
			if _, err := resume(t.Context(), w.options()); err != nil {
				t.Fatal(err)
			}
			w.watcher.checkMoved(copied...)
		})
	}
}

// A Cluster that somebody creates again in the source would be active on both sides, so its copy
// stays paused until that Cluster is gone.
func TestRecreatedCluster(t *testing.T) {
	inBubble(t, "the copy stays paused", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		_, err := run(t.Context(), at(w.options(), move.Unpausing, func() { w.put(w.from, "Cluster shop/a : {metadata: {uid: again}}") }))
		if _, is := errors.AsType[*move.CollisionError](err); !is || !clusterapitest.IsPaused(w.find(w.to, "Cluster shop/a")) {
			t.Fatalf("have the error %v", err)
		}
		w.watcher.foreign["Cluster shop/a"] = true
		w.from.Delete(w.find(w.from, "Cluster shop/a"))
		synctest.Wait()
		if _, err := resume(t.Context(), w.options()); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkMoved(copied...)
	})
}

// Somebody removes a copy from the target, or changes one that existed before. Nothing more is
// deleted from the source.
func TestCopiesThatAreGone(t *testing.T) {
	for _, row := range []struct {
		it   string
		line string
		to   string // further objects of the target
		do   func(*world)
		want string
	}{
		{"is deleted", "Secret shop/a-ca", "", func(w *world) {
			w.watcher.foreign["Secret shop/a-ca"] = true
			w.to.Delete(w.find(w.to, "Secret shop/a-ca"))
		}, "the target has no copy of Secret shop/a-ca; nothing more is deleted"},
		{"is replaced", "Secret shop/a-ca", "", func(w *world) {
			w.watcher.foreign["Secret shop/a-ca"] = true
			u := w.find(w.to, "Secret shop/a-ca").DeepCopy()
			w.to.Delete(u)
			u.SetUID("replaced")
			w.to.Put(u)
		}, "the target has no copy of Secret shop/a-ca; nothing more is deleted"},
		{"is being deleted", "Box shop/web-1-x", "", func(w *world) {
			w.watcher.foreign["Box shop/web-1-x"] = true
			w.edit(w.to, "Box shop/web-1-x", set("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp"))
		}, "the target has no copy of Box.infrastructure.cluster.x-k8s.io shop/web-1-x; nothing more is deleted"},
		{"existed before, and is changed", "Secret shop/a-ca", "Secret shop/a-ca cluster.x-k8s.io/cluster-name=a : {data: {key: eg==}}", func(w *world) {
			w.edit(w.to, "Secret shop/a-ca", set("b3RoZXI=", "data", "key"))
		}, "Secret shop/a-ca: its copy in the target differs from the original: data.key is changed"},
	} {
		for _, phase := range []move.Phase{move.Verifying, move.Deleting} {
			inBubble(t, fmt.Sprintf("a copy that %s while %s", row.it, phase), func(t *testing.T) {
				w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers+row.to)
				_, err := run(t.Context(), at(w.options(), phase, func() { row.do(w) }))
				if phase == move.Verifying {
					w.mustFail(err, "its copy")
				} else {
					w.mustFail(err, row.want)
				}
				if w.find(w.from, row.line) == nil {
					t.Error("the original is gone")
				}
			})
		}
	}
}

// A rollback does not delete a copy whose original somebody has deleted from the source.
func TestRollbackKeepsTheLastCopy(t *testing.T) {
	inBubble(t, "it is refused until the copy is gone", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), w.options())
		w.mustFail(err, "no room for web-1-x")
		repair()
		w.remove("Secret shop/a-kubeconfig")
		synctest.Wait()
		before := w.names(target)
		_, err = rollBack(t.Context(), w.options())
		if !w.isLastCopy(err) || w.names(target) != before {
			t.Fatalf("have the error %v, and the target has %s, want %s", err, w.names(target), before)
		}
	})
}

// An object of the target that somebody has made from a copy, with its annotations, is not a copy.
func TestAnnotationsOfACopy(t *testing.T) {
	inBubble(t, "a rollback does not delete it", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), w.options())
		w.mustFail(err, "no room for web-1-x")
		repair()
		u := w.find(w.to, "Secret shop/a-ca").DeepCopy()
		u.SetName("backup")
		u.SetUID("backup")
		u.SetOwnerReferences(nil)
		w.to.Put(u)
		w.watcher.before[target]["Secret shop/backup"] = w.find(w.to, "Secret shop/backup")
		if _, err := rollBack(t.Context(), w.options()); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkRolledBack()
	})
}

// A journal that says that the originals are deleted, although they are not, does not activate the
// copies.
func TestJournalOfALaterPhase(t *testing.T) {
	for _, phase := range []move.Phase{move.Unpausing, move.Cleaning, move.Done} {
		inBubble(t, "it says "+string(phase), func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			repair := reject(target, "create", "web-1-x")(w, nil)
			_, err := run(t.Context(), w.options())
			w.mustFail(err, "no room for web-1-x")
			repair()
			w.editJournal(func(document map[string]any) { document["phase"] = string(phase) })
			_, err = resume(t.Context(), w.options())
			w.mustFail(err, "the journal says "+string(phase)+", but the source still has")
			if !clusterapitest.IsPaused(w.find(w.to, "Cluster shop/a")) {
				t.Error("the copy is active")
			}
		})
	}
}

// editJournal changes the document in the file of the journal, as somebody who may write it.
func (w *world) editJournal(change func(document map[string]any)) {
	w.Helper()
	store, document := journal.File(w.journal), map[string]any{}
	data, err := store.Load(w.Context())
	if err == nil {
		err = json.Unmarshal(data, &document)
	}
	if err == nil {
		change(document)
		data, err = json.Marshal(document)
	}
	if err == nil {
		err = store.Save(w.Context(), data)
	}
	if err != nil {
		w.Fatal(err)
	}
}
