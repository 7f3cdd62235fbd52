package move_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/move"
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

// A move ends as a row of the guide says. The journal has the phase of the row, only the side of the
// row is active, and the command of the row goes on.
func TestEndingsAreInTheGuide(t *testing.T) {
	all := endings(t)
	if len(all) < 10 {
		t.Fatalf("the guide has %d endings", len(all))
	}
	folder := filepath.Join(t.TempDir(), "saved")
	toFolder := func(w *world) move.Options { return w.saving(folder) }
	toCluster := (*world).options
	for _, row := range []struct {
		it      string
		options func(*world) move.Options
		ends    func(*world, move.Options) (func(), error) // and repairs
		goOn    func(context.Context, move.Options) (*move.Result, error)
		done    move.Phase
	}{
		{"the pause fails", toCluster, func(w *world, o move.Options) (func(), error) {
			repair := reject(source, "patch", "own")(w, nil)
			_, err := run(w.Context(), o)
			return repair, err
		}, nil, move.RolledBack},
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
		}, rollBack, move.RolledBack},
		{"the target has a foreign object", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Creating, func() { w.put(w.to, "Secret shop/a-ca : {data: {key: eA==}}") }))
			return func() {
				w.watcher.foreign["Secret shop/a-ca"] = true
				w.to.Delete(w.find(w.to, "Secret shop/a-ca"))
			}, err
		}, resume, move.Done},
		{"a copy differs", toCluster, func(w *world, o move.Options) (func(), error) {
			_, err := run(w.Context(), at(o, move.Verifying, func() {
				w.edit(w.to, "MachineSet shop/web-1", set(int64(2), "spec", "replicas"))
			}))
			return func() {}, err
		}, resume, move.Done},
		{"a server does not answer", toCluster, func(w *world, o move.Options) (func(), error) {
			l := &line{w: w}
			_, err := run(w.Context(), at(l.through(o), move.Creating, func() { l.hush(target) }))
			return l.up, err
		}, resume, move.Done},
		{"an original is deleted", toCluster, func(w *world, o move.Options) (func(), error) {
			repair := reject(source, "delete", "web-1")(w, nil)
			_, failed := run(w.Context(), o)
			repair()
			_, err := rollBack(w.Context(), o)
			if failed == nil {
				w.Error("the deletion does not fail")
			}
			return func() {}, err
		}, resume, move.Done},
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
		}, rollBack, move.RolledBack},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			o := row.options(w)
			repair, err := row.ends(w, o)
			if err == nil {
				t.Fatal("no error")
			}
			var found []ending
			for _, e := range all {
				if e.matches(err.Error()) {
					found = append(found, e)
				}
			}
			if len(found) == 0 {
				t.Fatalf("the guide has no row for %v", err)
			}
			for _, e := range found {
				w.checkEnding(e, row.goOn != nil)
			}
			repair()
			if row.goOn == nil {
				return
			}
			if r, err := row.goOn(t.Context(), row.options(w)); err != nil || r.Phase != row.done {
				t.Errorf("have the result %+v: %v", r, err)
			}
		})
	}
}

// checkEnding compares both clusters and the journal with a row.
func (w *world) checkEnding(e ending, goesOn bool) {
	w.Helper()
	s, err := move.ReadStatus(w.Context(), move.Options{Journal: w.journal})
	if err != nil || !strings.Contains(e.phases, string(s.Phase)) && !strings.Contains(e.phases, "any") {
		w.Errorf("the status is %+v: %v, want the phase %s", s, err, e.phases)
	}
	if have := w.active(); !strings.Contains(" "+e.active+" ", " "+have+" ") {
		w.Errorf("%s is active, want %s", have, e.active)
	}
	if isCommand := strings.Contains(e.goOn, "`resume`") || strings.Contains(e.goOn, "`rollback`"); isCommand != goesOn {
		w.Errorf("the row says %s", e.goOn)
	}
}
