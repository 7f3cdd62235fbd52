package faults_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/poll"
)

var live cluster.Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// patience is the timeout of any step on a busy machine.
const patience = poll.Patience

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

func maps(t *testing.T, config *rest.Config, namespace string) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client.Resource(configMaps).Namespace(namespace)
}

func create(t *testing.T, config *rest.Config, namespace string, names ...string) {
	t.Helper()
	for _, name := range names {
		m := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name}}}
		if _, err := maps(t, config, namespace).Create(t.Context(), m, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// watching returns the events of a plain watch of the ConfigMaps m…, as a word or two for each
// event. The channel is closed at the end.
func watching(t *testing.T, config *rest.Config, namespace string, o metav1.ListOptions) <-chan string {
	t.Helper()
	if o.SendInitialEvents == nil {
		list, err := maps(t, config, namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o.ResourceVersion = list.GetResourceVersion()
	}
	o.AllowWatchBookmarks = true
	w, err := maps(t, config, namespace).Watch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for e := range w.ResultChan() {
			switch obj := e.Object.(type) {
			case *metav1.Status:
				lines <- fmt.Sprintf("%s %d", e.Type, obj.Code)
			case metav1.Object:
				lines <- strings.TrimSpace(string(e.Type) + " " + obj.GetName())
			}
		}
		lines <- "closed"
	}()
	return lines
}

// take returns a number of the lines.
func take(t *testing.T, lines <-chan string, many int) string {
	t.Helper()
	var got []string
	for len(got) < many {
		select {
		case line, ok := <-lines:
			if !ok {
				return strings.Join(got, ", ")
			}
			if !strings.Contains(line, "kube-root-ca") {
				got = append(got, line)
			}
		case <-time.After(patience):
			t.Fatalf("after %q nothing comes", got)
		}
	}
	return strings.Join(got, ", ")
}

var watches = faults.Match{Verbs: []string{"watch"}, Resources: []string{"configmaps"}}

func TestOpenWatches(t *testing.T) {
	c := live.Cluster(t)
	m1 := func(e faults.Event) bool { return e.Name == "m1" }
	rows := []struct {
		it    string
		fault faults.Fault
		want  string // after the creation of m1 to m4, or without it if only the time cuts
	}{
		{"is cut at once", faults.Cut{}, "closed"},
		{"is cut after a while", faults.Cut{After: time.Millisecond}, "closed"},
		{"is cut after two events", faults.Cut{Events: 2}, "ADDED m1, ADDED m2, closed"},
		{"breaks off", faults.Cut{Events: 1, Abort: true}, "ADDED m1, ERROR 500, closed"},
		{"expires", faults.Expire{}, "ERROR 410, closed"},
		{"expires after an event", faults.Expire{Events: 1}, "ADDED m1, ERROR 410, closed"},
		{"loses an event", faults.Drop{If: m1}, "ADDED m2, ADDED m3, ADDED m4"},
		{"loses none of another type", faults.Drop{Types: []string{"DELETED"}}, "ADDED m1, ADDED m2"},
		{"has every event twice", faults.Duplicate{}, "ADDED m1, ADDED m1, ADDED m2, ADDED m2"},
		{"has events in another order", faults.Reorder{Wait: patience}, "ADDED m2, ADDED m1, ADDED m4, ADDED m3"},
		{"has only bookmarks", faults.Bookmarks{}, "BOOKMARK, BOOKMARK, BOOKMARK, BOOKMARK"},
		{"is garbage", faults.Garbage{}, "ERROR 500, closed"},
		{"is cut off within an event", faults.Truncate{}, "closed"},
		{"trickles", faults.Trickle{Every: time.Millisecond}, "ADDED m1, ADDED m2, ADDED m3, ADDED m4"},
		{"is late", faults.Delay{Min: 50 * time.Millisecond, Jitter: time.Millisecond}, "ADDED m1, ADDED m2, ADDED m3, ADDED m4"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			p := faults.Start(t, c.Config())
			lines := watching(t, p.Config(), ns, metav1.ListOptions{})
			struck := p.Inject(watches, row.fault)
			start := time.Now()
			if after, ok := row.fault.(faults.Cut); !ok || after.After == 0 { // otherwise an event might arrive first
				create(t, c.Config(), ns, "m1", "m2", "m3", "m4")
			}
			if got := take(t, lines, 1+strings.Count(row.want, ",")); got != row.want {
				t.Errorf("it %s: have %s\nwant %s", row.it, got, row.want)
			}
			if f, ok := row.fault.(faults.Delay); ok && time.Since(start) < f.Min {
				t.Errorf("it %s: it took %s, want at least %s", row.it, time.Since(start), f.Min)
			}
			if none := row.it == "loses none of another type"; (struck.Hits() == 0) != none {
				t.Errorf("the fault has struck %d times", struck.Hits())
			}
		})
	}
}

// Faults do not change the initial list by default.
func TestInitialEventsAreWhole(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	create(t, c.Config(), ns, "m1", "m2")
	p := faults.Start(t, c.Config())
	for _, f := range []faults.Fault{faults.Drop{}, faults.Duplicate{}, faults.Reorder{}, faults.Bookmarks{}, faults.Cut{Events: 1}} {
		p.Inject(watches, f)
	}
	yes := true
	o := metav1.ListOptions{SendInitialEvents: &yes, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
	lines := watching(t, p.Config(), ns, o)
	if got := take(t, lines, 3); got != "ADDED m1, ADDED m2, BOOKMARK" {
		t.Errorf("have %s", got)
	}
	whole := p.Inject(watches, faults.Cut{Events: 2, Initial: true})
	if got := take(t, watching(t, p.Config(), ns, o), 3); !strings.HasSuffix(got, "closed") || whole.Hits() == 0 {
		t.Errorf("cut in the middle of the list: have %s", got)
	}
}

func TestSilence(t *testing.T) {
	c := live.Cluster(t)
	for _, connection := range []bool{false, true} {
		t.Run(fmt.Sprintf("connection %t", connection), func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			p := faults.Start(t, c.Config())
			lines := watching(t, p.Config(), ns, metav1.ListOptions{})
			hole := p.Inject(watches, faults.Silence{Connection: connection})
			poll.Wait(t, "the watch falls silent", func() bool { return hole.Hits() == 1 })
			create(t, c.Config(), ns, "m1")
			hole.Off()
			create(t, c.Config(), ns, "m2")
			// Other watches are not affected, unless they are on the same connection.
			other := rest.CopyConfig(p.Config())
			other.NextProtos = []string{"http/1.1"}
			fresh := watching(t, other, ns, metav1.ListOptions{})
			create(t, c.Config(), ns, "m3")
			if got := take(t, fresh, 1); got != "ADDED m3" {
				t.Errorf("another watch has %s", got)
			}
			select {
			case line := <-lines:
				t.Errorf("have %s, want silence", line)
			default:
			}
			if n := p.Count(watches).Open; n != 2 {
				t.Errorf("%d watches are open, want 2", n)
			}
		})
	}
}

func TestRequestsAreSwallowed(t *testing.T) {
	c := live.Cluster(t)
	p := faults.Start(t, c.Config())
	hole := p.Inject(faults.Match{}, faults.Silence{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := maps(t, p.Config(), "default").List(ctx, metav1.ListOptions{})
		done <- err
	}()
	poll.Wait(t, "the request is made", func() bool { return hole.Hits() == 1 })
	hole.Off()
	if _, err := maps(t, p.Config(), "default").List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("after it is lifted: %v", err)
	}
	select {
	case err := <-done:
		t.Errorf("what was swallowed was answered: %v", err)
	default:
	}
	cancel()
	<-done
}

// A watch in another encoding than JSON is forwarded unchanged. A fault that reads its events
// makes the proxy request it in JSON.
func TestEncodings(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	p := faults.Start(t, c.Config())
	client, err := metadata.NewForConfig(p.Config())
	if err != nil {
		t.Fatal(err)
	}
	secrets := client.Resource(configMaps).Namespace(ns)
	list, err := secrets.List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := metav1.ListOptions{ResourceVersion: list.ResourceVersion}
	open, err := secrets.Watch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	create(t, c.Config(), ns, "m1")
	if e := <-open.ResultChan(); e.Object.(metav1.Object).GetName() != "m1" || p.Count(watches).Events != 0 {
		t.Errorf("have %s %v, and %d events in JSON", e.Type, e.Object, p.Count(watches).Events)
	}
	drop := p.Inject(watches, faults.Drop{If: func(e faults.Event) bool { return e.Name == "m2" }})
	for range open.ResultChan() { // until it ends
	}
	create(t, c.Config(), ns, "m2", "m3")
	again, err := secrets.Watch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Stop()
	var names []string
	for range 2 {
		e := <-again.ResultChan()
		m, ok := e.Object.(*metav1.PartialObjectMetadata)
		if !ok {
			t.Fatalf("have %T %v", e.Object, e.Object)
		}
		names = append(names, m.Name)
	}
	if !slices.Equal(names, []string{"m1", "m3"}) || drop.Hits() != 1 {
		t.Errorf("have %s, and %d events are dropped", names, drop.Hits())
	}
}
