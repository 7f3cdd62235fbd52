package move

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/move"
)

var (
	firstSeed = flag.Uint64("seed", 0, "the seed of the first move of TestRandomWriters; each next one is larger by one")
	writers   = flag.Int("writers", 20, "the number of moves of TestRandomWriters, unless it is short")
)

// Somebody else writes before random requests of a move of random objects. In the end, each content
// is on one of the sides, whether it existed at the beginning or somebody has written it. The only
// exception is a content whose last instance the writer has removed. No Cluster is active on both
// sides.
func TestRandomWriters(t *testing.T) {
	n := *writers
	if testing.Short() {
		n = 2
	}
	for i := range n {
		seed := *firstSeed + uint64(i)
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			newRandomMove(t, seed).play()
		})
	}
}

// A randomMove is a move with another writer.
type randomMove struct {
	*yard
	random *rand.Rand
	begun  atomic.Bool // the source is paused, and copies are created
	sent   atomic.Int64
	at     map[int64]bool // the requests since then before which somebody writes

	mu      sync.Mutex // guards the fields below
	wanted  map[string]bool
	removed map[string]bool // contents of which the writer has removed an instance of the target
	log     []string
}

// randomKinds are the kinds of the objects, apart from the Cluster.
var randomKinds = []schema.GroupVersionResource{crates, tanks, secrets, configMaps}

// newRandomMove creates the objects. Each has a content of its own.
func newRandomMove(t *testing.T, seed uint64) *randomMove {
	m := &randomMove{yard: newYard(t), random: rand.New(rand.NewPCG(seed, 0)), at: map[int64]bool{}, wanted: map[string]bool{}, removed: map[string]bool{}}
	lines := "Cluster a : " + bare
	owners := []string{"Cluster a"}
	for n := range 4 + m.random.IntN(6) {
		name := fmt.Sprintf("o%d", n)
		m.wanted["the-"+name] = true
		switch m.random.IntN(4) {
		case 0:
			lines += fmt.Sprintf("\nSecret %s < %s : {stringData: {content: the-%s}}", name, owners[m.random.IntN(len(owners))], name)
		case 1:
			lines += fmt.Sprintf("\nConfigMap %s < %s : {data: {content: the-%s}}", name, owners[m.random.IntN(len(owners))], name)
		case 2:
			lines += fmt.Sprintf("\nTank %s < %s : {spec: {size: the-%s}}", name, owners[m.random.IntN(len(owners))], name)
		default:
			lines += fmt.Sprintf("\nCrate %s < %s : {spec: {size: the-%s}, meta: {finalizers: [depot.example.com/cloud]}}", name, owners[m.random.IntN(len(owners))], name)
			owners = append(owners, "Crate "+name)
		}
	}
	m.create(lines + "\nSecret unrelated : {stringData: {content: the-unrelated}}")
	m.wanted["the-unrelated"] = true
	for range 2 + m.random.IntN(4) {
		m.at[1+m.random.Int64N(320)] = true
	}
	return m
}

// through returns options whose requests are counted.
func (m *randomMove) through(o move.Options) move.Options {
	wrap := func(next http.RoundTripper) http.RoundTripper { return &stranger{next, m} }
	o.Source.Wrap(wrap)
	o.Target.Wrap(wrap)
	return begin(o, move.Creating, func() { m.begun.Store(true) })
}

// A stranger is a transport that writes before some requests.
type stranger struct {
	next http.RoundTripper
	move *randomMove
}

// RoundTrip sends a request.
func (s *stranger) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.move.begun.Load() {
		if n := s.move.sent.Add(1); s.move.at[n] {
			s.move.write(n)
		}
	}
	return s.next.RoundTrip(r)
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (s *stranger) WrappedRoundTripper() http.RoundTripper { return s.next }

// contentOf returns the content of an object.
func contentOf(o *unstructured.Unstructured) string {
	for _, path := range [][]string{{"data", "content"}, {"spec", "size"}} {
		if text, _ := field(o, path...).(string); text != "" {
			if o.GetKind() != "Secret" {
				return text
			}
			decoded, _ := base64.StdEncoding.DecodeString(text) // the server encodes it
			return string(decoded)
		}
	}
	return ""
}

// contents returns the objects of a side that have a content and are not being deleted.
func (m *randomMove) contents(s *site) (all []*unstructured.Unstructured) {
	for _, r := range randomKinds {
		list, err := m.in(s, r).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			m.t.Error(err)
			return nil
		}
		for i := range list.Items {
			o := &list.Items[i]
			if contentOf(o) != "" && o.GetDeletionTimestamp() == nil {
				all = append(all, o)
			}
		}
	}
	slices.SortFunc(all, func(a, b *unstructured.Unstructured) int { return strings.Compare(a.GetName(), b.GetName()) })
	return all
}

// has reports whether a side has a content.
func (m *randomMove) has(s *site, content string) bool {
	return slices.ContainsFunc(m.contents(s), func(o *unstructured.Unstructured) bool { return contentOf(o) == content })
}

// write has somebody else write on a side.
func (m *randomMove) write(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, other := m.from, m.to
	if m.random.IntN(2) == 0 {
		s, other = other, s
	}
	all := slices.DeleteFunc(m.contents(s), func(o *unstructured.Unstructured) bool { return o.GetName() == "unrelated" })
	if len(all) == 0 {
		return
	}
	o := all[m.random.IntN(len(all))]
	what := strangers[m.random.IntN(len(strangers))]
	m.log = append(m.log, fmt.Sprintf("before request %d: somebody %s %s %s of the %s", n, what.it, o.GetKind(), o.GetName(), s.name))
	if what.removes {
		owns := slices.ContainsFunc(all, func(x *unstructured.Unstructured) bool {
			return slices.ContainsFunc(x.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == o.GetUID() })
		})
		if owns {
			return // the garbage collector would delete what it owns
		}
		if content := contentOf(o); !m.has(other, content) {
			delete(m.wanted, content)
		} else if s == m.to {
			m.removed[content] = true
		}
	}
	if err := what.do(m, s, o); err != nil {
		m.log = append(m.log, err.Error()) // the move was faster
	}
}

// patch merges a change into an object.
func (m *randomMove) patch(s *site, o *unstructured.Unstructured, patch string, subresources ...string) error {
	_, err := m.in(s, resourceOf(o)).Patch(context.Background(), o.GetName(), types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "stranger"}, subresources...)
	return err
}

// resourceOf returns the resource of an object.
func resourceOf(o *unstructured.Unstructured) schema.GroupVersionResource {
	return yardKinds[o.GetKind()]
}

// strangers are what somebody else does to an object of a side.
var strangers = []struct {
	it      string
	removes bool // an instance of a content
	do      func(m *randomMove, s *site, o *unstructured.Unstructured) error
}{
	{"creates again", true, func(m *randomMove, s *site, o *unstructured.Unstructured) error {
		next := &unstructured.Unstructured{Object: map[string]any{"apiVersion": o.GetAPIVersion(), "kind": o.GetKind()}}
		next.SetName(o.GetName())
		next.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": "a"})
		content := fmt.Sprintf("another-%s-%d", o.GetName(), m.random.IntN(1000))
		switch o.GetKind() {
		case "Secret":
			next.Object["stringData"] = map[string]any{"content": content}
		case "ConfigMap":
			next.Object["data"] = map[string]any{"content": content}
		default:
			next.Object["spec"] = map[string]any{"size": content}
		}
		err := m.patch(s, o, `{"metadata": {"finalizers": null}}`)
		if err == nil {
			err = m.in(s, resourceOf(o)).Delete(context.Background(), o.GetName(), metav1.DeleteOptions{})
		}
		if err == nil {
			_, err = m.in(s, resourceOf(o)).Create(context.Background(), next, metav1.CreateOptions{FieldManager: "stranger"})
		}
		if err == nil {
			m.wanted[content] = true
		}
		return err
	}},
	{"deletes", true, func(m *randomMove, s *site, o *unstructured.Unstructured) error {
		return m.in(s, resourceOf(o)).Delete(context.Background(), o.GetName(), metav1.DeleteOptions{})
	}},
	{"changes", true, func(m *randomMove, s *site, o *unstructured.Unstructured) error {
		content := fmt.Sprintf("edited-%s-%d", o.GetName(), m.random.IntN(1000))
		part := `{"spec": {"size": %q}}`
		switch o.GetKind() {
		case "Secret":
			part = `{"stringData": {"content": %q}}`
		case "ConfigMap":
			part = `{"data": {"content": %q}}`
		}
		delete(m.wanted, contentOf(o)) // the move copies the change, or the writer keeps it
		err := m.patch(s, o, fmt.Sprintf(part, content))
		m.wanted[content] = err == nil && s == m.from
		return err
	}},
	{"unpauses the Cluster instead of", false, func(m *randomMove, s *site, _ *unstructured.Unstructured) error {
		_, err := m.in(s, clusters).Patch(context.Background(), "a", types.MergePatchType, []byte(`{"spec": {"paused": false}}`), metav1.PatchOptions{FieldManager: "stranger"})
		return err
	}},
	{"removes the owners of", false, func(m *randomMove, s *site, o *unstructured.Unstructured) error {
		return m.patch(s, o, `{"metadata": {"ownerReferences": null}}`)
	}},
	{"adds a finalizer to", false, func(m *randomMove, s *site, o *unstructured.Unstructured) error {
		return m.patch(s, o, `{"metadata": {"finalizers": ["stranger.example.com/hold"]}}`)
	}},
	{"writes the status of", false, func(m *randomMove, s *site, o *unstructured.Unstructured) error {
		if o.GetKind() != "Tank" {
			return nil // only Tanks have one
		}
		return m.patch(s, o, `{"status": {"power": "on"}}`, "status")
	}},
}

// play moves, goes on after each stop, and checks what is left.
func (m *randomMove) play() {
	o := m.options()
	r, err := m.run(m.t.Context(), m.through(o))
	for attempt := 0; err != nil && attempt < 2; attempt++ {
		m.log = append(m.log, "it stops: "+err.Error())
		m.check(err)
		status, statusErr := move.ReadStatus(m.t.Context(), o)
		if statusErr != nil || status.Phase == move.RolledBack {
			break
		}
		next := m.resumed(o)
		next.Source, next.Target = m.from.Config(), m.to.Config()
		if status.MayRollBack && m.random.IntN(2) == 0 {
			m.log = append(m.log, "it is rolled back")
			r, err = m.mover(m.through(next)).Rollback(m.t.Context())
		} else {
			m.log = append(m.log, "it is resumed")
			r, err = m.mover(m.through(next)).Resume(m.t.Context())
		}
	}
	m.log = append(m.log, fmt.Sprintf("it ends: %v, after %d requests", err, m.sent.Load()))
	m.check(err)
	if err == nil && r.Phase == move.Done && m.find(m.from, clusters, "a") != nil {
		m.t.Error("the move is done, and the source has the Cluster")
	}
	m.t.Log(strings.Join(m.log, "\n"))
}

// check compares what both sides have with what there was.
func (m *randomMove) check(ended error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for content, isWanted := range m.wanted {
		switch {
		case !isWanted || m.has(m.from, content) || m.has(m.to, content):
		case m.removed[content] && ended != nil: // somebody has deleted the copy in the same moment
		default:
			m.t.Errorf("%s is lost", content)
		}
	}
	active := 0
	for _, s := range []*site{m.from, m.to} {
		if o := m.find(s, clusters, "a"); o != nil && field(o, "spec", "paused") != true {
			active++
		}
	}
	unpaused := slices.ContainsFunc(m.log, func(line string) bool { return strings.Contains(line, "unpauses the Cluster") })
	if active > 1 && !unpaused {
		m.t.Error("the Cluster is active on both sides")
	}
	if o := m.find(m.from, secrets, "unrelated"); o == nil || contentOf(o) != "the-unrelated" {
		m.t.Error("the unrelated Secret was changed")
	}
}
