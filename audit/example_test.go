package audit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kstatus.dev/audit"
	"kstatus.dev/severity"
)

// A controller sets observedGeneration back, and writes more often than it may.
const recorded = `
{"type":"ADDED","time":"2026-01-01T00:00:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"100","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z"}}}
{"type":"MODIFIED","time":"2026-01-01T00:00:01Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"101","generation":1},"status":{"observedGeneration":1,"conditions":[{"type":"Ready","status":"True","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:00:01Z","observedGeneration":1}]}}}
{"type":"MODIFIED","time":"2026-01-01T00:10:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"102","generation":1},"status":{"observedGeneration":1,"watt":5,"conditions":[{"type":"Ready","status":"True","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:00:01Z","observedGeneration":1}]}}}
{"type":"MODIFIED","time":"2026-01-01T00:20:00Z","object":{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"lamp","namespace":"shop","uid":"1","resourceVersion":"103","generation":1},"status":{"observedGeneration":0,"watt":5,"conditions":[{"type":"Ready","status":"Unknown","reason":"On","message":"","lastTransitionTime":"2026-01-01T00:20:00Z","observedGeneration":1}]}}}
`

func told(a *audit.Auditor) {
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
	told(a)
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
	told(a)
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
	told(a)
	for _, f := range a.Findings() {
		fmt.Println(f.Rule, f.Object, f.Evidence)
	}
	// Output:
	// W-51 Lamp/shop/lamp 1 write while it was idle for 9m59s, at most 0 an hour are allowed
}
