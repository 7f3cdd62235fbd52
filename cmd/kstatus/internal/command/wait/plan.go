package wait

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/waitoutput"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// plan returns the plan for the flags.
func (w *command) plan() (*goals.Plan, error) {
	if err := cli.CheckOneOf("-o", w.output.Format, waitoutput.Formats); err != nil {
		return nil, err
	}
	if err := cli.CheckOneOf("--missing", w.goals.missing, missingNames); err != nil {
		return nil, err
	}
	if err := cli.CheckOneOf("--explain", w.explain.mode, explainModes); err != nil {
		return nil, err
	}
	if err := w.explain.facts.Check(); err != nil {
		return nil, err
	}
	if w.goals.minObjects < 1 {
		return nil, exit.Usagef("--min %d: want 1 or more; --missing=ignore takes none as well", w.goals.minObjects)
	}
	if w.goals.revision < 0 {
		return nil, exit.Usagef("--revision %d: want 1 or more", w.goals.revision)
	}
	p := &goals.Plan{Revision: w.goals.revision}
	var err error
	if p.Profile, err = status.ParseProfile(w.verdicts.profile); err != nil {
		return nil, exit.Usage(err)
	}
	for _, step := range []func(*goals.Plan) error{w.planGoals, w.planTimes, w.planGrace, w.planIgnored} {
		if err := step(p); err != nil {
			return nil, exit.Usage(err)
		}
	}
	p.Policy = observe.Policy{Missing: missingPolicies[w.goals.missing], KeepGoing: w.goals.keepGoing, Once: p.Limit == 0}
	return p, nil
}

// planGoals parses --for and --any.
func (w *command) planGoals(p *goals.Plan) error {
	p.Terms.Any = w.goals.any
	for _, text := range w.goals.texts {
		g, err := goals.ParseGoal(text)
		if err != nil {
			return err
		}
		if g.Scope.Text == "" {
			p.Terms.Goals = append(p.Terms.Goals, g.Value)
			continue
		}
		p.Goals = append(p.Goals, g.Scope.Text+":"+g.Value.Name)
		p.Rules = append(p.Rules, goals.Rule{Flag: "--for", Scope: g.Scope, Apply: func(t *observe.Requirements) { t.Goals = append(t.Goals, g.Value) }})
	}
	if len(p.Terms.Goals) == 0 {
		p.Terms.Goals = []observe.Goal{goal.Current()}
	}
	return nil
}

// planTimes parses the flags for durations.
func (w *command) planTimes(p *goals.Plan) error {
	for _, f := range []struct {
		name  string
		value time.Duration
	}{{"--every", w.output.Every}, {"--settle", w.times.settle}, {"--first-status", w.times.firstStatus}} {
		if f.value < 0 {
			return fmt.Errorf("%s %s: want 0 or more", f.name, f.value)
		}
	}
	timeouts := slices.Clone(w.times.timeouts)
	for i, text := range timeouts {
		if d, err := time.ParseDuration(text); err == nil && d < 0 {
			timeouts[i] = kubectlMaxTimeout.String()
		}
	}
	whole, some, err := goals.ParseDurations("--timeout", timeouts)
	if err != nil {
		return err
	}
	if whole == nil {
		whole = new(defaultTimeout)
	}
	p.Limit, p.Timeout, p.Timeouts = *whole, *whole, some
	p.Terms.ObjectDirectives = w.times.directives
	p.Terms.FirstStatus, p.Terms.Settle = w.times.firstStatus, w.times.settle
	p.Terms.Latch = w.goals.latch && (w.times.settle == 0 || w.goals.latchSet)
	if p.Limit == 0 && w.times.settle > 0 {
		return fmt.Errorf("--settle %s requires a --timeout other than 0, because a single look cannot see it", w.times.settle)
	}
	for _, t := range some {
		switch {
		case p.Limit == 0:
			return fmt.Errorf("--timeout %s=%s cannot be used with --timeout 0, which looks once", t.Scope.Text, t.Value)
		case t.Value == 0:
			return fmt.Errorf("--timeout %s=0: want more than 0; --timeout 0 without SEL looks once", t.Scope.Text)
		}
		p.Rules = append(p.Rules, goals.Rule{Flag: "--timeout", Scope: t.Scope, Apply: func(terms *observe.Requirements) { terms.Timeout = t.Value }})
	}
	for _, t := range some {
		p.Limit = max(p.Limit, t.Value)
	}
	if p.Limit > *whole {
		p.Terms.Timeout = *whole
	}
	return nil
}

// planGrace parses --grace. The text before = may also be a reason, since no kind has the name
// of a reason.
func (w *command) planGrace(p *goals.Plan) error {
	var reasons, others []string
	for _, text := range w.times.graces {
		if name, _, ok := strings.Cut(text, "="); ok && goals.IsGraceReason(name) {
			reasons = append(reasons, text)
		} else if similar := goals.SimilarGraceReason(name); ok && strings.EqualFold(similar, name) {
			return fmt.Errorf("--grace %s: did you mean the reason %s?", text, similar)
		} else {
			others = append(others, text)
		}
	}
	all, some, err := goals.ParseDurations("--grace", others)
	if err != nil {
		return err
	}
	p.Terms.Grace = p.StandardGrace()
	if all != nil {
		p.Terms.Grace = grace.Uniform(*all)
	}
	_, byReason, err := goals.ParseDurations("--grace", reasons)
	if err != nil {
		return err
	}
	for _, g := range byReason {
		p.Terms.Grace[g.Scope.Text] = g.Value
	}
	for _, g := range some {
		own := grace.Uniform(g.Value)
		p.Rules = append(p.Rules, goals.Rule{Flag: "--grace", Scope: g.Scope, Apply: func(t *observe.Requirements) { t.Grace = own }})
	}
	return nil
}

// planIgnored parses --ignore.
func (w *command) planIgnored(p *goals.Plan) error {
	for _, text := range w.goals.ignored {
		s, err := goals.ParseScope(text)
		if err != nil {
			return fmt.Errorf("--ignore %w", err)
		}
		p.Rules = append(p.Rules, goals.Rule{Flag: "--ignore", Scope: s, Apply: func(t *observe.Requirements) { t.Ignore = true }})
	}
	return nil
}
