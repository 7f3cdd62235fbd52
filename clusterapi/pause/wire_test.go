package pause

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
	"kstatus.dev/status"
)

// shopText is the Cluster shop. No controller reports about it.
const shopText = "{apiVersion: cluster.x-k8s.io/v1, kind: Cluster, metadata: {namespace: ns, name: shop, uid: ns-shop}}"

// A wire is an API server in memory with the Cluster shop.
type wire struct {
	*testing.T
	*wiretest.Server
}

// definition is a CustomResourceDefinition. Its values are the kind, the plural, the group, and
// the subresources.
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.%[3]s}
spec:
  group: %[3]s
  scope: Namespaced
  names: {kind: %[1]s, plural: %[2]s}
  versions: [{name: v1, served: true, storage: true, subresources: {%[4]s}}]
`

func newWire(t *testing.T) *wire {
	w := &wire{t, wiretest.New(t,
		wiretest.Resource{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true},
		wiretest.Resource{Group: "cluster.x-k8s.io", Version: "v1", Kind: "Cluster", Name: "clusters"},
		wiretest.Resource{Group: boxKind.Group, Version: "v1", Kind: "Box", Name: "boxes"},
	)}
	w.put(fmt.Sprintf(definition, "Cluster", "clusters", "cluster.x-k8s.io", "status: {}"))
	w.put(fmt.Sprintf(definition, "Box", "boxes", boxKind.Group, "status: {}"))
	w.put(shopText)
	return w
}

// put stores an object.
func (w *wire) put(text string) {
	w.Helper()
	w.Put(decode(w, text))
}

// decode returns the object of a YAML document, with whole numbers.
func decode(t testing.TB, text string) *unstructured.Unstructured {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	u := &unstructured.Unstructured{}
	if err == nil {
		err = json.Unmarshal(data, &u.Object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// box stores an object below the Cluster shop.
func (w *wire) box(name, annotations, rest string) {
	w.Helper()
	w.put(fmt.Sprintf("apiVersion: %s/v1\nkind: Box\nmetadata: {namespace: ns, name: %s, uid: box-%[2]s, labels: {cluster.x-k8s.io/cluster-name: shop}, annotations: {%s}}\n%s\n",
		boxKind.Group, name, annotations, rest))
}

// age gives the server versions that it does not reach again soon after a restore, and tells watches.
func (w *wire) age() {
	other := decode(w, "{apiVersion: v1, kind: Event, metadata: {namespace: ns, name: e}}")
	for range 100 {
		w.Put(other)
	}
	w.Bookmark()
	bubble.Sleep(time.Second)
}

// A call is a Pause that runs.
type call struct {
	result *Result
	err    error
	notes  []string
	ended  chan struct{}
}

// pause starts to pause the Cluster shop. Meanwhile the test changes objects.
func (w *wire) pause(o Options, targets ...status.ID) *call {
	c := &call{ended: make(chan struct{})}
	if len(targets) == 0 {
		targets = []status.ID{shop}
	}
	o.OnNote = func(note string) { c.notes = append(c.notes, note) }
	go func() {
		defer close(c.ended)
		c.result, c.err = Pause(context.Background(), w.Config(), targets, o)
	}()
	return c
}

// wait waits for the end of a call, and checks the object box in its result.
func (w *wire) wait(c *call, done bool, want string) {
	w.Helper()
	<-c.ended
	have := ""
	for _, o := range c.result.Objects {
		if o.Kind == status.Kind(boxKind) {
			have = strings.TrimSpace(fmt.Sprint(o.State, " ", o.Reason))
		}
	}
	if c.err != nil || c.result.Done() != done || have != want {
		w.Errorf("done is %t, want %t; the box is %q, want %q; %v %+v %q", c.result.Done(), done, have, want, c.err, c.result.Targets[0].Message, c.notes)
	}
}

// inBubble runs a test against a server. Time advances only while all goroutines wait.
func inBubble(t *testing.T, it string, test func(w *wire)) {
	t.Helper()
	t.Run(it, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { test(newWire(t)) }) })
}

var boxWatches = wiretest.Match{Verbs: []string{"list", "watch"}, Resource: "boxes"}

func TestOnTheWire(t *testing.T) {
	inBubble(t, "acknowledges", func(w *wire) {
		w.box("a", "", runs)
		c := w.pause(Options{})
		bubble.Sleep(5 * time.Second)
		w.box("a", "", oldTrue)
		w.wait(c, true, "Acknowledged Paused")
	})
	inBubble(t, "sees a change in a gap of the watch", func(w *wire) {
		w.box("a", "", runs)
		c := w.pause(Options{})
		bubble.Sleep(5 * time.Second)
		w.Silent(func() { w.box("a", "", oldTrue) })
		w.Compact()
		w.EndWatches(wiretest.Cut)
		w.wait(c, true, "Acknowledged Paused")
	})
	inBubble(t, "acknowledges after the restore of a backup", func(w *wire) {
		w.box("a", "", runs)
		c := w.pause(Options{Timeout: 10 * time.Minute})
		bubble.Sleep(5 * time.Second)
		restore := w.Backup()
		w.age()
		restore(0)
		w.box("a", "", oldTrue)
		w.wait(c, true, "Acknowledged Paused")
	})
	inBubble(t, "reports that the restore of a backup has unpaused a target", func(w *wire) {
		w.box("a", "", runs)
		restore := w.Backup()
		w.age()
		c := w.pause(Options{Timeout: 10 * time.Minute})
		bubble.Sleep(5 * time.Second)
		restore(0)
		<-c.ended
		if have := c.result.Targets[0]; have.Reason != ReasonUnpausedByOther || !strings.Contains(have.Message, "the restore of a backup has unpaused it") {
			t.Errorf("the target is %s: %s", have.Reason, have.Message)
		}
	})
	inBubble(t, "does not trust a watch that misses a change", func(w *wire) {
		w.box("a", "", runs)
		c := w.pause(Options{Timeout: time.Minute})
		bubble.Sleep(5 * time.Second)
		w.box("a", "", oldTrue)
		w.Silent(func() { w.box("a", "clusterctl.cluster.x-k8s.io/block-move: ''", oldTrue) })
		w.wait(c, false, "Acknowledged Paused")
		if have := c.result.Targets[0].Message; !strings.Contains(have, "could not be confirmed") {
			t.Errorf("the message is %q", have)
		}
	})
	inBubble(t, "does not trust silence without a connection", func(w *wire) {
		w.box("a", "", "status: {}")
		c := w.pause(Options{Timeout: time.Minute})
		bubble.Sleep(5 * time.Second)
		w.On(wiretest.Rule{Match: boxWatches, Reply: wiretest.Reply{Code: http.StatusServiceUnavailable}})
		w.EndWatches(wiretest.Cut)
		w.wait(c, false, "Busy Unreadable")
		if !slices.ContainsFunc(c.notes, func(n string) bool { return strings.Contains(n, "boxes.infrastructure.cluster.x-k8s.io") }) {
			t.Errorf("the notes are %q", c.notes)
		}
	})
	inBubble(t, "reports a kind that is never readable", func(w *wire) {
		w.On(wiretest.Rule{Match: boxWatches, Reply: wiretest.Reply{Code: http.StatusInternalServerError}})
		w.wait(w.pause(Options{Timeout: time.Minute}), false, "Busy Unreadable")
	})
	inBubble(t, "cannot tell about a forbidden kind", func(w *wire) {
		w.On(wiretest.Rule{Match: boxWatches, Reply: wiretest.Forbidden})
		w.wait(w.pause(Options{}), true, "Unknown Forbidden")
	})
	inBubble(t, "watches single namespaces if all are forbidden", func(w *wire) {
		var targets []status.ID
		for i := range maxNamespaces + 1 {
			id := shop
			id.Namespace = fmt.Sprintf("ns%d", i)
			w.put(strings.Replace(shopText, "ns", id.Namespace, 2))
			targets = append(targets, id)
		}
		w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list", "watch"}, Resource: "boxes", Wide: true}, Reply: wiretest.Forbidden})
		w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list", "watch"}, Resource: "clusters", Wide: true}, Reply: wiretest.Forbidden})
		c := w.pause(Options{}, targets...)
		w.wait(c, true, "")
		if len(c.result.Targets) != maxNamespaces+1 {
			t.Errorf("%d targets", len(c.result.Targets))
		}
	})
	inBubble(t, "repeats writes after conflicts and errors", func(w *wire) {
		w.box("a", "", strings.Replace(oldTrue, "2026", "1999", 1)) // the bubble begins in 2000
		patches := wiretest.Match{Verbs: []string{"patch"}}
		w.On(wiretest.Rule{Match: patches, Times: 3, Reply: wiretest.Reply{Code: http.StatusConflict, Reason: metav1.StatusReasonConflict}})
		w.On(wiretest.Rule{Match: patches, Times: 3, Reply: wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}})
		w.wait(w.pause(Options{}), true, "Acknowledged Quiet")
	})
	inBubble(t, "survives hostile objects", func(w *wire) {
		w.box("a", "kstatus.dev/pause-before: '[', kstatus.dev/block-move-timeout: -1x", "status: {conditions: {type: Paused}, observedGeneration: [x]}")
		w.put(`{apiVersion: ` + boxKind.Group + `/v1, kind: Box, metadata: {namespace: ns, name: b, uid: b, managedFields: [7, {manager: [], time: {}}],
			ownerReferences: [{uid: ns-shop}, 3, {uid: b}], labels: {cluster.x-k8s.io/cluster-name: "../.."}}, status: 7}`)
		w.put(`{apiVersion: ` + boxKind.Group + `/v1, kind: Box, metadata: {namespace: ns, name: c, uid: c, labels: {cluster.x-k8s.io/cluster-name: shop},
			managedFields: [{manager: "\e[31m` + strings.Repeat("x", 5000) + `"}]}, status: {conditions: [{type: Paused, status: "\u202e` + strings.Repeat("y", 5000) + `"}]}}`)
		c := w.pause(Options{Timeout: time.Minute})
		<-c.ended
		for _, o := range c.result.Objects {
			if len(o.Message) > 1000 || strings.ContainsAny(o.Message, "\x1b\u202e") {
				t.Errorf("%s has the message %q", o.ID, o.Message)
			}
		}
		if have := c.result.Targets[0].Message; len(have) > maxMessage || strings.ContainsAny(have, "\x1b\u202e") {
			t.Errorf("the message is %q", have)
		}
	})
}

// Objects of other custom resources are paused and waited for if the options name the resource.
func TestOtherResources(t *testing.T) {
	crates := schema.GroupResource{Group: "depot.example.com", Resource: "crates"}
	crate := status.ID{Kind: status.Kind{Group: crates.Group, Kind: "Crate"}, Namespace: "ns", Name: "a"}
	for _, row := range []struct {
		it        string
		resources []schema.GroupResource
		target    status.ID
		want      string // the state and the reason of the Crate, or the reason of the target
	}{
		{"pauses one", []schema.GroupResource{crates}, crate, "Acknowledged Paused"},
		{"waits for one below a Cluster", []schema.GroupResource{crates, crates, {Group: boxKind.Group, Resource: "boxes"}}, shop, "Acknowledged Paused"},
		{"ignores one below a Cluster", nil, shop, ""},
		{"refuses one that is not named", nil, crate, "NotSupported"},
		{"refuses one without a definition", []schema.GroupResource{{Group: crates.Group, Resource: "crate"}}, crate, "NotSupported"},
	} {
		inBubble(t, row.it, func(w *wire) {
			w.Serve(wiretest.Resource{Group: crates.Group, Version: "v1", Kind: "Crate", Name: "crates"})
			w.put(fmt.Sprintf(definition, "Crate", "crates", crates.Group, "status: {}"))
			w.put("{apiVersion: depot.example.com/v1, kind: Crate, metadata: {namespace: ns, name: a, uid: crate, ownerReferences: [{uid: ns-shop}]}, " + runs + "}")
			c := w.pause(Options{Resources: row.resources}, row.target)
			bubble.Sleep(5 * time.Second)
			w.Edit("depot", "status", w.Find(schema.GroupKind(crate.Kind), "ns", "a"), func(u *unstructured.Unstructured) {
				u.Object["status"] = decode(w, "{"+oldTrue+"}").Object["status"]
			})
			<-c.ended
			have := string(c.result.Targets[0].Reason)
			for _, o := range c.result.Objects {
				if o.ID == crate {
					have = fmt.Sprint(o.State, " ", o.Reason)
				}
			}
			if have != row.want {
				t.Errorf("the Crate is %q, want %q: %v", have, row.want, c.err)
			}
		})
	}
}

// Without the permission for definitions, a call returns an error and pauses no object.
func TestDefinitionsAreForbidden(t *testing.T) {
	inBubble(t, "returns an error", func(w *wire) {
		w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}, Resource: "customresourcedefinitions"}, Reply: wiretest.Forbidden})
		c := w.pause(Options{})
		<-c.ended
		if !apierrors.IsForbidden(c.err) || c.result.Done() || c.result.Targets[0].Reason != ReasonForbidden {
			t.Errorf("%v %+v", c.err, c.result)
		}
	})
}
