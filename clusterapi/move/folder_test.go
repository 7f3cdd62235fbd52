package move_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
)

// saving returns the options of a move of the namespace shop into a folder.
func (w *world) saving(folder string) move.Options {
	return with(w.options(), func(o *move.Options) { o.Target, o.TargetFolder = nil, folder })
}

// restoring returns the options of a move from a folder.
func (w *world) restoring(folder string) move.Options {
	return with(w.options(), func(o *move.Options) { o.Source, o.SourceFolder, o.Scope = nil, folder, plan.Scope{} })
}

// save saves a fleet into a folder, and returns what the source had.
func save(t *testing.T, folder string) (had side) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		w.mustRun(w.saving(folder))
		w.watcher.checkRolledBack()
		had = w.watcher.before[source]
	})
	return had
}

// restored checks that the target has what the lost source had.
func (w *world) restored(had side) {
	w.Helper()
	w.watcher.before[source] = maps.Clone(had)
	maps.DeleteFunc(w.watcher.before[source], func(_ string, u *unstructured.Unstructured) bool { return !isMoved(u) })
	w.watcher.checkMoved()
}

// Clusters are saved into a folder, which leaves the source as it is. Then they are restored in the
// target after the source is lost.
func TestFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "saved")
	had := save(t, folder)
	for _, row := range []struct {
		it, target string
		want       string // in the error; empty: the Clusters are restored
	}{
		{"restores into an empty cluster", "", ""},
		{"restores beside others", targetStrangers, ""},
		{"does not replace a foreign object", "Secret shop/a-ca : {data: {key: eA==}}", "Secret shop/a-ca: the target has another object of this name: data.key is changed"},
		{"does not replace a Cluster", "Cluster shop/a", "Cluster.cluster.x-k8s.io shop/a: the target has another object of this name"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, "", row.target)
			_, err := run(t.Context(), w.restoring(folder))
			if row.want != "" {
				w.mustFail(err, row.want)
				w.watcher.checkRolledBack()
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			w.restored(had)
		})
	}
	inBubble(t, "needs the kinds", func(t *testing.T) {
		w := newWorld(t, []string{"Cluster", "Machine"}, "", "")
		_, err := run(t.Context(), w.restoring(folder))
		w.mustFail(err, "Box shop/a: the target does not serve infrastructure.cluster.x-k8s.io/v1")
	})
	inBubble(t, "does not replace another folder", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet, "")
		_, err := run(t.Context(), w.saving(folder))
		w.mustFail(err, "saved is not empty: it has")
		w.watcher.checkRolledBack()
		if _, err := os.Stat(w.journal); err == nil {
			t.Error("the move has a journal although nothing was changed")
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) == 0 {
			t.Errorf("the folder has %d entries: %v", len(entries), err)
		}
	})
	inBubble(t, "needs the folder", func(t *testing.T) {
		w := newWorld(t, fleetKinds, "", "")
		_, err := run(t.Context(), w.restoring(filepath.Join(t.TempDir(), "missing")))
		w.mustFail(err, "missing")
	})
}

// What is written in the source while it is saved is in the folder.
func TestFolderHasLateChanges(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "saved")
	had := side{}
	inBubble(t, "saves the change", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet, "")
		w.mustRun(at(w.saving(folder), move.Verifying, func() { w.change("MachineSet shop/web-1", set(int64(3), "spec", "replicas")) }))
		w.watcher.checkRolledBack()
		had = w.watcher.before[source]
	})
	inBubble(t, "restores the change", func(t *testing.T) {
		w := newWorld(t, fleetKinds, "", "")
		w.mustRun(w.restoring(folder))
		w.restored(had)
	})
}

// The folder of a move gets something that the move has not written. The rollback restores the
// source, and says what stays. It is made again when that is elsewhere.
func TestRollbackKeepsForeignFiles(t *testing.T) {
	far := t.TempDir()
	save(t, filepath.Join(far, "other"))
	for _, row := range []struct {
		it     string
		change func(folder string) error
		want   string
	}{
		{"keeps a subfolder", func(folder string) error { return os.Mkdir(filepath.Join(folder, "notes"), 0o700) },
			"saved stays: it was changed after the move has written it: notes; delete it or move it elsewhere; roll it back again"},
		{"keeps a changed file", func(folder string) error {
			return os.Truncate(filepath.Join(folder, "0000__Secret_shop_password.json"), 1)
		},
			": 0000__Secret_shop_password.json; delete it"},
		{"keeps the archive of another move", func(folder string) error {
			return errors.Join(os.Rename(folder, filepath.Join(far, "mine")), os.Rename(filepath.Join(far, "other"), folder))
		}, "saved stays: it has the archive of move "},
		{"keeps a link to the folder", func(folder string) error {
			return errors.Join(os.Rename(folder, filepath.Join(far, "linked")), os.Symlink(filepath.Join(far, "linked"), folder))
		}, "saved stays: it is a symbolic link"},
	} {
		folder, elsewhere := filepath.Join(t.TempDir(), "saved"), t.TempDir()
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			w.mustRun(w.saving(folder))
			if err := row.change(folder); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, err := rollBack(t.Context(), w.saving(folder))
				w.mustFail(err, row.want)
				w.watcher.checkRolledBack()
			}
			if s, err := move.ReadStatus(t.Context(), move.Options{Journal: w.journal}); err != nil || s.Phase != move.RollingBack || !s.MayRollBack {
				t.Errorf("the status is %+v: %v", s, err)
			}
			if err := os.Rename(folder, filepath.Join(elsewhere, "kept")); err != nil {
				t.Fatal(err)
			}
			r, err := rollBack(t.Context(), w.saving(folder))
			if err != nil || r.Phase != move.RolledBack {
				t.Errorf("have the result %+v: %v", r, err)
			}
		})
	}
}

// The folder is written again after a change of the source. Somebody has put a file into it.
func TestWritingKeepsForeignFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "saved")
	inBubble(t, "stops before it removes the folder", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		note := filepath.Join(folder, "notes.txt")
		_, err := run(t.Context(), at(w.saving(folder), move.Verifying, func() {
			w.change("MachineSet shop/web-1", set(int64(3), "spec", "replicas"))
			if err := os.WriteFile(note, []byte("mine"), 0o600); err != nil {
				t.Error(err)
			}
		}))
		w.mustFail(err, "saved stays: it was changed after the move has written it: notes.txt; delete it or move it elsewhere; resume it, or roll it back")
		if content, err := os.ReadFile(note); string(content) != "mine" {
			t.Errorf("the file has %q: %v", content, err)
		}
		if err := os.Remove(note); err != nil {
			t.Fatal(err)
		}
		if _, err := resume(t.Context(), w.saving(folder)); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkRolledBack()
	})
}

// A folder that is replaced by another one after it was written is not taken for the own one.
func TestVerifyingNeedsTheOwnFolder(t *testing.T) {
	folder, other := filepath.Join(t.TempDir(), "saved"), filepath.Join(t.TempDir(), "other")
	save(t, other)
	inBubble(t, "stops", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		_, err := run(t.Context(), at(w.saving(folder), move.Verifying, func() {
			if err := errors.Join(os.Rename(folder, folder+".mine"), os.Rename(other, folder)); err != nil {
				t.Error(err)
			}
		}))
		w.mustFail(err, "saved: it has the archive of move ")
	})
}

// A move from a folder does not go on with another archive under the same path.
func TestResumeNeedsTheSameArchive(t *testing.T) {
	folder, other := filepath.Join(t.TempDir(), "saved"), filepath.Join(t.TempDir(), "other")
	had := save(t, folder)
	inBubble(t, "saves another archive", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, "")
		w.change("MachineSet shop/web-1", set(int64(3), "spec", "replicas"))
		w.mustRun(w.saving(other))
	})
	swap := func(t *testing.T) {
		t.Helper()
		if err := errors.Join(os.Rename(folder, folder+".mine"), os.Rename(other, folder), os.Rename(folder+".mine", other)); err != nil {
			t.Fatal(err)
		}
	}
	inBubble(t, "stops, and goes on with the first one", func(t *testing.T) {
		w := newWorld(t, fleetKinds, "", "")
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), w.restoring(folder))
		w.mustFail(err, "no room for web-1-x")
		repair()
		swap(t)
		before := w.names(target)
		_, err = resume(t.Context(), w.restoring(folder))
		w.mustFail(err, "saved is not the folder that the move has begun with: MachineSet.cluster.x-k8s.io shop/web-1: changed since the earlier plan; the target stays as it is: put that one back, then resume")
		if after := w.names(target); after != before {
			t.Errorf("the target has %s, want %s", after, before)
		}
		swap(t)
		if _, err := resume(t.Context(), w.restoring(folder)); err != nil {
			t.Fatal(err)
		}
		w.restored(had)
	})
}

// The path of a folder is the same for a process that works in another folder.
func TestPathsOfFoldersAreAbsolute(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	inBubble(t, "removes the folder from anywhere", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet, "")
		w.mustRun(w.saving("saved"))
		t.Chdir(filepath.Dir(here))
		_, err := rollBack(t.Context(), w.saving("saved"))
		w.mustFail(err, "its target is "+filepath.Join(here, "saved")+"; want the same instead of")
		if _, err := rollBack(t.Context(), w.saving(filepath.Join(here, "saved"))); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(here, "saved")); err == nil {
			t.Error("the folder is left")
		}
	})
}

// A mover that saves or restores is interrupted at each request. Then it goes on, or goes back.
func TestFolderInterruptions(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "saved")
	had := save(t, saved)
	for _, row := range []struct {
		it      string
		stride  int
		source  string
		options func(*world) move.Options
		done    func(*world)
	}{
		{"saves", 7, fleet + strangers, func(w *world) move.Options { return w.saving(filepath.Join(filepath.Dir(w.journal), "saved")) }, func(w *world) {
			w.watcher.checkRolledBack()
			if _, err := os.Stat(filepath.Join(filepath.Dir(w.journal), "saved", "manifest.json")); err != nil {
				w.Error(err)
			}
		}},
		{"restores", 17, "", func(w *world) move.Options { return w.restoring(saved) }, func(w *world) { w.restored(had) }},
	} {
		t.Run(row.it, func(t *testing.T) {
			for at, n, reached := 1, 0, true; reached && !t.Failed(); at, n = at+row.stride, n+1 {
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t, fleetKinds, row.source, targetStrangers)
					ctx, cancel := context.WithCancelCause(t.Context())
					defer cancel(nil)
					l := &line{w: w, at: at, lost: n%2 == 0}
					l.do = l.down
					i := &interruption{cancel: cancel}
					if n%4 > 1 {
						l.do = i.now
					}
					_, err := run(ctx, l.through(row.options(w)))
					i.check(t)
					l.up()
					if reached = l.sent >= at; err == nil {
						row.done(w)
						return
					}
					w.finish(row.options(w), n%3 == 0, row.done)
					if t.Failed() {
						t.Errorf("interrupted at request %d of %d while %s: %v", at, l.sent, w.lastPhase(), err)
					}
				})
			}
		})
	}
}

// finish completes a move from or to a folder, or rolls it back and begins again. A move whose
// copies have lost their marks cannot be rolled back.
func (w *world) finish(o move.Options, goesBack bool, done func(*world)) {
	w.Helper()
	s, err := move.ReadStatus(w.Context(), o)
	isOver := err != nil || s.Phase == move.RolledBack
	if !isOver && (goesBack || s.Phase == move.RollingBack) {
		_, err := rollBack(w.Context(), o)
		if isOver = err == nil; isOver {
			w.watcher.checkRolledBack()
			if _, err := os.Stat(o.TargetFolder); err == nil {
				w.Errorf("%s is left", o.TargetFolder)
			}
		} else if o.SourceFolder == "" || s.MayRollBack || !strings.Contains(err.Error(), "so it cannot be rolled back") {
			w.Error(err)
		}
	}
	if isOver {
		_, err = run(w.Context(), with(o, func(o *move.Options) { o.Journal += ".next" }))
	} else {
		_, err = resume(w.Context(), o)
	}
	if err != nil {
		w.Error(err)
		return
	}
	done(w)
}
