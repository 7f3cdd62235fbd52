package writes

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/poll"
)

// TestEveryWriteIsReportedOnce writes while the watch suffers from faults. The stream must contain
// the API server's responses to the writers, in order.
func TestEveryWriteIsReportedOnce(t *testing.T) {
	rows := []struct {
		it     string
		verbs  []string // of the requests with the fault; watches if empty
		fault  faults.Fault
		strike int  // limit of the affected requests; 0: all
		gap    bool // the server rejects older versions
	}{
		{it: "goes on where the watch was when it ends again and again", fault: faults.Cut{Events: 7}, strike: 5},
		{it: "goes on where the watch was when the stream breaks off", fault: faults.Cut{Events: 5, Abort: true}, strike: 5},
		{it: "goes on where the watch was when the connection is reset", fault: faults.Reset{}, strike: 3},
		{it: "goes on where the watch was when an event is cut off", fault: faults.Truncate{Bytes: 100}, strike: 3},
		{it: "reads on when an event is no JSON", fault: faults.Garbage{}, strike: 2},
		{it: "comes back when it is told to come later", fault: faults.Answer{Code: http.StatusTooManyRequests, RetryAfter: time.Second}, strike: 2},
		{it: "comes back when the server is ill", fault: faults.Answer{Code: http.StatusInternalServerError}, strike: 2},
		{it: "tells no event twice that comes twice", fault: faults.Duplicate{}},
		{it: "says that there is a gap when the server does not remember", fault: faults.Expire{Events: 9}, strike: 3, gap: true},
		{it: "lists again until it can", verbs: []string{"list"}, fault: faults.Answer{Code: http.StatusServiceUnavailable}, strike: 2},
	}
	c, _ := newFixture(t)
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			proxy := faults.Start(t, c.Config())
			if len(row.verbs) == 0 {
				row.verbs = []string{"watch"}
			}
			match := faults.Match{Verbs: row.verbs, Resources: []string{"lamps.audit.example.com"}, First: row.strike}
			in := proxy.Inject(match, row.fault)
			h := follow(t, writes.Cluster{Config: proxy.Config(), Kinds: []string{"lamps.audit.example.com"}, Namespaces: []string{ns}, TickInterval: 100 * time.Millisecond})
			want := writeObjects(t, client(t, c.Config(), ns, lamps), h)
			if row.gap {
				poll.Wait(t, "a gap is reported", func() bool { return slices.Contains(h.writes(), "GAP  ") })
			}
			last := want[len(want)-1]
			poll.Wait(t, "the last write is reported: "+last, func() bool { return slices.Contains(h.writes(), last) })
			have := h.writes()
			if !row.gap && !slices.Equal(groupByObject(have), groupByObject(want)) {
				t.Errorf("it tells\n%s\nwant\n%s", strings.Join(groupByObject(have), "\n"), strings.Join(groupByObject(want), "\n"))
			}
			for i, w := range have {
				if slices.Contains(have[:i], w) && w != "GAP  " {
					t.Errorf("%s is told twice", w)
				}
			}
			if in.Hits() == 0 {
				t.Error("the fault has not struck")
			}
		})
	}
}

// writeObjects creates, changes and deletes objects, and returns the expected events of a watch.
// The last write is to an object that stays. From time to time, it waits until the recorder has
// caught up, so that a watch has events after each interruption.
func writeObjects(t *testing.T, c dynamic.ResourceInterface, h *streamRecorder) (want []string) {
	t.Helper()
	note := func(what audit.WriteType, u *unstructured.Unstructured) *unstructured.Unstructured {
		want = append(want, fmt.Sprintf("%s %s %s", what, u.GetName(), u.GetResourceVersion()))
		return u
	}
	all := map[string]*unstructured.Unstructured{}
	for i := range 40 {
		for _, name := range []string{"a", "b", "c"} {
			switch {
			case all[name] == nil:
				all[name] = note(audit.WriteAdded, createLamp(t, c, name))
			case i%11 == 10 && name == "b":
				if err := c.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
					t.Fatal(err)
				}
				want = append(want, "DELETED b")
				delete(all, name)
			default:
				all[name] = note(audit.WriteModified, writeStatus(t, c, all[name], map[string]any{"turn": int64(i)}))
			}
		}
		if last := want[len(want)-1]; i%5 == 0 {
			poll.Wait(t, "a write is reported: "+last, func() bool { return slices.Contains(h.writes(), last) })
		}
	}
	return want
}

// groupByObject returns the events of each object, in order. The writer does not know the
// resourceVersion of a deletion.
func groupByObject(all []string) []string {
	all = slices.Clone(all)
	for i, w := range all {
		if f := strings.Fields(w); f[0] == "DELETED" {
			all[i] = f[0] + " " + f[1]
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return strings.Compare(strings.Fields(a)[1], strings.Fields(b)[1]) })
	return all
}

func TestForbiddenKindsAreReported(t *testing.T) {
	c, ns := newFixture(t)
	c.Permit(t, ns, "looker", cluster.Grant{Namespace: ns, Verbs: []string{"list", "watch"}, Resources: []string{"lamps.audit.example.com"}})
	config := c.As("system:serviceaccount:"+ns+":looker", "system:authenticated")
	h := follow(t, writes.Cluster{Config: config, Kinds: []string{"*.audit.example.com", "deploy"}, Namespaces: []string{ns}}, "deployments.apps", "doors.audit.example.com")
	u := createLamp(t, client(t, c.Config(), ns, lamps), "a")
	poll.Wait(t, "the Lamp is reported", func() bool { return slices.Contains(h.writes(), "ADDED a "+u.GetResourceVersion()) })
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(h.notes)
	if len(h.notes) != 2 || !strings.HasPrefix(h.notes[0], "deployments.apps in namespace "+ns+" cannot be watched") ||
		!strings.HasPrefix(h.notes[1], "doors.audit.example.com in namespace "+ns+" cannot be watched") {
		t.Errorf("it is said\n%s", strings.Join(h.notes, "\n"))
	}
}

func TestFollowRefuses(t *testing.T) {
	c, _ := newFixture(t)
	nobody := c.As("nobody", "system:authenticated")
	for _, row := range []struct {
		it     string
		config *rest.Config
		kinds  []string
		want   string
	}{
		{"to read Secrets", c.Config(), []string{"secrets"}, "secrets: want another kind; its objects are confidential and never read"},
		{"kinds that are not served", c.Config(), []string{"lamps.audit.example.com", "chairs.audit.example.com"}, "chairs.audit.example.com: want a kind"},
		{"to start without kinds", c.Config(), nil, "want at least one kind"},
		{"to go on when nothing may be watched", nobody, []string{"lamps.audit.example.com"}, "lamps.audit.example.com cannot be watched"},
	} {
		t.Run(row.it, func(t *testing.T) {
			err := (&writes.Cluster{Config: row.config, Kinds: row.kinds}).Watch(t.Context(), func(audit.Write) {})
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Follow refuses %s, want an error with %q, have %v", row.it, row.want, err)
			}
		})
	}
}
