package writes_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"kstatus.dev/audit"
	"kstatus.dev/kube/writes"
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
func ExampleReader() {
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
