package wiretest_test

import (
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
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/kube/internal/wiretest"
)

var widgets = wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"}

// widget returns a widget with a label.
func widget(name, app string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}}
	u.SetNamespace("shop")
	u.SetName(name)
	u.SetLabels(map[string]string{"app": app})
	return u
}

// connect returns a server of widgets and a client of it.
func connect(t *testing.T) (*wiretest.Server, dynamic.ResourceInterface) {
	server := wiretest.New(t, widgets)
	client, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	return server, client.Resource(widgets.GroupVersionResource()).Namespace("shop")
}

func TestPages(t *testing.T) {
	server, client := connect(t)
	for i := range 5 {
		server.Put(widget(fmt.Sprint("w", i), "web"))
	}
	var pages []int
	options := metav1.ListOptions{Limit: 2}
	for {
		page, err := client.List(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, len(page.Items))
		if options.Continue = page.GetContinue(); options.Continue == "" {
			break
		}
	}
	if !slices.Equal(pages, []int{2, 2, 1}) {
		t.Errorf("have pages of %d", pages)
	}
}

// An object that becomes selected is added, and one that is no longer selected is
// deleted.
func TestWatchesSelect(t *testing.T) {
	server, client := connect(t)
	start := server.Put(widget("a", "web"))
	w, err := client.Watch(t.Context(), metav1.ListOptions{ResourceVersion: start, LabelSelector: "app=web"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	server.Put(widget("b", "web"))
	server.Put(widget("b", "web"))
	server.Put(widget("b", "db"))
	server.Put(widget("b", "db"))
	server.Put(widget("b", "web"))
	server.Delete(widget("b", ""))
	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted, watch.Added, watch.Deleted} {
		if have := <-w.ResultChan(); have.Type != want {
			t.Errorf("have %s, want %s", have.Type, want)
		}
	}
}

func TestCompactedHistory(t *testing.T) {
	server, client := connect(t)
	start := server.Put(widget("a", "web"))
	server.Compact()
	w, err := client.Watch(t.Context(), metav1.ListOptions{ResourceVersion: start})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if e := <-w.ResultChan(); e.Type != watch.Error || !apierrors.IsResourceExpired(apierrors.FromObject(e.Object)) {
		t.Errorf("have %s %v, want an error that says that the version has expired", e.Type, e.Object)
	}
}

// Rules answer as often as they say, the last one first, until they are removed.
func TestRules(t *testing.T) {
	server, client := connect(t)
	remove := server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}}, Reply: wiretest.Forbidden})
	server.On(wiretest.Rule{Times: 1, Reply: wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}})
	for _, row := range []struct {
		it   string
		is   func(error) bool
		then func()
	}{
		{it: "answers once", is: apierrors.IsServiceUnavailable, then: func() {}},
		{it: "answers by the earlier rule", is: apierrors.IsForbidden, then: func() {}},
		{it: "answers as often as the rule permits", is: apierrors.IsForbidden, then: remove},
		{it: "answers without a rule", is: apierrors.IsNotFound, then: func() {}},
	} {
		if _, err := client.Get(t.Context(), "a", metav1.GetOptions{}); !row.is(err) {
			t.Errorf("it %s: have %v", row.it, err)
		}
		row.then()
	}
	if have := server.Requests(); len(have) != 4 || have[0].String() != "get widgets in shop named a" {
		t.Errorf("have requests %v", have)
	}
}

// In a bubble a slow answer takes its time, and the test none.
func TestTimeWithSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := connect(t)
		server.On(wiretest.Rule{Times: 1, Reply: wiretest.Reply{Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, RetryAfter: 20}})
		server.On(wiretest.Rule{Times: 1, Reply: wiretest.Reply{Bytes: 10, End: wiretest.Cut}})
		if _, err := client.List(t.Context(), metav1.ListOptions{}); err == nil || !strings.Contains(err.Error(), "EOF") {
			t.Errorf("have %v, want an answer that is cut", err)
		}
		began := time.Now()
		if _, err := client.List(t.Context(), metav1.ListOptions{}); err != nil || time.Since(began) < 20*time.Second {
			t.Errorf("have %v after %s, want client-go to retry after 20 s", err, time.Since(began))
		}
	})
}
