// Package goals reads what a wait asks for: goals, the objects that a goal or a
// time is for, and times.
package goals

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

// OutcomeOfNothing is the outcome where nothing was asked for, which is as it should be
// only if objects are to be gone, or may be missing.
func OutcomeOfNothing(p *Plan) observe.Outcome {
	for _, g := range p.Terms.Goals {
		if g.Absence {
			return observe.Success
		}
	}
	if p.Policy.Missing == observe.IgnoreMissing {
		return observe.Success
	}
	return observe.Absent
}

// A Plan is what the flags of a wait ask for.
type Plan struct {
	Policy  observe.Policy
	Profile status.Profile
	Terms   observe.Terms             // of what no rule is about
	Rules   []Rule                    // in the order in which they count
	Known   map[string]*observe.Terms // by the rules that fit, so that objects share their terms
	Whole   time.Duration             // how long the whole may take; 0 looks once

	Goals    []string                // SEL:GOAL, of some objects
	Timeout  time.Duration           // of all objects
	Timeouts []scoped[time.Duration] // of some
}

// A Rule changes the terms of the objects that its scope fits.
type Rule struct {
	Flag  string
	Scope scope
	Apply func(*observe.Terms)
}

// StandardGrace returns the grace without --grace.
func (p *Plan) StandardGrace() observe.Grace {
	if p.Whole == 0 {
		return observe.NoGrace()
	}
	return observe.DefaultGrace()
}

// IsTrouble reports whether a word is the reason of something that may heal.
func IsTrouble(word string) bool {
	return slices.ContainsFunc(status.Reasons(), func(r status.Reason) bool {
		return r.Name == word && (r.Status == status.FailedStatus && !r.Settled || word == "Unschedulable")
	})
}

// durations reads the values of a flag, [SEL=]DURATION: the one for all objects,
// nil if none is, and those for some.
func ParseDurations(flag string, texts []string) (all *time.Duration, some []scoped[time.Duration], err error) {
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
		s, err := ParseScope(sel)
		if err != nil {
			return nil, nil, fmt.Errorf("%s %w", flag, err)
		}
		some = append(some, scoped[time.Duration]{s, d})
	}
	return all, some, nil
}

// TermsFor returns what is asked of an object, nil if no rule is about it. Goals
// of its own stand instead of those of all.
func (p *Plan) TermsFor(t observe.Target) *observe.Terms {
	key := make([]byte, len(p.Rules))
	for i, r := range p.Rules {
		if r.Scope.fits(t) {
			key[i] = 1
		}
	}
	if slices.Max(append(key, 0)) == 0 {
		return nil
	}
	if known := p.Known[string(key)]; known != nil {
		return known
	}
	terms := p.Terms
	terms.Goals = nil
	for i, r := range p.Rules {
		if key[i] == 1 {
			r.Apply(&terms)
		}
	}
	if terms.Goals == nil {
		terms.Goals = p.Terms.Goals
	}
	p.Known[string(key)] = &terms
	return &terms
}

// Within returns a context that ends when the time of the wait is over.
func (p *Plan) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Whole == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, p.Whole, observe.ErrTimeout)
}

// OwnGoals returns the goals of an object that some rule is about; nil for another.
func (p *Plan) OwnGoals(t observe.Target) []observe.Goal {
	if own := p.TermsFor(t); own != nil {
		return own.Goals
	}
	return nil
}

// Idle lets the servers behind the mappers say what the scopes mean, and returns the
// rules that are about none of the targets.
func (p *Plan) Idle(mappers []meta.RESTMapper, targets []observe.Target) (idle []Rule) {
	for i := range p.Rules {
		r := &p.Rules[i]
		for _, m := range mappers {
			r.Scope.ask(m)
		}
		if !slices.ContainsFunc(targets, r.Scope.mayFit) {
			idle = append(idle, *r)
		}
	}
	return idle
}

// LooksInside reports whether some goal may look at any field of an object.
func (p *Plan) LooksInside() bool {
	all := slices.Clone(p.Terms.Goals)
	for _, r := range p.Rules {
		var t observe.Terms
		r.Apply(&t)
		all = append(all, t.Goals...)
	}
	return slices.ContainsFunc(all, func(g observe.Goal) bool { return g.Kind == observe.GoalCustom })
}
