package faults_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/test/lib/faults"
)

func TestResetTakesTheConnection(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	p := faults.Start(t, c.Config())
	client := maps(t, p.Config(), ns)
	w, err := client.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reset := p.Inject(faults.Match{Verbs: []string{"delete"}}, faults.Reset{})
	if err := client.Delete(t.Context(), "m1", metav1.DeleteOptions{}); err == nil {
		t.Error("the request was answered")
	}
	for range w.ResultChan() { // until the watch on the same connection has failed as well
	}
	if reset.Hits() == 0 {
		t.Error("the fault has not struck")
	}
	reset.Off()
	create(t, p.Config(), ns, "m1")
}

// ask sends one request and returns its status and body; 0 if the connection breaks.
func ask(t *testing.T, config *rest.Config, path string) (int, http.Header, string) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(request)
	if err != nil {
		return 0, nil, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil, err.Error()
	}
	return resp.StatusCode, resp.Header, string(body)
}

func TestRequests(t *testing.T) {
	config := live.Cluster(t).Config()
	const path = "/api/v1/namespaces/default/services"
	services := faults.Match{Verbs: []string{"list"}, Resources: []string{"services"}, Namespace: "default"}
	for _, row := range []struct {
		it    string
		match faults.Match
		fault faults.Fault
		code  int
		text  string // a part of the body
	}{
		{"is refused", services, faults.Answer{Code: 401}, 401, `"reason":"Unauthorized"`},
		{"is forbidden", services, faults.Answer{Code: 403}, 403, `"reason":"Forbidden"`},
		{"has expired", services, faults.Answer{Code: 410}, 410, `"reason":"Expired"`},
		{"is one too many", services, faults.Answer{Code: 429, RetryAfter: 1500 * time.Millisecond}, 429, `"retryAfterSeconds":2`},
		{"goes wrong", services, faults.Answer{Code: 500}, 500, `"reason":"InternalError"`},
		{"is not served", services, faults.Answer{}, 503, `"reason":"ServiceUnavailable"`},
		{"meets a load balancer", services, faults.Answer{Code: 502, Body: "<html>"}, 502, "<html>"},
		{"is reset", services, faults.Reset{}, 0, ""},
		{"is cut off", services, faults.Truncate{Bytes: 9}, 200, `{"kind":"`},
		{"is garbage", services, faults.Garbage{Text: "pong"}, 200, "pong"},
		{"trickles", services, faults.Trickle{Every: time.Microsecond}, 200, `"kind":"ServiceList"`},
		{"is late", services, faults.Delay{Min: 50 * time.Millisecond, Jitter: time.Millisecond}, 200, `"kind":"ServiceList"`},
		{"is of another verb", faults.Match{Verbs: []string{"watch"}}, faults.Answer{}, 200, `"kind":"ServiceList"`},
		{"is of another kind", faults.Match{Resources: []string{"services.example.com"}}, faults.Answer{}, 200, `"kind":"ServiceList"`},
		{"is in another namespace", faults.Match{Namespace: "other"}, faults.Answer{}, 200, `"kind":"ServiceList"`},
		{"is of another user", faults.Match{Token: "other"}, faults.Answer{}, 200, `"kind":"ServiceList"`},
		{"is of that user", faults.Match{Token: config.BearerToken}, faults.Answer{}, 503, ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			p := faults.Start(t, config)
			struck := p.Inject(row.match, row.fault)
			start := time.Now()
			code, header, body := ask(t, p.Config(), path)
			if f, ok := row.fault.(faults.Delay); ok && time.Since(start) < f.Min {
				t.Errorf("it %s: it took %s, want at least %s", row.it, time.Since(start), f.Min)
			}
			if code != row.code || !strings.Contains(body, row.text) {
				t.Errorf("it %s: have %d %.200s\nwant %d with %s", row.it, code, body, row.code, row.text)
			}
			if f, ok := row.fault.(faults.Answer); ok && f.RetryAfter > 0 && header.Get("Retry-After") != "2" {
				t.Errorf("it %s: Retry-After: have %q, want 2", row.it, header.Get("Retry-After"))
			}
			if other := strings.HasPrefix(row.it, "is of another") || strings.HasPrefix(row.it, "is in another"); (struck.Hits() == 0) != other {
				t.Errorf("the fault has struck %d times", struck.Hits())
			}
			struck.Off()
			if code, _, _ := ask(t, p.Config(), path); code != 200 {
				t.Errorf("after it is lifted: have %d", code)
			}
		})
	}
}

func TestOnlyTheFirstRequests(t *testing.T) {
	p := faults.Start(t, live.Cluster(t).Config())
	p.Inject(faults.Match{First: 2}, faults.Answer{})
	p.Inject(faults.Match{Share: 1e-12}, faults.Reset{})
	var codes []int
	for range 4 {
		code, _, _ := ask(t, p.Config(), "/version")
		codes = append(codes, code)
	}
	if !slices.Equal(codes, []int{503, 503, 200, 200}) {
		t.Errorf("have %d", codes)
	}
}

func TestKubeconfig(t *testing.T) {
	p := faults.Start(t, live.Cluster(t).Config())
	path, err := p.Kubeconfig(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	if code, _, body := ask(t, config, "/api/v1/namespaces/default/secrets"); code != 200 {
		t.Errorf("have %d %s", code, body)
	}
	if n := p.Count(faults.Match{Resources: []string{"secrets"}}).Requests; n != 1 {
		t.Errorf("%d requests went through the proxy, want 1", n)
	}
}

func TestCounts(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	p := faults.Start(t, c.Config())
	lines := watching(t, p.Config(), ns, metav1.ListOptions{})
	create(t, p.Config(), ns, "m1")
	take(t, lines, 1)
	w := p.Count(watches)
	if w.Requests != 1 || w.Open != 1 || w.Events < 1 || w.Received < 100 {
		t.Errorf("watches: have %+v", w)
	}
	made := p.Count(faults.Match{Verbs: []string{"create"}, Namespace: ns})
	if made.Requests != 1 || made.Sent < 20 || made.Received < 100 {
		t.Errorf("create: have %+v", made)
	}
	all := p.Count(faults.Match{})
	if sent, received := p.Wire(); all.Requests != 3 || sent <= all.Sent || received <= all.Received {
		t.Errorf("have %+v, and on the wire %d sent and %d received", all, sent, received)
	}
	if table := p.Requests(); strings.Count(table, "\n") != 3 || !strings.HasPrefix(table, "create   configmaps ") {
		t.Errorf("have\n%s", table)
	}
}
