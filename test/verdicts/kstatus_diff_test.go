package test

import (
	"encoding/json"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// The number of mutated and of generated objects for each peer. The fuzz target tries more.
const mutants = 60_000

// difference describes how the verdict of a compat profile differs from that of the peer; it is empty
// if they are equal. Where the peer has none, because it returns an error or panics, ours must be about
// a malformed field that exists.
func (p peer) difference(obj map[string]any) string {
	theirs, ours := p.theirs(k8sruntime.DeepCopyJSON(obj)), p.ours(obj)
	if theirs.err == "" && theirs.panicked == "" {
		if ours.same(theirs) {
			return ""
		}
	} else if names(ours, obj) {
		return ""
	}
	return "ours   " + ours.String() + "\ntheirs " + theirs.String()
}

// check fails the test with the smallest object that shows a difference.
func (p peer) check(t *testing.T, from string, obj map[string]any) {
	if p.difference(obj) == "" {
		return
	}
	small := minimized(obj, func(o map[string]any) bool { return p.difference(o) != "" })
	text, _ := json.MarshalIndent(small, "", " ")
	t.Errorf("%s, made of %s:\n%s\non %s", p.name, from, p.difference(small), text)
}

// The compat profiles agree with kstatus on every available object, on mutations of them, and on
// generated objects of all kinds that have a rule.
func TestCompatGivesTheSame(t *testing.T) {
	all := samples(t)
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			for _, s := range all {
				p.check(t, s.from, s.obj)
			}
			var wait sync.WaitGroup
			workers := uint64(runtime.GOMAXPROCS(0))
			for w := range workers {
				wait.Go(func() {
					for i := w; i < mutants && !t.Failed(); i += workers {
						s := all[i%uint64(len(all))]
						p.check(t, s.from, mutated(s.obj, i))
						p.check(t, "a seed", generated(i))
					}
				})
			}
			wait.Wait()
		})
	}
}

// FuzzCompat compares the compat profiles and the façades with their originals, on generated objects
// and on mutations of samples.
func FuzzCompat(f *testing.F) {
	all := samples(f)
	f.Add(uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, object, seed uint64) {
		s := all[object%uint64(len(all))]
		for from, obj := range map[string]map[string]any{s.from: mutated(s.obj, seed), "a seed": generated(seed)} {
			for _, p := range peers {
				p.check(t, from, obj)
			}
			for _, p := range dropinPairs {
				p.check(t, from, obj)
			}
		}
	})
}

// minimized removes all fields and items of an object without which it still fails.
func minimized(obj map[string]any, fails func(map[string]any) bool) map[string]any {
	for again := true; again; {
		again = false
		for i := range places(obj) {
			less := k8sruntime.DeepCopyJSON(obj)
			ps := places(less)
			if i >= len(ps) {
				break
			}
			if p := ps[i]; p.m != nil {
				delete(p.m, p.key)
			} else if p.get() != nil {
				p.set(nil)
			} else {
				continue
			}
			if fails(less) {
				obj, again = less, true
				break
			}
		}
	}
	return obj
}

var fieldIn = regexp.MustCompile(`^[a-zA-Z]+(\.[a-zA-Z]+|\[[0-9]+\])*: want `)

// names reports whether our verdict is about a malformed object and names an existing field.
func names(ours answer, obj map[string]any) bool {
	field := fieldIn.FindString(ours.message)
	if ours.status != "Malformed" || field == "" {
		return false
	}
	var at any = obj
	for part := range strings.FieldsFuncSeq(strings.TrimSuffix(field, ": want "), func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		switch v := at.(type) {
		case map[string]any:
			next, found := v[part]
			if !found {
				return false
			}
			at = next
		case []any:
			var i int
			if json.Unmarshal([]byte(part), &i) != nil || i >= len(v) {
				return false
			}
			at = v[i]
		default:
			return false
		}
	}
	return true
}
