package move_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

// An ending is a row of the table in the guide about interrupted moves.
type ending struct {
	texts  []string // in the error, in their order
	phases string
	active string
	goOn   string
}

// quoted matches code in Markdown.
var quoted = regexp.MustCompile("`([^`]+)`")

// endings returns the rows of the guide.
func endings(t *testing.T) (all []ending) {
	t.Helper()
	page, err := os.ReadFile("../../docs/guides/interrupted-move.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## What each ending means\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 || !strings.Contains(cells[0], "`") {
			continue
		}
		e := ending{phases: cells[3], active: strings.TrimSpace(cells[4]), goOn: cells[5]}
		for _, text := range quoted.FindAllStringSubmatch(cells[0], -1) {
			e.texts = append(e.texts, text[1])
		}
		all = append(all, e)
	}
	return all
}

// matches reports whether an error has the texts of a row.
func (e ending) matches(text string) bool {
	for _, part := range e.texts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// active returns the sides on which the Cluster of a fleet is not paused.
func (w *world) active() string {
	var sides []string
	if isActive(w.find(w.from, "Cluster shop/a")) {
		sides = append(sides, "source")
	}
	if isActive(w.find(w.to, "Cluster shop/a")) {
		sides = append(sides, "target")
	}
	if len(sides) == 0 {
		return "nothing"
	}
	return strings.Join(sides, " and ")
}

// A playedEnding is a way to a row of the guide, and what its last cell says.
type playedEnding struct {
	it      string
	options func(*world) move.Options
	// ends moves until the ending, and returns what repairs its cause.
	ends    func(*world, move.Options) (repair func(), err error)
	command string // in the last cell
	goOn    func(context.Context, move.Options) (*move.Result, error)
	done    move.Phase
}

// both has the journal in a file and in ConfigMaps.
func both(o *move.Options) { o.JournalNamespace, o.ID = "journals", "film" }

// stranger removes an object that the watcher must not miss.
func (w *world) stranger(s *wiretest.Server, line string) func() {
	return func() {
		w.watcher.foreign[line] = true
		s.Delete(w.find(s, line))
	}
}

// playedEndings returns the endings of moves between clusters, and those of folder.
func playedEndings(folder string) []playedEnding {
	toCluster := (*world).options
	toFolder := func(w *world) move.Options { return w.saving(folder) }
	nothing := func() {}
	return []playedEnding{
		{"the pause fails", toCluster, func(w *world, o move.Options) (func(), error) {
			repair := reject(source, "patch", "own")(w, nil)
			_, err := run(w.Context(), o)
			return repair, err
		}, "begin a new move", run, move.Done},
		{"the source cannot be restored", toCluster, func(w *world, o move.Options) (func(), error) {
			l := &line{w: w}
			w.from.Admit(func(r wiretest.Request, _ *unstructured.Unstructured) error {
				if r.Verb == "patch" {
					l.hush(source)
				}
				return nil
			})
			_, err := run(w.Context(), l.through(o))
			return func() { l.up() }, err
		}, "`rollback`", rollBack, move.RolledBack},
		{"an object names a foreign Secret", toCluster, func(w *world, o move.Options) (func(), error) {
			w.put(w.from, "Secret vault/token : {data: {token: eA==}}\nBox shop/thief < Cluster shop/a cluster.x-k8s.io/cluster-name=a : {spec: {identityRef: {kind: Secret, name: token, namespace: vault}}}")
			_, err := run(w.Context(), o)
			return nothing, err
		}, "accept the Secret by its name, then begin a new move", func(ctx context.Context, o move.Options) (*move.Result, error) {
			o.Accept = append(o.Accept, "foreign-secret=vault/token")
			return run(ctx, o)
		}, move.Done},
		{"the target has a foreign object", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Creating, func() { w.put(w.to, "Secret shop/a-ca : {data: {key: eA==}}") }))
			return w.stranger(w.to, "Secret shop/a-ca"), err
		}, "`resume`", resume, move.Done},
		{"a copy differs", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Verifying, func() {
				w.edit(w.to, "MachineSet shop/web-1", set(int64(2), "spec", "replicas"))
			}))
			return nothing, err
		}, "`resume`", resume, move.Done},
		{"a server does not answer", toCluster, func(w *world, o move.Options) (func(), error) {
			l := &line{w: w}
			_, err := run(w.Context(), at(l.through(o), move.Creating, func() { l.hush(target) }))
			return l.up, err
		}, "`resume`", resume, move.Done},
		{"the source is unpaused", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), beforeStep(o, 3, func() { w.edit(w.from, "Cluster shop/a", set(false, "spec", "paused")) }))
			return nothing, err
		}, "`resume`", resume, move.Done},
		{"a controller writes a status", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Verifying, func() {
				w.from.Edit("box", "status", w.find(w.from, "Box shop/one"), set("on", "status", "power"))
			}))
			return nothing, err
		}, "`resume`", resume, move.Done},
		{"an original is created again", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), beforeStep(o, lastStep, func() { w.again("Secret shop/a-ca", set("b3RoZXI=", "data", "key")) }))
			return w.stranger(w.from, "Secret shop/a-ca"), err
		}, "`resume`", resume, move.Done},
		{"an original is deleted", toCluster, func(w *world, o move.Options) (func(), error) {
			repair := reject(source, "delete", "web-1")(w, nil)
			_, failed := run(w.Context(), o)
			repair()
			_, err := rollBack(w.Context(), o)
			if failed == nil {
				w.Error("the deletion does not fail")
			}
			return nothing, err
		}, "`resume`", resume, move.Done},
		{"a controller of the target does not report", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Unpausing, func() { w.core[target].Ignore("Machine") }))
			return func() { w.core[target].Ignore() }, err
		}, "`resume`", resume, move.Done},
		{"the target has the last copy", toCluster, func(w *world, o move.Options) (func(), error) {
			repair := reject(target, "create", "web-1-x")(w, nil)
			_, failed := run(w.Context(), o)
			repair()
			w.remove("Secret shop/a-kubeconfig")
			_, err := rollBack(w.Context(), o)
			if failed == nil {
				w.Error("the creation does not fail")
			}
			return w.stranger(w.to, "Secret shop/a-kubeconfig"), err
		}, "`rollback`", rollBack, move.RolledBack},
		{"the folder has foreign files", toFolder, func(w *world, o move.Options) (func(), error) {
			w.mustRun(o)
			note := filepath.Join(folder, "notes.txt")
			if err := os.WriteFile(note, nil, 0o600); err != nil {
				w.Fatal(err)
			}
			_, err := rollBack(w.Context(), o)
			return func() {
				if err := os.Remove(note); err != nil {
					w.Error(err)
				}
			}, err
		}, "move it elsewhere, then `rollback`", rollBack, move.RolledBack},
		{"another process takes the Lease", func(w *world) move.Options { return with(w.options(), both) }, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Creating, func() {
				w.from.Edit("other", "", w.from.Find(lease, "journals", "kstatus-move"), func(u *unstructured.Unstructured) {
					set("move other", "spec", "holderIdentity")(u)
					set(time.Now().Add(time.Minute).UTC().Format("2006-01-02T15:04:05.000000Z"), "spec", "renewTime")(u)
				})
				bubble.Sleep(20 * time.Second)
			}))
			return func() { bubble.Sleep(3 * time.Minute) }, err // the other process has ended
		}, "`status`, then `resume` unless another process does", resume, move.Done},
		{"the file of the journal is damaged", toCluster, func(w *world, o move.Options) (func(), error) {
			repair := reject(target, "create", "web-1-x")(w, nil)
			_, failed := run(w.Context(), with(o, both))
			repair()
			data, err := os.ReadFile(w.journal)
			if err == nil {
				err = os.WriteFile(w.journal, []byte(strings.Replace(string(data), "Creating", "Deleting", 1)), 0o600)
			}
			if err != nil || failed == nil {
				w.Fatal(err, failed)
			}
			_, err = resume(w.Context(), o)
			return nothing, err
		}, "`resume` with `--journal-namespace` and `--id`, without the file", func(ctx context.Context, o move.Options) (*move.Result, error) {
			return resume(ctx, with(o, func(o *move.Options) { both(o); o.Journal = "" }))
		}, move.Done},
	}
}

// A move ends as a row of the guide says. The journal has the phase of the row, only the side of the
// row is active, and the command of the row goes on. Each row is played.
func TestEndingsAreInTheGuide(t *testing.T) {
	all := endings(t)
	if len(all) < 10 {
		t.Fatalf("the guide has %d endings", len(all))
	}
	reached := map[string]bool{}
	for _, row := range playedEndings(filepath.Join(t.TempDir(), "saved")) {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			o := row.options(w)
			repair, err := row.ends(w, o)
			if err == nil {
				t.Fatal("no error")
			}
			found := false
			for _, e := range all {
				if e.matches(err.Error()) {
					found, reached[e.texts[0]] = true, true
					w.checkEnding(e, o, row.command)
				}
			}
			if !found {
				t.Fatalf("the guide has no row for %v", err)
			}
			repair()
			if r, err := row.goOn(t.Context(), row.options(w)); err != nil || r.Phase != row.done {
				t.Errorf("have the result %+v: %v", r, err)
			}
		})
	}
	for _, e := range all {
		if !reached[e.texts[0]] {
			t.Errorf("no test plays the row %q", e.texts)
		}
	}
}

// checkEnding compares both clusters and the journal with a row.
func (w *world) checkEnding(e ending, o move.Options, command string) {
	w.Helper()
	s, err := move.ReadStatus(w.Context(), o)
	switch {
	case strings.Contains(e.phases, "no journal"):
		if !errors.Is(err, fs.ErrNotExist) {
			w.Errorf("the status is %+v: %v, want no journal", s, err)
		}
	case strings.Contains(e.phases, "the file is refused"):
		if err == nil || !e.matches(err.Error()) {
			w.Errorf("the status is %+v: %v, want that the file is refused", s, err)
		}
	case err != nil || !strings.Contains(e.phases, string(s.Phase)) && !strings.Contains(e.phases, "any"):
		w.Errorf("the status is %+v: %v, want the phase %s", s, err, e.phases)
	}
	if have := w.active(); !strings.Contains(" "+e.active+" ", " "+have+" ") && !strings.HasPrefix(e.phases, " the file") {
		w.Errorf("%s is active, want %s", have, e.active)
	}
	if !strings.Contains(e.goOn, command) {
		w.Errorf("the row says %s, want %s", e.goOn, command)
	}
}
