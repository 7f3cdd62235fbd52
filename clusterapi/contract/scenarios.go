package contract

import (
	"context"
	"fmt"
	"slices"

	"kstatus.dev/internal/crash"
)

// A Scenario is a situation with a behavior that the contract specifies.
type Scenario struct {
	Name  string
	Rules []string // the rules that it checks
	Doc   string
	// lacks returns why a provider does not support the scenario. It is empty
	// if it does.
	lacks func(Provider) string
	run   func(*fixture) error
}

// Scenarios lists all scenarios, in the order of reports. Do not modify it.
var Scenarios = []*Scenario{
	orphan,
	owner,
	pauseBeforeCreate,
	pauseAfterCreate,
	pauseAcknowledged,
	statusWipe,
	move,
	metadataPatch,
	externallyManaged,
	templateDryRun,
	deletePaused,
	deletion,
}

// run runs the scenarios concurrently.
func (env *environment) run(ctx context.Context) (*Report, error) {
	var fixtures []*fixture
	var group crash.Group
	report := &Report{}
	for _, scenario := range Scenarios {
		if env.provider.Scenarios != nil && !slices.Contains(env.provider.Scenarios, scenario.Name) {
			continue
		}
		f := &fixture{env: env, scenario: scenario, ctx: ctx}
		fixtures = append(fixtures, f)
		if scenario.lacks != nil {
			f.skipped = scenario.lacks(env.provider)
		}
		if f.skipped != "" {
			continue
		}
		group.Go(func() {
			if err := scenario.run(f); err != nil && err != errUnmet {
				f.err = fmt.Errorf("contract: scenario %s: %w", scenario.Name, err)
			}
			f.cleanUp()
		})
	}
	group.Wait()
	var first error
	for _, f := range fixtures {
		report.Results = append(report.Results, ScenarioResult{Scenario: f.scenario.Name, Rules: f.scenario.Rules, Skipped: f.skipped, Notes: f.notes, Measured: f.measured})
		report.Findings = append(report.Findings, f.findings...)
		if first == nil {
			first = f.err
		}
	}
	return report, first
}

// warnings lists the rules whose violation misleads users. A violation of any other rule breaks something.
var warnings = map[string]bool{"C-ALL-9": true, "C-IC-6": true, "C-IC-7": true, "C-IM-6": true, "C-IM-11": true, "C-ALL-12": true}
