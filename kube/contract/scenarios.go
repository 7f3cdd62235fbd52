package contract

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// A Scenario is one situation in which the contract says what a provider does.
type Scenario struct {
	Name  string
	Rules []string // those that it can show to be broken
	Doc   string
	// lacks says why a provider cannot be put into the situation; empty: it can.
	lacks func(Provider) string
	play  func(*fixture) error
}

// Scenarios are all scenarios, in the order of a report.
var Scenarios = []*Scenario{
	orphan,
	owner,
	pauseBeforeCreate,
	pauseAfterCreate,
	statusWipe,
	metadataPatch,
	externallyManaged,
	templateDryRun,
	deletePaused,
	deletion,
}

// play plays the scenarios side by side.
func (env *environment) play(ctx context.Context) (*Report, error) {
	var scenes []*fixture
	var group sync.WaitGroup
	report := &Report{}
	for _, scenario := range Scenarios {
		if env.provider.Scenarios != nil && !slices.Contains(env.provider.Scenarios, scenario.Name) {
			continue
		}
		f := &fixture{env: env, scenario: scenario, ctx: ctx}
		scenes = append(scenes, f)
		if scenario.lacks != nil {
			f.skipped = scenario.lacks(env.provider)
		}
		if f.skipped != "" {
			continue
		}
		group.Go(func() {
			if err := scenario.play(f); err != nil && err != errUnmet {
				f.err = fmt.Errorf("contract: scenario %s: %w", scenario.Name, err)
			}
			f.cleanUp()
		})
	}
	group.Wait()
	var first error
	for _, f := range scenes {
		report.Results = append(report.Results, ScenarioResult{Scenario: f.scenario.Name, Rules: f.scenario.Rules, Skipped: f.skipped, Notes: f.notes})
		report.Findings = append(report.Findings, f.findings...)
		if first == nil {
			first = f.err
		}
	}
	return report, first
}

// warnings are the rules of which a breach misleads somebody; of all others something breaks.
var warnings = map[string]bool{"C-ALL-9": true, "C-IC-6": true, "C-IC-7": true, "C-IM-6": true, "C-IM-11": true, "C-ALL-12": true}
