package audit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
)

// A controller sets observedGeneration back, and exceeds its budget of writes.
const recorded = `
{"type":"ADDED","time":"2026-01-01T00:00:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"100","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z"}}}
{"type":"MODIFIED","time":"2026-01-01T00:00:01Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"101","generation":1},"status":{"observedGeneration":1,"conditions":[{"type":"Ready","status":"True","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:00:01Z","observedGeneration":1}]}}}
{"type":"MODIFIED","time":"2026-01-01T00:10:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"102","generation":1},"status":{"observedGeneration":1,"watt":5,"conditions":[{"type":"Ready","status":"True","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:00:01Z","observedGeneration":1}]}}}
{"type":"MODIFIED","time":"2026-01-01T00:20:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"103","generation":1},"status":{"observedGeneration":0,"watt":5,"conditions":[{"type":"Ready","status":"Unknown","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:20:00Z","observedGeneration":1}]}}}
`

func addRecorded(a *audit.Auditor) {
	for d := json.NewDecoder(strings.NewReader(recorded)); d.More(); {
		var w audit.Write
		if err := d.Decode(&w); err != nil {
			fmt.Println(err)
			return
		}
		a.Add(w)
	}
}

func ExampleAuditor() {
	a := audit.New(audit.Options{})
	addRecorded(a)
	r := a.Report()
	for _, f := range r.Findings {
		fmt.Println(f.Severity, f.Rule, f.Object, f.Path, f.Evidence)
	}
	fmt.Println("failed:", r.Failed())
	// Output:
	// error W-01 Lamp/shop/lamp .status.observedGeneration went from 1 to 0 at generation 1
	// failed: true
}

func ExampleAuditor_ObjectMetrics() {
	a := audit.New(audit.Options{})
	addRecorded(a)
	for _, m := range a.ObjectMetrics() {
		fmt.Printf("%s: ready after %gs, and idle for %s: %g writes an hour\n", m.Object, *m.SecondsToReady,
			time.Duration(m.IdleSeconds)*time.Second, m.WritesPerIdleHour)
	}
	// Output:
	// Lamp/shop/lamp: ready after 1s, and idle for 19m59s: 1 writes an hour
}

func ExampleMeasure() {
	a := audit.New(audit.Options{
		Budgets:    map[audit.Measure]float64{audit.MeasureWritesPerIdleHour: 0},
		Severities: map[string]severity.Level{"observed-backward": severity.Off},
	})
	addRecorded(a)
	for _, f := range a.Findings() {
		fmt.Println(f.Rule, f.Object, f.Evidence)
	}
	// Output:
	// W-51 Lamp/shop/lamp 1 write while idle for 9m59s; the budget is 0 an hour
}

// A custom rule: the status has its first conditions within two seconds.
func ExampleRule() {
	prompt := &audit.Rule{
		ID: "X-01", Name: "prompt-conditions", Severity: severity.Warning,
		Doc: "an object has conditions two seconds after its creation",
		OnVersion: func(p *audit.Pass) {
			if p.Old == nil && p.SeenFromCreation() {
				p.SetTimer(2 * time.Second)
			}
		},
		OnTimer: func(p *audit.Pass) {
			if len(p.New.Conditions) == 0 {
				p.Report(".status.conditions", "there are none after %s", p.Now.Sub(p.New.Created()))
			}
		},
	}
	a := audit.New(audit.Options{Rules: []*audit.Rule{prompt}})
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a.Add(audit.Write{Type: audit.WriteAdded, Time: begin, Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp",
		"metadata": map[string]any{"name": "desk", "uid": "1", "resourceVersion": "1", "creationTimestamp": "2026-01-01T00:00:00Z"}}})
	a.Add(audit.Write{Type: audit.WriteTick, Time: begin.Add(time.Minute)})
	for _, f := range a.Findings() {
		fmt.Println(f.Severity, f.Rule, f.Object, f.Path, f.Evidence)
	}
	// Output: warning X-01 Lamp/desk .status.conditions there are none after 2s
}

// A rule counts the changes of a status.
func ExampleState() {
	counted := &audit.Rule{
		ID: "X-02", Name: "few-changes", Severity: severity.Info,
		OnChange: func(p *audit.Pass) {
			n := audit.State[int](p)
			if *n++; *n > 2 {
				p.Report(".status", "changed %d times", *n)
			}
		},
	}
	a := audit.New(audit.Options{Rules: []*audit.Rule{counted}})
	addRecorded(a)
	for _, f := range a.Findings() {
		fmt.Println(f.Rule, f.Object, f.Evidence)
	}
	// Output: X-02 Lamp/shop/lamp changed 3 times
}

func ExampleAuditor_KindMetrics() {
	a := audit.New(audit.Options{})
	addRecorded(a)
	for _, m := range a.KindMetrics() {
		fmt.Printf("%s: %d object, ready after %gs at most\n", m.Kind, m.SecondsToReady.N, m.SecondsToReady.Max)
	}
	// Output: Lamp: 1 object, ready after 1s at most
}

func ExampleParseDeclarations() {
	declared, err := audit.ParseDeclarations([]byte(`[{"group": "example.com", "kind": "Lamp", "manager": "lamp",
		"conditions": [{"type": "Ready", "summary": true, "reasons": ["Lit", "Broken"]}]}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	a := audit.New(audit.Options{Declarations: declared})
	addRecorded(a)
	for _, f := range a.Findings() {
		if f.Name == "condition-reason" {
			fmt.Println(f.Rule, f.Evidence)
		}
	}
	// Output: W-09 is "On", which is not a declared reason
}

func ExampleOptions_Check() {
	o := audit.Options{Severities: map[string]severity.Level{"W-99": severity.Off}}
	fmt.Println(o.Check())
	o = audit.Options{Suppress: []audit.Suppression{{Rule: "W-12", Kind: "Lamp"}}}
	fmt.Println(o.Check())
	// Output:
	// audit: severities: unknown rule "W-99"
	// audit: suppression 1: want a reason, have none
}

func ExampleSuppression() {
	a := audit.New(audit.Options{Suppress: []audit.Suppression{{Rule: "W-01", Kind: "Lamp", Reason: "fixed in v2"}}})
	addRecorded(a)
	r := a.Report()
	for _, f := range r.Suppressed {
		fmt.Println(f.Rule, f.Object, f.Suppressed)
	}
	fmt.Println("failed:", r.Failed())
	// Output:
	// W-01 Lamp/shop/lamp fixed in v2
	// failed: false
}
