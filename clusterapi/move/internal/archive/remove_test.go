package archive

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// tree returns the files below a folder with their contents. A folder and a link have a text that
// says what they are.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			all[name] = "folder"
		case d.Type()&fs.ModeSymlink != 0:
			all[name] = "link"
		default:
			content, err := os.ReadFile(path)
			all[name] = string(content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// put writes a file of a test, with its folder.
func put(t *testing.T, content string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	clusterFile = "0001_cluster.x-k8s.io_Cluster_shop_web.json"
	secretFile  = "0012__Secret_shop_web-ca.json"
)

func TestRemoveRemovesWhatTheMoveHasWritten(t *testing.T) {
	for it, change := range map[string]func(t *testing.T, dir string){
		"the whole folder": func(*testing.T, string) {},
		"a folder from which somebody has removed a file": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, clusterFile)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(it, func(t *testing.T) {
			dir := write(t)
			put(t, "mine", filepath.Dir(dir), "beside", "x")
			want := tree(t, filepath.Join(filepath.Dir(dir), "beside"))
			change(t, dir)
			for range 2 {
				if err := Remove(t.Context(), dir, header.ID); err != nil {
					t.Fatal(err)
				}
				if left := tree(t, filepath.Dir(dir)); len(left) != 2 || !reflect.DeepEqual(tree(t, filepath.Join(filepath.Dir(dir), "beside")), want) {
					t.Errorf("have %v, want only what is beside the folder", slices.Sorted(maps.Keys(left)))
				}
			}
		})
	}
	t.Run("nothing of an empty folder", func(t *testing.T) {
		dir := t.TempDir()
		if err := Remove(t.Context(), dir, header.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	})
}

func TestRemoveKeepsWhatOthersHaveWritten(t *testing.T) {
	link := func(t *testing.T, old string, path ...string) {
		t.Helper()
		if err := os.Symlink(old, filepath.Join(path...)); err != nil {
			t.Fatal(err)
		}
	}
	move := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for it, row := range map[string]struct {
		change func(t *testing.T, dir string)
		id     string
		want   string
	}{
		"a file":       {func(t *testing.T, dir string) { put(t, "mine", dir, "notes.txt") }, "m1", "it was changed after the move has written it: notes.txt; delete it or move it elsewhere"},
		"a subfolder":  {func(t *testing.T, dir string) { put(t, "mine", dir, "lost+found", "x") }, "m1", ": lost+found;"},
		"an empty one": {func(t *testing.T, dir string) { _ = os.Mkdir(filepath.Join(dir, "new"), 0o700) }, "m1", ": new;"},
		"many files": {func(t *testing.T, dir string) {
			for i := range 7 {
				put(t, "mine", dir, strconv.Itoa(i))
			}
		}, "m1", ": 0, 1, 2, 3, 4 and 2 more;"},
		"a name with control characters": {func(t *testing.T, dir string) { put(t, "", dir, "a\n\x1b[2J") }, "m1", ": a \ufffd[2J;"},
		"a link to a folder": {func(t *testing.T, dir string) {
			put(t, "mine", dir+".far", "x")
			link(t, dir+".far", dir, "far")
		}, "m1", ": far;"},
		"a link instead of a file": {func(t *testing.T, dir string) {
			move(t, filepath.Join(dir, secretFile), dir+".secret")
			link(t, dir+".secret", dir, secretFile)
		}, "m1", ": " + secretFile + ";"},
		"a folder instead of a file": {func(t *testing.T, dir string) {
			move(t, filepath.Join(dir, secretFile), dir+".secret")
			put(t, "mine", dir, secretFile, "x")
		}, "m1", ": " + secretFile + ";"},
		"a changed file":                 {func(t *testing.T, dir string) { put(t, "{}", dir, secretFile) }, "m1", ": " + secretFile + ";"},
		"an unfinished file of somebody": {func(t *testing.T, dir string) { put(t, "{}", dir, partialName) }, "m1", ": " + partialName + ";"},
		"a link to the folder": {func(t *testing.T, dir string) {
			move(t, dir, dir+".far")
			link(t, dir+".far", dir)
		}, "m1", "it is a symbolic link, which the move has not created"},
		"a link to nothing": {func(t *testing.T, dir string) {
			move(t, dir, dir+".far")
			link(t, "nowhere", dir)
		}, "m1", "it is a symbolic link"},
		"a file instead of the folder": {func(t *testing.T, dir string) {
			move(t, dir, dir+".far")
			put(t, "mine", dir)
		}, "m1", "it is a file"},
		"the archive of another move": {func(*testing.T, string) {}, "m2", "it has the archive of move m1"},
		"a folder without a manifest": {func(t *testing.T, dir string) { move(t, filepath.Join(dir, manifestName), dir+".far") }, "m1",
			"and no file manifest.json, so the move has not written it"},
		"a changed manifest": {func(t *testing.T, dir string) { put(t, "{}", dir, manifestName) }, "m1", "manifest.json: its format is"},
		"a folder beside it": {func(t *testing.T, dir string) { put(t, "mine", dir+".m1.tmp", "x") }, "m1", "backup.m1.tmp stays: it has x and no file"},
		"a link beside it": {func(t *testing.T, dir string) {
			put(t, "mine", dir+".far", "x")
			link(t, dir+".far", dir+".m1.tmp")
		}, "m1", "backup.m1.tmp stays: it is a symbolic link"},
		"any folder if the ID is a path": {func(*testing.T, string) {}, "../m1", `the ID of the move is "../m1"`},
	} {
		t.Run(it, func(t *testing.T) {
			dir := write(t)
			row.change(t, dir)
			want := tree(t, filepath.Dir(dir))
			checkFailure(t, Remove(t.Context(), dir, row.id), row.want)
			if have := tree(t, filepath.Dir(dir)); !reflect.DeepEqual(have, want) {
				t.Errorf("have %v, want %v", have, want)
			}
		})
	}
}

// A limited context ends after it has been asked a number of times. So a call stops between any two
// of its steps.
type limited struct {
	context.Context
	left int
}

func (c *limited) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func (c *limited) Value(any) any { return nil }

func TestInterruptionsLeaveWhatTheMoveRecognizes(t *testing.T) {
	all := entries()
	all[2].Object.SetUID("uid-other")
	for it, row := range map[string]struct {
		prepare     func(t *testing.T, dir string)
		interrupted func(ctx context.Context, dir string) error
	}{
		"while it is written": {func(*testing.T, string) {}, func(ctx context.Context, dir string) error { return Write(ctx, dir, header, all) }},
		"while it is removed": {func(t *testing.T, dir string) {
			if err := Write(t.Context(), dir, header, all); err != nil {
				t.Fatal(err)
			}
		}, func(ctx context.Context, dir string) error { return Remove(ctx, dir, header.ID) }},
	} {
		t.Run(it, func(t *testing.T) {
			interruptions, partial := 0, 0
			for n := 0; ; n++ {
				parent := t.TempDir()
				dir := filepath.Join(parent, "backup")
				row.prepare(t, dir)
				ctx := &limited{t.Context(), n}
				err := row.interrupted(ctx, dir)
				if err == nil {
					break
				}
				interruptions++
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("after %d steps: %v", n, err)
				}
				if _, _, err := Read(t.Context(), dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("after %d steps, the archive is incomplete: %v", n, err)
				}
				temporary := dir + "." + header.ID + ".tmp"
				if _, err := os.Stat(temporary); err == nil {
					partial++
					put(t, "half of", temporary, partialName) // the computer has crashed in a write
				}
				if err := Remove(t.Context(), dir, header.ID); err != nil {
					t.Errorf("after %d steps: %v", n, err)
				}
				if left := tree(t, parent); len(left) > 0 {
					t.Errorf("after %d steps, the parent has %v", n, left)
				}
				if err := Write(t.Context(), dir, header, all); err != nil {
					t.Errorf("after %d steps: %v", n, err)
				}
				if _, have, err := Read(t.Context(), dir); err != nil || len(have) != len(all) {
					t.Errorf("after %d steps, %d entries are read: %v", n, len(have), err)
				}
			}
			if interruptions < 4 || partial < 3 {
				t.Errorf("%d interruptions, and %d in the middle", interruptions, partial)
			}
		})
	}
}

// A file of somebody in a folder that is half removed stays, and is named.
func TestRemoveNamesForeignFilesInTheRest(t *testing.T) {
	dir := write(t)
	temporary := dir + "." + header.ID + ".tmp"
	if err := os.Rename(dir, temporary); err != nil {
		t.Fatal(err)
	}
	put(t, "mine", temporary, "notes.txt")
	for range 2 {
		checkFailure(t, Remove(t.Context(), dir, header.ID), "backup.m1.tmp stays: the move has not written notes.txt; delete it or move it elsewhere")
		if have := slices.Sorted(maps.Keys(tree(t, temporary))); !reflect.DeepEqual(have, []string{manifestName, "notes.txt"}) {
			t.Errorf("have %v, want the file and the manifest", have)
		}
	}
	if err := os.Remove(filepath.Join(temporary, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	if err := Remove(t.Context(), dir, header.ID); err != nil {
		t.Error(err)
	}
	if left := tree(t, filepath.Dir(dir)); len(left) > 0 {
		t.Errorf("have %v, want nothing", left)
	}
}

func TestWriteNeedsAFolderOfItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	put(t, "mine", dir+".far", "x")
	if err := os.Remove(filepath.Join(dir+".far", "x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+".far", dir); err != nil {
		t.Fatal(err)
	}
	checkFailure(t, Write(t.Context(), dir, header, entries()[:2]), "backup is a symbolic link, want an empty folder or nothing")
	if info, err := os.Lstat(dir); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v: %v", info, err)
	}
}
