// Package goals parses the flags of a wait: goals, the objects that a goal or a duration applies
// to, and durations.
package goals

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/typo"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// OutcomeWithoutObjects returns the outcome of a wait without objects. It is success only if the
// goal is deletion, or if objects may be missing.
func OutcomeWithoutObjects(p *Plan) observe.Outcome {
	for _, g := range p.Terms.Goals {
		if g.Absence {
			return observe.OutcomeSuccess
		}
	}
	if p.Policy.Missing == observe.MissingIgnore {
		return observe.OutcomeSuccess
	}
	return observe.OutcomeMissing
}

// A Plan is the request in the flags of a wait.
type Plan struct {
	Policy  observe.Policy
	Profile status.Profile
	Terms   observe.Requirements             // of objects that match no rule.
	Rules   []Rule                           // in the order of their application.
	mu      sync.Mutex                       // guards shared.
	shared  map[string]*observe.Requirements // the terms of objects, by their matching rules.
	Limit   time.Duration                    // the timeout of the whole wait; 0 reads objects once.

	Revision int64 // the only revision of a Helm release that counts; 0: any

	Goals    []string                // SEL:GOAL, for some objects
	Timeout  time.Duration           // of objects without their own timeout
	Timeouts []Scoped[time.Duration] // for some objects
}

// A Rule changes the terms of the objects that its scope matches.
type Rule struct {
	Flag  string
	Scope Scope
	Apply func(*observe.Requirements)
}

// StandardGrace returns the grace that applies without --grace.
func (p *Plan) StandardGrace() map[string]time.Duration {
	if p.Limit == 0 {
		return grace.None()
	}
	return grace.Default()
}

// GraceHelp returns the default grace for each reason, for help texts.
func GraceHelp() string {
	reasons := map[time.Duration][]string{}
	defaults := grace.Default()
	for reason, d := range defaults {
		if d == grace.Window {
			d = status.Profile{}.FailureWindows()[reason]
		}
		if reason != "" {
			reasons[d] = append(reasons[d], reason)
		}
	}
	var b strings.Builder
	for _, d := range slices.Sorted(maps.Keys(reasons)) {
		slices.Sort(reasons[d])
		fmt.Fprintf(&b, "  %-5s %s\n", duration.Text(d), strings.Join(reasons[d], ", "))
	}
	fmt.Fprintf(&b, "  %-5s any other", duration.Text(defaults[""]))
	return b.String()
}

// IsGraceReason reports whether a word is the reason of a recoverable failure, so that --grace
// accepts it.
func IsGraceReason(word string) bool {
	return slices.ContainsFunc(status.Profile{}.Reasons(), func(r status.Reason) bool {
		return r.Name == word && (r.Status == status.FailedStatus && !r.Settled || word == status.ReasonUnschedulable)
	})
}

// SimilarGraceReason returns the reason that differs from a word by case or a typo, or an empty
// text.
func SimilarGraceReason(word string) string {
	var all []string
	for _, r := range (status.Profile{}).Reasons() {
		if IsGraceReason(r.Name) {
			if strings.EqualFold(r.Name, word) {
				return r.Name
			}
			all = append(all, r.Name)
		}
	}
	return typo.Find(word, all)
}

// ParseDurations parses the values of a flag, [SEL=]DURATION. all is the duration for all
// objects, or nil without one. some are the durations with a SEL.
func ParseDurations(flag string, texts []string) (all *time.Duration, some []Scoped[time.Duration], err error) {
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
		some = append(some, Scoped[time.Duration]{s, d})
	}
	return all, some, nil
}

// TermsFor returns the terms of an object, or nil if no rule matches it. Goals from a rule
// replace the goals of all objects.
func (p *Plan) TermsFor(t observe.Target) *observe.Requirements {
	key := make([]byte, len(p.Rules))
	for i, r := range p.Rules {
		if r.Scope.matches(t) {
			key[i] = 1
		}
	}
	if slices.Max(append(key, 0)) == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if terms := p.shared[string(key)]; terms != nil {
		return terms
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
	if p.shared == nil {
		p.shared = map[string]*observe.Requirements{}
	}
	p.shared[string(key)] = &terms
	return &terms
}

// Within returns a context that ends at the timeout of the wait.
func (p *Plan) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, p.Limit, observe.ErrTimeout)
}

// OwnGoals returns the goals of an object that a rule matches, or nil for other objects.
func (p *Plan) OwnGoals(t observe.Target) []observe.Goal {
	if own := p.TermsFor(t); own != nil {
		return own.Goals
	}
	return nil
}

// UnusedRules resolves the scopes of the rules with the mappers, and returns the rules that
// match no target.
func (p *Plan) UnusedRules(mappers []meta.RESTMapper, targets []observe.Target) (idle []Rule) {
	for i := range p.Rules {
		r := &p.Rules[i]
		for _, m := range mappers {
			r.Scope.resolve(m)
		}
		if !slices.ContainsFunc(targets, r.Scope.mayMatch) {
			idle = append(idle, *r)
		}
	}
	return idle
}

// ReadsAnyField reports whether a goal can read any field of an object.
func (p *Plan) ReadsAnyField() bool {
	all := slices.Clone(p.Terms.Goals)
	for _, r := range p.Rules {
		var t observe.Requirements
		r.Apply(&t)
		all = append(all, t.Goals...)
	}
	return slices.ContainsFunc(all, func(g observe.Goal) bool { return strings.HasPrefix(g.Name, JSONPathGoal) })
}
