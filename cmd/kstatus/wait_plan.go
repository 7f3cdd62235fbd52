package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A plan is what the flags of a wait ask for.
type plan struct {
	policy  observe.Policy
	profile status.Profile
	terms   observe.Terms             // of what no rule is about
	rules   []rule                    // in the order in which they count
	known   map[string]*observe.Terms // by the rules that fit, so that objects share their terms
	whole   time.Duration             // how long the whole may take; 0 looks once

	goals    []string                // SEL:GOAL, of some objects
	timeout  time.Duration           // of all objects
	timeouts []scoped[time.Duration] // of some
}

// A rule changes the terms of the objects that its scope fits.
type rule struct {
	flag  string
	scope scope
	apply func(*observe.Terms)
}

// plan turns the flags into what the library is asked.
func (w *waitCommand) plan() (*plan, error) {
	if err := oneOf("-o", w.output, waitFormats); err != nil {
		return nil, err
	}
	if err := oneOf("--missing", w.missing, missingNames); err != nil {
		return nil, err
	}
	if err := oneOf("--explain", w.explain, explainModes); err != nil {
		return nil, err
	}
	if err := w.why.check(); err != nil {
		return nil, err
	}
	if w.least < 1 {
		return nil, usagef("--min %d: want 1 or more; --missing=ignore takes none as well", w.least)
	}
	p := &plan{known: map[string]*observe.Terms{}}
	var err error
	if p.profile, err = status.ProfileNamed(w.profile); err != nil {
		return nil, usageError(err)
	}
	for _, step := range []func(*plan) error{w.planGoals, w.planTimes, w.planGrace, w.planIgnored} {
		if err := step(p); err != nil {
			return nil, usageError(err)
		}
	}
	p.policy = observe.Policy{Missing: missingPolicies[w.missing], KeepGoing: w.keepGoing, Once: p.whole == 0}
	return p, nil
}

// planGoals reads --for and --any.
func (w *waitCommand) planGoals(p *plan) error {
	p.terms.Any = w.any
	for _, text := range w.goals {
		g, err := scopedGoalOf(text)
		if err != nil {
			return err
		}
		if g.scope.text == "" {
			p.terms.Goals = append(p.terms.Goals, g.value)
			continue
		}
		p.goals = append(p.goals, g.scope.text+":"+g.value.Name)
		p.rules = append(p.rules, rule{"--for", g.scope, func(t *observe.Terms) { t.Goals = append(t.Goals, g.value) }})
	}
	if len(p.terms.Goals) == 0 {
		p.terms.Goals = []observe.Goal{observe.Current()}
	}
	return nil
}

// planTimes reads the flags about how long something takes at most or at least.
func (w *waitCommand) planTimes(p *plan) error {
	for _, f := range []struct {
		name  string
		value time.Duration
	}{{"--every", w.every}, {"--settle", w.settle}, {"--first-status", w.firstStatus}} {
		if f.value < 0 {
			return fmt.Errorf("%s %s: want 0 or more", f.name, f.value)
		}
	}
	whole, some, err := durationsOf("--timeout", w.timeouts)
	if err != nil {
		return err
	}
	if whole == nil {
		whole = new(defaultTimeout)
	}
	p.whole, p.timeout, p.timeouts = *whole, *whole, some
	p.terms.FirstStatus, p.terms.Settle = w.firstStatus, w.settle
	p.terms.Latch = w.latch && (w.settle == 0 || w.latchSet)
	if p.whole == 0 && w.settle > 0 {
		return fmt.Errorf("--settle %s: want a --timeout other than 0 with it, since who looks once cannot see that", w.settle)
	}
	for _, t := range some {
		switch {
		case p.whole == 0:
			return fmt.Errorf("--timeout %s=%s: want it without --timeout 0, which looks once", t.scope.text, t.value)
		case t.value == 0:
			return fmt.Errorf("--timeout %s=0: want more than 0; --timeout 0 without SEL looks once", t.scope.text)
		}
		p.rules = append(p.rules, rule{"--timeout", t.scope, func(terms *observe.Terms) { terms.Within = t.value }})
	}
	for _, t := range some {
		p.whole = max(p.whole, t.value)
	}
	if p.whole > *whole {
		p.terms.Within = *whole
	}
	return nil
}

// planGrace reads --grace. What stands before the = may be a reason as well,
// which no kind is called.
func (w *waitCommand) planGrace(p *plan) error {
	var reasons, others []string
	for _, text := range w.graces {
		if name, _, ok := strings.Cut(text, "="); ok && isTrouble(name) {
			reasons = append(reasons, text)
		} else {
			others = append(others, text)
		}
	}
	all, some, err := durationsOf("--grace", others)
	if err != nil {
		return err
	}
	p.terms.Grace = p.standardGrace()
	if all != nil {
		p.terms.Grace = observe.GraceOf(*all)
	}
	_, byReason, err := durationsOf("--grace", reasons)
	if err != nil {
		return err
	}
	for _, g := range byReason {
		p.terms.Grace[g.scope.text] = g.value
	}
	for _, g := range some {
		grace := observe.GraceOf(g.value)
		p.rules = append(p.rules, rule{"--grace", g.scope, func(t *observe.Terms) { t.Grace = grace }})
	}
	return nil
}

// standardGrace returns the grace without --grace.
func (p *plan) standardGrace() observe.Grace {
	if p.whole == 0 {
		return observe.NoGrace()
	}
	return observe.DefaultGrace()
}

// isTrouble reports whether a word is the reason of something that may heal.
func isTrouble(word string) bool {
	return slices.ContainsFunc(status.Reasons(), func(r status.Reason) bool {
		return r.Name == word && (r.Status == status.FailedStatus && !r.Settled || word == "Unschedulable")
	})
}

// planIgnored reads --ignore.
func (w *waitCommand) planIgnored(p *plan) error {
	for _, text := range w.ignored {
		s, err := scopeOf(text)
		if err != nil {
			return fmt.Errorf("--ignore %w", err)
		}
		p.rules = append(p.rules, rule{"--ignore", s, func(t *observe.Terms) { t.Ignore = true }})
	}
	return nil
}

// durations reads the values of a flag, [SEL=]DURATION: the one for all objects,
// nil if none is, and those for some.
func durationsOf(flag string, texts []string) (all *time.Duration, some []scoped[time.Duration], err error) {
	for _, text := range texts {
		sel, value, isScoped := "", text, false
		if i := strings.LastIndexByte(text, '='); i >= 0 {
			sel, value, isScoped = text[:i], text[i+1:], true
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return nil, nil, fmt.Errorf("%s %q: want DURATION or SEL=DURATION, such as 90s, 10m or Job/migrate=1h", flag, text)
		}
		if !isScoped {
			all = &d
			continue
		}
		s, err := scopeOf(sel)
		if err != nil {
			return nil, nil, fmt.Errorf("%s %w", flag, err)
		}
		some = append(some, scoped[time.Duration]{s, d})
	}
	return all, some, nil
}

// termsFor returns what is asked of an object, nil if no rule is about it. Goals
// of its own stand instead of those of all.
func (p *plan) termsFor(t observe.Target) *observe.Terms {
	key := make([]byte, len(p.rules))
	for i, r := range p.rules {
		if r.scope.fits(t) {
			key[i] = 1
		}
	}
	if slices.Max(append(key, 0)) == 0 {
		return nil
	}
	if known := p.known[string(key)]; known != nil {
		return known
	}
	terms := p.terms
	terms.Goals = nil
	for i, r := range p.rules {
		if key[i] == 1 {
			r.apply(&terms)
		}
	}
	if terms.Goals == nil {
		terms.Goals = p.terms.Goals
	}
	p.known[string(key)] = &terms
	return &terms
}

// within returns a context that ends when the time of the wait is over.
func (p *plan) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.whole == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, p.whole, observe.ErrTimeout)
}

// ownGoals returns the goals of an object that some rule is about; nil for another.
func (p *plan) ownGoals(t observe.Target) []observe.Goal {
	if own := p.termsFor(t); own != nil {
		return own.Goals
	}
	return nil
}

// idle lets the servers behind the mappers say what the scopes mean, and returns the
// rules that are about none of the targets.
func (p *plan) idle(mappers []meta.RESTMapper, targets []observe.Target) (idle []rule) {
	for i := range p.rules {
		r := &p.rules[i]
		for _, m := range mappers {
			r.scope.ask(m)
		}
		if !slices.ContainsFunc(targets, r.scope.mayFit) {
			idle = append(idle, *r)
		}
	}
	return idle
}

// looksInside reports whether some goal may look at any field of an object.
func (p *plan) looksInside() bool {
	all := slices.Clone(p.terms.Goals)
	for _, r := range p.rules {
		var t observe.Terms
		r.apply(&t)
		all = append(all, t.Goals...)
	}
	return slices.ContainsFunc(all, func(g observe.Goal) bool { return g.Kind == observe.GoalCustom })
}
