package test

import (
	"encoding/json"
	"math"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// The number of mutated objects for each peer.
const mutants = 120_000

// A difference is an intended difference between a compat profile and kstatus. Any other
// difference fails the test.
type difference struct {
	name, why string
	of        string // the profile with the difference; empty: all
	is        func(p peer, obj map[string]any, ours, theirs answer) bool
}

// differences returns the intended differences, in the order of their checks.
func differences() []difference {
	return []difference{
		{
			name: "not a single object",
			why: "Kubernetes refuses what has no kind, no apiVersion or one of three parts, and a list has a status " +
				"per item; kstatus calls them Current, or judges them by a kind of no group",
			is: func(_ peer, obj map[string]any, ours, _ answer) bool { return ours.err != "" && !single(obj) },
		},
		{
			name: "the peer panics",
			of:   "compat",
			why: "kstatus asserts the shape of containerStatuses without a check and ends the program; " +
				"here one odd object is Unknown, with the name of the field, and the others are judged",
			is: func(_ peer, obj map[string]any, ours, theirs answer) bool {
				return theirs.panicked != "" && names(ours, obj)
			},
		},
		{
			name: "the peer returns an error",
			why: "kstatus returns an error for a field of the wrong shape or a phase that it does not know; " +
				"here the verdict is Unknown, with the name of the field",
			is: func(_ peer, obj map[string]any, ours, theirs answer) bool {
				return theirs.err != "" && names(ours, obj)
			},
		},
		{
			name: "a suspended Job",
			of:   "compat",
			why: "kstatus upstream calls a Job Current that is to be suspended and is (cli-utils#668); " +
				"the fork that is compared with lacks the rule and answers as if the condition were not there",
			is: func(p peer, obj map[string]any, ours, theirs answer) bool {
				return ours.message == "Job is suspended" && obj["kind"] == "Job" && p.ours(awake(obj)).same(theirs)
			},
		},
		{
			name: "a whole number as a float",
			why: "encoding/json and some YAML decoders deliver 3 as 3.0; kstatus takes that for malformed or missing, " +
				"here a whole number is one, however it was delivered, and the answer is that for the int64",
			is: func(p peer, obj map[string]any, ours, _ answer) bool {
				whole, changed := wholeNumbers(obj)
				return changed && listed(p, whole.(map[string]any), p.theirs(whole.(map[string]any)), ours) != ""
			},
		},
	}
}

// listed returns the name of the intended difference between the answers: "same" if they are
// equal, and an empty name if it is not intended.
func listed(p peer, obj map[string]any, theirs, ours answer) string {
	if ours.same(theirs) {
		return "same"
	}
	for _, d := range differences() {
		if (d.of == "" || d.of == p.profile) && d.is(p, obj, ours, theirs) {
			return d.name
		}
	}
	return ""
}

// The compat profiles agree with kstatus on every available object and on many mutations of
// them, except for the differences in the table.
func TestKstatusDifferences(t *testing.T) {
	all := samples(t)
	for _, p := range peers {
		t.Run(p.profile, func(t *testing.T) {
			var tally tally
			for _, s := range all {
				t.Run(s.from, func(t *testing.T) {
					tally.compare(t, p, s.from, s.obj)
				})
			}
			t.Logf("%d objects: %s", len(all), tally.String())
			tally.reset()
			var wait sync.WaitGroup
			workers := uint64(runtime.GOMAXPROCS(0))
			for w := range workers {
				wait.Go(func() {
					for i := w; i < mutants && !t.Failed(); i += workers {
						s := all[i%uint64(len(all))]
						tally.compare(t, p, s.from, mutated(s.obj, i))
					}
				})
			}
			wait.Wait()
			t.Logf("%d mutated objects: %s", mutants, tally.String())
			for _, d := range differences() {
				if got := tally.of(d.name); got == 0 && (d.of == "" || d.of == p.profile) && !t.Failed() {
					t.Errorf("no mutated object shows the difference %q any more", d.name)
				}
			}
		})
	}
}

// A tally counts the occurrences of each difference.
type tally struct{ counts sync.Map } // name → *atomic.Int64

func (y *tally) reset() { y.counts.Clear() }

func (y *tally) of(name string) int64 {
	n, _ := y.counts.LoadOrStore(name, new(atomic.Int64))
	return n.(*atomic.Int64).Load()
}

func (y *tally) String() string {
	var parts []string
	for _, d := range append([]difference{{name: "same"}}, differences()...) {
		n, _ := json.Marshal(y.of(d.name))
		parts = append(parts, d.name+" "+string(n))
	}
	return strings.Join(parts, ", ")
}

func (y *tally) compare(t *testing.T, p peer, from string, obj map[string]any) {
	name := listed(p, obj, p.theirs(obj), p.ours(obj))
	if name != "" {
		y.of(name)
		n, _ := y.counts.Load(name)
		n.(*atomic.Int64).Add(1)
		return
	}
	small := minimized(obj, func(o map[string]any) bool { return listed(p, o, p.theirs(o), p.ours(o)) == "" })
	text, _ := json.MarshalIndent(small, "", " ")
	t.Errorf("%s: an unlisted difference, made of %s:\nours   %s\ntheirs %s\non %s", p.profile, from, p.ours(small), p.theirs(small), text)
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

// single reports whether obj has a kind and is not a list.
func single(obj map[string]any) bool {
	kind, _ := obj["kind"].(string)
	version, _ := obj["apiVersion"].(string)
	_, items := obj["items"].([]any)
	return kind != "" && version != "" && strings.Count(version, "/") < 2 && !(items && strings.HasSuffix(kind, "List"))
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

// awake returns the object without its conditions Suspended.
func awake(obj map[string]any) map[string]any {
	obj = k8sruntime.DeepCopyJSON(obj)
	for _, p := range places(obj) {
		if m, ok := p.get().(map[string]any); ok && m["type"] == "Suspended" {
			p.set(nil)
		}
	}
	return obj
}

// wholeNumbers returns a copy with every whole float as an int64, and reports whether it has
// converted one.
func wholeNumbers(v any) (any, bool) {
	changed := false
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v), true
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			one, did := wholeNumbers(item)
			out[k], changed = one, changed || did
		}
		return out, changed
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			one, did := wholeNumbers(item)
			out[i], changed = one, changed || did
		}
		return out, changed
	}
	return v, changed
}
