package move_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

var (
	storms    = flag.Int("storms", 200, "the number of moves of TestStorms")
	firstSeed = flag.Uint64("seed", 0, "the seed of the first move of TestStorms; each next one is larger by one")
)

// Others write on both sides between any two requests of a move of random objects, which may crash
// at any request. Whatever they do, the move never removes the last instance of a content that
// existed at the beginning. It never makes a Cluster active on both sides. It deletes no original
// while somebody has unpaused the source. It ends without an error only if all is well.
func TestStorms(t *testing.T) {
	ends := map[string]int{}
	for n := range *storms {
		seed := *firstSeed + uint64(n)
		synctest.Test(t, func(t *testing.T) {
			s := newStorm(t, seed)
			ends[s.play()]++
			if t.Failed() {
				t.Logf("seed %d:\n%s\n%s", seed, s.text, strings.Join(s.log, "\n"))
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d moves end with %v", *storms, ends)
	if *storms >= 200 && (ends["done"] == 0 || ends["rolled back"] == 0 || ends["stopped"] == 0) {
		t.Error("some ends are missing")
	}
}

// A storm is a move with others that write.
type storm struct {
	*world
	random *rand.Rand
	text   string // the objects of the source
	line   *line

	mu        sync.Mutex // guards the fields below
	log       []string
	isOther   bool            // somebody else writes
	destroyed map[string]bool // contents that somebody else has removed
	// taken has the step of the deletion in which somebody else has removed an instance of a content
	// in the target. The move finds that before the next step.
	taken    map[string]int
	mustStop string          // a content that is lost in this way
	goesBack map[string]bool // contents that somebody else has removed from the source during a rollback
	phase    move.Phase
	unpaused int // the step of the deletion in which somebody else unpaused the source; -1: never
	step     int // of the deletion
	now      [2]side
}

func newStorm(t *testing.T, seed uint64) *storm {
	s := &storm{random: rand.New(rand.NewPCG(seed, 0)), destroyed: map[string]bool{}, taken: map[string]int{}, goesBack: map[string]bool{}, unpaused: -1}
	s.text = s.fleet()
	kinds := append([]string{"Image"}, fleetKinds...)
	s.world = &world{T: t, from: clusterapitest.NewServer(t, "source", kinds...), to: clusterapitest.NewServer(t, "target", kinds...), journal: journalIn(t)}
	s.put(s.from, s.text)
	s.put(s.to, "Secret shop/unrelated : {data: {content: the-unrelated}}")
	for i, server := range []*wiretest.Server{s.from, s.to} {
		server.CollectGarbage()
		s.core[i] = clusterapitest.RunCore(server, "Image")
	}
	synctest.Wait()
	for i, server := range []*wiretest.Server{s.from, s.to} {
		s.now[i] = side{}
		for _, u := range server.Objects() {
			s.now[i][nameOf(u)] = u
		}
		server.Observe(func(before, after *unstructured.Unstructured) { s.change(i, before, after) })
	}
	return s
}

// fleet returns the lines of random objects below one or two Clusters. Each has a content of its own.
func (s *storm) fleet() string {
	var lines, names []string
	add := func(kind, name, owners string) {
		content := fmt.Sprintf("{spec: {content: %s}", "the-"+name)
		switch kind {
		case "Cluster":
			content = fmt.Sprintf("{spec: {content: %s, controlPlaneEndpoint: {host: a, port: 6443}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}", "the-"+name)
		case "Secret", "ConfigMap":
			content = fmt.Sprintf("{data: {content: %s}", "the-"+name)
		}
		if s.random.IntN(3) == 0 {
			content += ", metadata: {finalizers: [depot]}"
		}
		lines = append(lines, fmt.Sprintf("%s shop/%s%s : %s}", kind, name, owners, content))
		names = append(names, kind+" shop/"+name)
	}
	clusters := 1 + s.random.IntN(2)
	for n := range clusters {
		add("Cluster", "c"+string(rune('0'+n)), "")
	}
	kinds := []string{"Box", "Box", "BoxTemplate", "MachineSet", "Secret", "ConfigMap"}
	for n := range 2 + s.random.IntN(6) {
		kind, owners := kinds[s.random.IntN(len(kinds))], ""
		for range s.random.IntN(3) {
			owners += " < " + names[s.random.IntN(len(names))]
		}
		if owners == "" || s.random.IntN(2) == 0 {
			owners += below + "c" + string(rune('0'+s.random.IntN(clusters)))
		}
		add(kind, "o"+string(rune('0'+n)), owners)
	}
	add("Secret", "c0-ca", "")
	add("Image", "labeled", " clusterctl.cluster.x-k8s.io/move=")
	add("Secret", "unrelated", "")
	if s.random.IntN(10) == 0 {
		lines = append(lines, "Box shop/thief"+below+"c0 : {spec: {identityRef: {kind: Secret, name: token, namespace: vault}}}", "Secret vault/token : {data: {content: secret}}")
	}
	return strings.Join(lines, "\n")
}

// contentOf returns the content of an object of a storm, and an empty text for all others.
func contentOf(u *unstructured.Unstructured) string {
	for _, part := range []string{"spec", "data"} {
		if text := field(u, part, "content"); text != "" {
			return text
		}
	}
	return ""
}

// change checks a change of a side.
func (s *storm) change(at int, before, after *unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	isGoing := before != nil && before.GetDeletionTimestamp() == nil && (after == nil || after.GetDeletionTimestamp() != nil)
	if after == nil {
		delete(s.now[at], nameOf(before))
	} else {
		s.now[at][nameOf(after)] = after
	}
	if at == target && after != nil && after.GetNamespace() == "vault" {
		s.Errorf("%s is copied", nameOf(after))
	}
	if before == nil || contentOf(before) == "" {
		return
	}
	if content := contentOf(before); strings.HasPrefix(content, "the-") && (isGoing || contentOf(after) != content) {
		if step, taken := s.taken[content]; s.isOther && isGoing && at == target {
			s.taken[content] = s.step
		} else if taken && step == s.step && !s.isOther && !s.exists(content) {
			s.mustStop, s.destroyed[content] = content, true
		}
		if s.isOther && at == source && s.phase == move.RollingBack {
			s.goesBack[content] = true
		}
		switch {
		case s.exists(content):
		case s.isOther || at == target && s.goesBack[content] || before.GetDeletionTimestamp() != nil:
			s.destroyed[content] = true
		case !s.destroyed[content]:
			s.Errorf("the last instance of %s is removed: %s in %d becomes %s", content, nameOf(before), at, contentOf(after))
		}
	}
	if s.isOther {
		return
	}
	if before.GetName() == "unrelated" {
		s.Errorf("%s is changed", nameOf(before))
	}
	if isGoing && at == source && s.unpaused >= 0 && s.step > s.unpaused && isActive(s.now[source]["Cluster shop/c0"]) {
		s.Errorf("%s is deleted in step %d, and the source was unpaused in step %d", nameOf(before), s.step, s.unpaused)
	}
	if name := nameOf(before); after != nil && before.GetKind() == "Cluster" && !isActive(before) && isActive(after) && isActive(s.now[1-at][name]) {
		s.Errorf("%s becomes active although it is active on the other side", name)
	}
}

// exists reports whether a side has an object with a content that is not being deleted.
func (s *storm) exists(content string) bool {
	for _, now := range s.now {
		for _, u := range now {
			if u.GetDeletionTimestamp() == nil && contentOf(u) == content {
				return true
			}
		}
	}
	return false
}

// play moves, and returns how that ends.
func (s *storm) play() string {
	o := s.listening()
	crash := s.random.IntN(3) > 0
	ctx, cancel := context.WithCancelCause(s.Context())
	defer cancel(nil)
	s.line = &line{w: s.world}
	s.line.each = s.storms(1+s.random.IntN(3), 300)
	if crash {
		s.line.at = 1 + s.random.IntN(260)
		s.line.do = func() {
			s.line.down()
			cancel(errors.New("crashed"))
		}
	}
	_, err := run(ctx, s.line.through(o))
	for attempt := 0; err != nil && attempt < 3; attempt++ {
		s.say("it stops: %v", err)
		s.line.up()
		o := s.listening()
		status, statusErr := move.ReadStatus(s.Context(), o)
		if statusErr != nil || status.Phase == move.RolledBack {
			return "before"
		}
		s.line = &line{w: s.world, each: s.storms(s.random.IntN(2), 150)}
		if status.MayRollBack && s.random.IntN(2) == 0 {
			if _, err = rollBack(s.Context(), s.line.through(o)); err == nil {
				s.checkContents(source)
				return "rolled back"
			}
			continue
		}
		if s.random.IntN(6) == 0 {
			s.forge()
		}
		_, err = resume(s.Context(), s.line.through(o))
	}
	if err != nil {
		s.say("it stops: %v", err)
		return "stopped"
	}
	s.checkContents(target)
	s.checkActive()
	if s.mustStop != "" {
		s.Errorf("the move is done although the copy of %s was removed", s.mustStop)
	}
	return "done"
}

// listening returns the options of a move whose steps the storm follows.
func (s *storm) listening() move.Options {
	o := s.options()
	o.Timeout = 20 * time.Second
	o.Accept = []string{"not-ready", "dependents"}
	o.OnEvent = func(e move.Event) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.phase = e.Phase
		if e.Message == "" {
			s.log = append(s.log, fmt.Sprintf("- %s %d", e.Phase, e.Step))
		}
		if e.Phase == move.Deleting && e.Step > 0 && e.Total == 0 {
			s.step = e.Step
		}
	}
	return o
}

func (s *storm) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

// forge adds an object to the journal that is not of the move, as somebody who may write there.
func (s *storm) forge() {
	u := s.find(s.from, "Secret shop/unrelated")
	s.editJournal(func(document map[string]any) {
		p, _ := document["plan"].(map[string]any)
		items, _ := p["items"].([]any)
		for _, item := range items {
			if i, _ := item.(map[string]any); i["uid"] == string(u.GetUID()) {
				i["decision"], i["step"] = "Move", 0
				s.say("the journal moves Secret shop/unrelated")
			}
		}
		document["adopted"] = []any{string(u.GetUID())}
	})
}

// checkContents checks that each content exists, and that the labeled object is on a side.
func (s *storm) checkContents(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(s.text) {
		content := "the-" + strings.TrimPrefix(strings.Fields(line)[1], "shop/")
		if !strings.Contains(line, content) || s.destroyed[content] {
			continue
		}
		if !s.exists(content) {
			s.Errorf("%s is gone", content)
		}
		if u := s.now[at]["Image shop/labeled"]; content == "the-labeled" && u == nil {
			s.Errorf("Image shop/labeled is not on side %d", at)
		}
	}
}

// checkActive checks that each Cluster of the target works, and that the source has none.
func (s *storm) checkActive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, u := range s.now[target] {
		if u.GetKind() == "Cluster" && isActive(s.now[source][name]) {
			s.Errorf("%s is in both clusters after the move", name)
		}
	}
}

// storms returns what is called before each request. Somebody else writes before some of the first
// ones.
func (s *storm) storms(times, requests int) func(int) {
	at := map[int]bool{}
	for range times {
		at[1+s.random.IntN(requests)] = true
	}
	var once sync.Mutex
	return func(n int) {
		once.Lock()
		defer once.Unlock()
		if at[n] {
			s.write(n)
		}
	}
}

// write has somebody else write on a side.
func (s *storm) write(n int) {
	s.mu.Lock()
	var all [2][]*unstructured.Unstructured
	for i := range all {
		for _, u := range s.now[i] {
			if contentOf(u) != "" && isMoved(u) {
				all[i] = append(all[i], u)
			}
		}
		slices.SortFunc(all[i], func(a, b *unstructured.Unstructured) int { return strings.Compare(nameOf(a), nameOf(b)) })
	}
	s.isOther = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.isOther = false
	}()
	at := s.random.IntN(2)
	if len(all[at]) == 0 {
		at = source
	}
	if len(all[at]) == 0 {
		return
	}
	u := all[at][s.random.IntN(len(all[at]))]
	what := others[s.random.IntN(len(others))]
	s.say("before request %d: %s %s in %d", n, what.it, nameOf(u), at)
	what.do(s, at, u)
}

// others are what somebody else does to an object of a side.
var others = []struct {
	it string
	do func(s *storm, at int, u *unstructured.Unstructured)
}{
	{"recreates", func(s *storm, at int, u *unstructured.Unstructured) {
		if u.GetKind() == "Cluster" {
			return
		}
		s.recreate(at, u)
	}},
	{"recreates what is gone instead of", func(s *storm, at int, _ *unstructured.Unstructured) {
		s.mu.Lock()
		var gone []*unstructured.Unstructured
		for name, u := range s.now[target] {
			if s.now[source][name] == nil && contentOf(u) != "" && u.GetKind() != "Cluster" {
				gone = append(gone, u)
			}
		}
		s.mu.Unlock()
		slices.SortFunc(gone, func(a, b *unstructured.Unstructured) int { return strings.Compare(nameOf(a), nameOf(b)) })
		if len(gone) > 0 {
			s.recreate(source, gone[s.random.IntN(len(gone))])
		}
	}},
	{"unpauses the Cluster instead of", func(s *storm, at int, _ *unstructured.Unstructured) {
		s.mu.Lock()
		u := s.now[at]["Cluster shop/c0"]
		if u != nil && at == source && !isActive(u) {
			s.unpaused = s.step
		}
		s.mu.Unlock()
		if u != nil {
			s.server(at).Edit("stranger", "", u, set(false, "spec", "paused"))
		}
	}},
	{"changes the owner of", func(s *storm, at int, u *unstructured.Unstructured) {
		s.server(at).Edit("stranger", "", u, func(u *unstructured.Unstructured) { u.SetOwnerReferences(nil) })
	}},
	{"deletes", func(s *storm, at int, u *unstructured.Unstructured) {
		if u.GetKind() == "Cluster" || s.owns(at, u) {
			return
		}
		s.delete(at, u)
	}},
	{"adds a finalizer to", func(s *storm, at int, u *unstructured.Unstructured) {
		s.server(at).Edit("stranger", "", u, func(u *unstructured.Unstructured) {
			if u.GetDeletionTimestamp() == nil {
				u.SetFinalizers(append(u.GetFinalizers(), "stranger"))
			}
		})
	}},
	{"writes the status of", func(s *storm, at int, u *unstructured.Unstructured) {
		if k := management.Find(clusterapitest.Kinds(), u.GroupVersionKind().GroupKind()); k.HasStatus {
			s.server(at).Edit("stranger", "status", u, set("on", "status", "power"))
		}
	}},
	{"edits the content of", func(s *storm, at int, u *unstructured.Unstructured) {
		part := "spec"
		if u.Object["data"] != nil {
			part = "data"
		}
		s.mu.Lock()
		s.destroyed[contentOf(u)] = true // the move copies the change
		s.mu.Unlock()
		s.server(at).Edit("stranger", "", u, set("edited", part, "content"))
	}},
}

// owns reports whether an object of a side owns another.
func (s *storm) owns(at int, u *unstructured.Unstructured) bool {
	for _, other := range s.server(at).Objects() {
		for _, r := range other.GetOwnerReferences() {
			if r.UID == u.GetUID() {
				return true
			}
		}
	}
	return false
}

// delete deletes an object of a side. It goes with its last finalizer.
func (s *storm) delete(at int, u *unstructured.Unstructured) {
	s.server(at).Edit("stranger", "", u, set(time.Now().UTC().Format(time.RFC3339), "metadata", "deletionTimestamp"))
}

// recreate replaces an object of a side by another one with its name.
func (s *storm) recreate(at int, u *unstructured.Unstructured) {
	server := s.server(at)
	if live := server.Find(u.GroupVersionKind().GroupKind(), u.GetNamespace(), u.GetName()); live != nil {
		if s.owns(at, live) {
			return // the garbage collector would delete what it owns
		}
		server.Edit("stranger", "", live, func(u *unstructured.Unstructured) { u.SetFinalizers(nil) })
		s.delete(at, live)
	}
	next := u.DeepCopy()
	next.SetUID("")
	next.SetFinalizers(nil)
	next.SetAnnotations(nil)
	next.SetDeletionTimestamp(nil)
	next.SetOwnerReferences(nil)
	labels := next.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[management.ClusterNameLabel] = "c0"
	next.SetLabels(labels)
	for _, part := range []string{"spec", "data"} {
		if field(next, part, "content") != "" {
			set("another", part, "content")(next)
		}
	}
	next.SetUID(uidOfAnother(s.random))
	server.Put(next)
}

// uidOfAnother returns a UID that no object has.
func uidOfAnother(r *rand.Rand) types.UID { return types.UID(fmt.Sprintf("another-%d", r.Uint64())) }
