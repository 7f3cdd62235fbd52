package writes_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
)

// An audit in a test of a controller, whose manager is given the config returned.
func ExampleAudit() {
	var cfg *rest.Config // of envtest, or of any other API server
	_ = func(t *testing.T) {
		cfg = writes.Audit(t, cfg, "lamps.example.com")
		// mgr, err := ctrl.NewManager(cfg, ctrl.Options{})
	}
}

// A stream that was recorded is audited anew.
func ExampleReader_Read() {
	const recorded = `{"v":1,"type":"WRITES"}
{"type":"ADDED","time":"2026-01-01T00:00:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a","uid":"1","resourceVersion":"7","generation":2},"status":{"observedGeneration":2}}}
{"type":"MODIFIED","time":"2026-01-01T00:00:01Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a","uid":"1","resourceVersion":"8","generation":2},"status":{"observedGeneration":1}}}
`
	auditor := audit.New(audit.Options{})
	if err := (writes.Reader{}).Read(strings.NewReader(recorded), auditor.Add); err != nil {
		fmt.Println(err)
	}
	for _, f := range auditor.Report().Findings {
		fmt.Println(writes.FormatFinding(f))
	}
	// Output: error W-01 observed-backward: Lamp/a .status.observedGeneration: went from 2 to 1 at generation 2
}

// An audit of one namespace, which is recorded as well.
func ExampleAuditOptions_Audit() {
	_ = func(t *testing.T, cfg *rest.Config, recording *writes.Writer) *rest.Config {
		return writes.AuditOptions{
			Kinds:      []string{"lamps.example.com"},
			Namespaces: []string{"shop"},
			OnWrite: func(w audit.Write) {
				if err := recording.Write(w); err != nil {
					t.Error(err)
				}
			},
		}.Audit(t, cfg)
	}
}

// The writes in a cluster, and the requests of this process beside them.
func ExampleCluster_Watch() {
	_ = func(ctx context.Context, config *rest.Config) error {
		recorder := &writes.Recorder{}
		config.Wrap(recorder.Wrap)
		cluster := &writes.Cluster{Config: config, Kinds: []string{"*.example.com"}, Recorder: recorder}
		auditor := audit.New(audit.Options{})
		err := cluster.Watch(ctx, auditor.Add) // until ctx ends
		for _, f := range auditor.Report().Findings {
			fmt.Println(writes.FormatFinding(f))
		}
		return err
	}
}

// A Recorder sees the requests of any client, and the answers.
func ExampleRecorder_Wrap() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a","namespace":"shop","resourceVersion":"8"}}`)
	}))
	defer server.Close()
	recorder := &writes.Recorder{OnWrite: func(w audit.Write) {
		fmt.Println(w.Request.Verb, w.Request.Subresource, w.Object["kind"], w.Request.Code)
	}}
	client := &http.Client{Transport: recorder.Wrap(http.DefaultTransport)}
	request, err := http.NewRequest(http.MethodPatch, server.URL+"/apis/example.com/v1/namespaces/shop/lamps/a/status", strings.NewReader(`{}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	request.Header.Set("Content-Type", "application/merge-patch+json")
	response, err := client.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	// Output: patch status Lamp 200
}

// A stream is recorded line by line.
func ExampleNewWriter() {
	writer, err := writes.NewWriter(os.Stdout, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := writer.Write(audit.Write{Type: audit.WriteTick, Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
		fmt.Println(err)
	}
	if err := writer.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"v":1,"type":"WRITES"}
	// {"type":"TICK","time":"2026-01-01T00:00:00Z"}
}

// What it takes to watch all kinds of a group: list and watch on each of these.
func ExampleCluster_Mappings() {
	_ = func(ctx context.Context, config *rest.Config) error {
		mappings, err := (&writes.Cluster{Config: config, Kinds: []string{"*.example.com"}}).Mappings(ctx)
		for _, m := range mappings {
			fmt.Println(m.Resource)
		}
		return err
	}
}
