package audit_test

import (
	"fmt"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/status"
)

// findings prints the findings of a rule for the recorded writes of a lamp.
func findings(rule *audit.Rule, options audit.Options) {
	options.Rules = []*audit.Rule{rule}
	a := audit.New(options)
	addRecorded(a)
	for _, f := range a.Findings() {
		fmt.Println(f.Severity, f.Path, f.Evidence)
	}
}

// A rule counts how many fields the status writer changes in one write.
func ExamplePass_Changes() {
	findings(&audit.Rule{
		ID: "X-03", Name: "changes", Severity: severity.Warning,
		OnChange: func(p *audit.Pass) {
			if changes := p.Changes(); p.New.Manager == p.StatusWriter("") && p.BySameWriter() {
				p.ReportInfo(changes[0].Path, "is the first of %d changes", len(changes))
			}
		},
	}, audit.Options{})
	// Output:
	// info .metadata.creationTimestamp is the first of 8 changes
	// info .status.conditions[type="Ready"].lastTransitionTime is the first of 3 changes
	// info .status.watt is the first of 1 changes
}

// A rule requires that an object is not unready for more than half a second.
func ExamplePass_AfterHolding() {
	findings(&audit.Rule{
		ID: "X-04", Name: "unready", Severity: severity.Warning,
		OnVersion: func(p *audit.Pass) {
			if p.PausedBy() != "" {
				p.StopTimer()
				return
			}
			summary, known := p.New.Summary()
			p.AfterHolding(!known || summary.Status != "True", 500*time.Millisecond)
		},
		OnTimer: func(p *audit.Pass) {
			ready, _ := p.New.Condition("Ready")
			if p.PauseChanged().IsZero() {
				p.Report(".status.conditions", "Ready is %q for 500ms, in which nothing was paused", ready.Status)
			}
		},
	}, audit.Options{})
	// Output: warning .status.conditions Ready is "" for 500ms, in which nothing was paused
}

// A rule compares the written conditions with the declared ones.
func ExamplePass_Declaration() {
	findings(&audit.Rule{
		ID: "X-05", Name: "declared", Severity: severity.Error, NeedsDeclaration: true,
		OnVersion: func(p *audit.Pass) {
			for _, c := range p.New.Conditions {
				if p.Declaration().Condition(c.Type) == nil {
					p.Report(".status.conditions", "%s is not declared", c.Type)
				}
			}
		},
	}, audit.Options{Declarations: []audit.Declaration{{Group: "example.com", Kind: "Lamp"}}})
	// Output: error .status.conditions Ready is not declared
}

// A rule reads another object, unless the kind has a role in Cluster API.
func ExamplePass_Other() {
	findings(&audit.Rule{
		ID: "X-06", Name: "bulb", Severity: severity.Warning,
		OnVersion: func(p *audit.Pass) {
			if p.Other("example.com", "Bulb", p.New.ID.Namespace, "bulb") == nil && p.Role() == "" && len(p.New.Status()) > 0 {
				p.Report(".spec.bulb", "does not exist")
			}
		},
	}, audit.Options{})
	// Output: warning .spec.bulb does not exist
}

// A rule finds requests that the API server rejects.
func ExampleRequest_Refused() {
	refused := &audit.Rule{
		ID: "X-07", Name: "refused", Severity: severity.Error, NeedsRequests: true,
		OnRequest: func(p *audit.Pass) {
			if p.Request.Refused() {
				p.Report(".", "%s of %s is refused with %d", p.Request.Verb, p.Request.Agent, p.Request.Code)
			}
		},
	}
	a := audit.New(audit.Options{Rules: []*audit.Rule{refused}})
	a.Add(audit.Write{
		Type: audit.WriteModified, Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Object:  map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": "desk"}},
		Request: &audit.Request{Verb: "patch", Agent: "lamps", Code: 422},
	})
	for _, f := range a.Findings() {
		fmt.Println(f.Object, f.Evidence)
	}
	// Output: Lamp/desk patch of lamps is refused with 422
}

func ExampleID_Compare() {
	lamp := status.Kind{Kind: "Lamp"}
	a := audit.ID{ID: status.ID{Kind: lamp, Namespace: "shop", Name: "a"}}
	b := audit.ID{ID: status.ID{Kind: lamp, Namespace: "shop", Name: "b"}}
	fmt.Println(a.Compare(b), b.Compare(a), a.Compare(a))
	// Output: -1 1 0
}
