package journal

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// state returns the ConfigMaps of the server in their versions.
func (s *server) state() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]string{}
	for path, o := range s.objects {
		if strings.Contains(path, "/configmaps/") {
			all[path] = string(o.GetUID()) + "/" + o.GetResourceVersion()
		}
	}
	return all
}

// A process goes on although another one has taken over. It removes nothing that the other has
// written.
func TestRemovalAfterATakeover(t *testing.T) {
	for it, row := range map[string]struct {
		first, second string
		during        bool // the other process saves while this one removes
	}{
		"of a small document":                           {`1`, `2`, false},
		"of a document in chunks":                       {`1`, string(large(t, 2)), false},
		"of a document in chunks that replaces another": {string(large(t, 2)), string(large(t, 2)), false},
		"at the same time":                              {`1`, `2`, true},
		"at the same time, in chunks":                   {string(large(t, 2)), string(large(t, 2)), true},
	} {
		t.Run(it, func(t *testing.T) {
			s, c := newServer(t)
			one, two := inConfigMap(c, "the source", "kstatus", "m1"), inConfigMap(c, "the source", "kstatus", "m1")
			save(t, one, row.first)
			checkLoad(t, two, row.first)
			after := map[string]string{}
			takeOver := func() {
				save(t, two, row.second)
				after = s.state()
			}
			if row.during {
				taken := false
				s.fail(func(method, path string) int {
					if method == "DELETE" && path == mainPath && !taken {
						taken = true
						s.mu.Unlock()
						takeOver()
						s.mu.Lock()
					}
					return 0
				}, nil)
			} else {
				takeOver()
			}
			checkFailure(t, one.Remove(t.Context()), "remove ConfigMap kstatus/kstatus-move-m1 in the source", "another process has replaced it")
			if have := s.state(); len(after) == 0 || !maps.Equal(have, after) {
				t.Errorf("have %v, want %v as the other process has left it", have, after)
			}
			checkLoad(t, two, row.second)
			if err := two.Remove(t.Context()); err != nil || s.configMaps() > 0 {
				t.Errorf("%d ConfigMaps are left: %v", s.configMaps(), err)
			}
		})
	}
}

// Another process has written chunks, and no main ConfigMap yet. A save and a removal keep them.
func TestChunksOfAnotherProcessStay(t *testing.T) {
	for it, finish := range map[string]func(*testing.T, Store){
		"a save":    func(t *testing.T, one Store) { save(t, one, `2`) },
		"a removal": func(t *testing.T, one Store) { _ = one.Remove(t.Context()) }, // what is left counts
	} {
		t.Run(it, func(t *testing.T) {
			s, c := newServer(t)
			one, two := inConfigMap(c, "the source", "kstatus", "m1"), inConfigMap(c, "the source", "kstatus", "m1")
			save(t, one, string(large(t, 2)))
			next := string(large(t, 2))
			checkLoads(t, two)
			s.fail(func(method, path string) int {
				if method == "PUT" {
					s.before = nil
					s.mu.Unlock()
					finish(t, one)
					s.mu.Lock()
				}
				return 0
			}, nil)
			_ = two.Save(t.Context(), []byte(next)) // fails after a save
			s.fail(nil, nil)
			chunks := 0
			for path, o := range s.objects {
				if strings.Contains(path, "/configmaps/") && path != mainPath && field(o, generationKey) == two.(*store).places[0].(*configMap).attempted {
					chunks++
				}
			}
			if chunks != 3 {
				t.Errorf("%d chunks of the other process are left, want 3", chunks)
			}
		})
	}
}

func checkLoads(t *testing.T, s Store) {
	t.Helper()
	if _, err := s.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Somebody adds a label while a process removes its own document. It is removed anyway.
func TestRemovalOfALabeledConfigMap(t *testing.T) {
	s, c := newServer(t)
	one := inConfigMap(c, "the source", "kstatus", "m1")
	save(t, one, string(large(t, 2)))
	labeled := false
	s.fail(func(method, path string) int {
		if method == "DELETE" && path == mainPath && !labeled {
			labeled = true
			s.mu.Unlock()
			s.change(mainPath, func(o *unstructured.Unstructured) { o.SetAnnotations(map[string]string{"a": "b"}) })
			s.mu.Lock()
		}
		return 0
	}, nil)
	if err := one.Remove(t.Context()); err != nil || s.configMaps() > 0 {
		t.Errorf("%d ConfigMaps are left: %v", s.configMaps(), err)
	}
}

// Another process has saved to the same file, or has removed it. The first one saves nothing more.
func TestOnlyOneProcessSavesToAFile(t *testing.T) {
	for it, takeOver := range map[string]func(*testing.T, string){
		"saves":             func(t *testing.T, path string) { save(t, File(path), `2`) },
		"removes and saves": func(t *testing.T, path string) { remove(t, path); save(t, File(path), `2`) },
		"removes":           remove,
	} {
		t.Run(it, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal.json")
			one := File(path)
			save(t, one, `1`)
			save(t, one, `1`) // its own file is no other one
			check(t, one)
			takeOver(t, path)
			before, _ := os.ReadFile(path) // empty if it is removed
			for _, err := range []error{one.Check(t.Context()), one.Save(t.Context(), []byte(`3`)), one.Save(t.Context(), []byte(`3`))} {
				if !errors.Is(err, ErrReplaced) {
					t.Errorf("a check or a save has error %v, want ErrReplaced", err)
				}
			}
			if err := one.Remove(t.Context()); !errors.Is(err, ErrReplaced) {
				t.Errorf("a removal has error %v, want ErrReplaced", err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Errorf("have %q, want %q", after, before)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// The answer to the last save was lost. Its ConfigMap is removed anyway, also if it is the first one.
func TestRemovalAfterASaveWithoutAnAnswer(t *testing.T) {
	for _, first := range []string{"", `1`, string(large(t, 2))} {
		s, c := newServer(t)
		one := inConfigMap(c, "the source", "kstatus", "m1")
		if first != "" {
			save(t, one, first)
		}
		s.fail(nil, func(method, path string) int {
			if method != "GET" && (path == mainPath || strings.HasSuffix(path, "/configmaps")) {
				return 500
			}
			return 0
		})
		checkFailure(t, one.Save(t.Context(), []byte(`2`)), "save ConfigMap")
		s.fail(nil, nil)
		if err := one.Remove(t.Context()); err != nil || s.configMaps() > 0 {
			t.Errorf("after %.10q, %d ConfigMaps are left: %v", first, s.configMaps(), err)
		}
	}
}

// The removal of a small document that this process has saved needs one request.
func TestRequestsOfARemoval(t *testing.T) {
	s, c := newServer(t)
	store := inConfigMap(c, "the source", "kstatus", "m1")
	save(t, store, `1`)
	s.requests = nil
	if err := store.Remove(t.Context()); err != nil || len(s.requests) != 1 {
		t.Errorf("have %q, want one request: %v", s.requests, err)
	}
}
