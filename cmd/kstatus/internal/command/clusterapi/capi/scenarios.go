package capi

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/clusterapi/contract"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
)

// runScenarios runs the scenarios of the contract against a running provider, and adds their
// findings.
func (c *capiCheck) runScenarios(ctx context.Context, r *findings.Run, o check.Options) error {
	chosen := c.selectedScenarios()
	if len(c.scenarios.files) == 0 || len(chosen) == 0 {
		return nil
	}
	provider, err := c.provider(o)
	if err != nil {
		return err
	}
	connected, err := connection.Connect(ctx, c.env, c.connection)
	if err != nil {
		return err
	}
	if *c.connection.Namespace != "" {
		provider.Namespace = connected.Namespace
	}
	provider.Scenarios = chosen
	report, err := contract.Run(ctx, connected.Config, provider)
	if report == nil {
		return connection.WithExitCode(err)
	}
	if err != nil {
		r.Unread = append(r.Unread, err)
	}
	for _, p := range report.Results {
		if p.Skipped != "" {
			c.env.Print("scenario %s was not played: %s", p.Scenario, p.Skipped)
		}
		for _, text := range append(slices.Clone(p.Notes), p.Measured...) {
			c.env.Print("scenario %s: %s", p.Scenario, text)
		}
	}
	for _, s := range contract.Scenarios {
		for _, rule := range s.Rules {
			r.Options.Checks = append(r.Options.Checks, &lint.Check{ID: rule + "/" + s.Name, Name: s.Name, Severity: severity.Error, Doc: s.Doc})
		}
	}
	for _, f := range report.Findings {
		level := f.Severity
		if c.strict {
			level = level.Raised()
		}
		r.Findings = append(r.Findings, lint.Finding{ID: f.Rule + "/" + f.Scenario, Check: f.Scenario, Severity: level, Object: -1, Name: f.Object, Message: f.Evidence})
	}
	return nil
}

// selectedScenarios returns the names of the scenarios that --only and --skip select.
func (c *capiCheck) selectedScenarios() []string {
	return slices.DeleteFunc(scenarioNames(), func(name string) bool {
		return len(c.flags.Only) > 0 && !slices.Contains(c.flags.Only, name) || slices.Contains(c.flags.Skip, name)
	})
}

func scenarioNames() (names []string) {
	for _, s := range contract.Scenarios {
		names = append(names, s.Name)
	}
	return names
}

// provider reads the objects of --scenarios, and groups them by role. Objects without a role are
// dependencies of the others.
func (c *capiCheck) provider(o check.Options) (contract.Provider, error) {
	p := contract.Provider{Timeout: c.scenarios.timeout, ClusterPatch: c.scenarios.clusterEdit, MachinePatch: c.scenarios.machineEdit}
	files := &findings.Run{Env: c.env}
	for _, name := range c.scenarios.files {
		files.ReadFiles(name, c.flags.Recursive)
	}
	if len(files.Unread) > 0 {
		return p, files.Unread[0]
	}
	for _, raw := range files.Bundle.Objects {
		u := &unstructured.Unstructured{Object: raw}
		group, _, _ := strings.Cut(u.GetAPIVersion(), "/")
		role := roleOf(lint.CRD{Group: group, Kind: u.GetKind()}, o)
		switch {
		case role == roles.InfraCluster && p.InfraCluster == nil:
			p.InfraCluster = u
		case role == roles.InfraMachine && p.InfraMachine == nil:
			p.InfraMachine = u
		case role == roles.InfraMachineTemplate && p.InfraMachineTemplate == nil:
			p.InfraMachineTemplate = u
		default:
			p.ExtraObjects = append(p.ExtraObjects, u)
		}
	}
	if p.InfraCluster == nil {
		return p, exit.Usagef("--scenarios: want an infrastructure cluster among the objects, have none")
	}
	return p, nil
}
