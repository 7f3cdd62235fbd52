package audit

import (
	"cmp"
	"fmt"
	"time"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

// Options configure an audit. The zero value runs all rules.
type Options struct {
	Rules []*Rule // nil: [Rules]
	Limits
	Severities   map[string]severity.Level // by ID or name of a rule, instead of its own; Off disables the rule.
	Suppress     []Suppression             // accepted findings.
	Declarations []Declaration             // by controllers; for other kinds the audit learns from the writes.
	Budgets      map[Measure]float64       // the limit per object: seconds of a time, or a number of writes.
	Roles        map[string]roles.Role     // by kind, such as "Lamp.example.com", if group and name do not reveal the role.
	OnFinding    func(Finding)             // called once for each finding that is not suppressed; may be nil.
}

// Limits are the thresholds of the rules. Zero means the default, which is at
// the end of each comment.
type Limits struct {
	GracePeriod     time.Duration // how long a wrong state may last that is unavoidable with two requests; 2s.
	ReconcileWindow time.Duration // writes of one writer within this time belong to one reconcile; 1s.
	ResponseTime    time.Duration // the longest time until a first status, or until a reaction to a pause; 1m.
	ClockSkew       time.Duration // the largest difference of clocks; 5s.
	ReorderWindow   time.Duration // how long a write waits for earlier ones that arrive later; 1s, negative: not at all.
	FlapCount       int           // this many transitions of a condition within FlapWindow are flapping; 6.
	FlapWindow      time.Duration // 10m.
	BurstWrites     int           // this many writes within BurstWindow are too many if they report nothing new; 12.
	BurstWindow     time.Duration // 1m.
	LoopLength      int           // this many writes in a row that trigger one another are a loop; 5.
	LoopInterval    time.Duration // the longest time between a write and one that it triggers; 2s.
	MinRepeats      int           // a needless change is reported after this many repetitions; 3.
}

func (o Options) withDefaults() Options {
	if o.Rules == nil {
		o.Rules = Rules
	}
	o.Limits = o.Limits.withDefaults()
	return o
}

func (l Limits) withDefaults() Limits {
	l.GracePeriod = cmp.Or(l.GracePeriod, 2*time.Second)
	l.ReconcileWindow = cmp.Or(l.ReconcileWindow, time.Second)
	l.ResponseTime = cmp.Or(l.ResponseTime, time.Minute)
	l.ClockSkew = cmp.Or(l.ClockSkew, 5*time.Second)
	l.ReorderWindow = max(cmp.Or(l.ReorderWindow, time.Second), 0)
	l.FlapCount = cmp.Or(l.FlapCount, 6)
	l.FlapWindow = cmp.Or(l.FlapWindow, 10*time.Minute)
	l.BurstWrites = cmp.Or(l.BurstWrites, 12)
	l.BurstWindow = cmp.Or(l.BurstWindow, time.Minute)
	l.LoopLength = cmp.Or(l.LoopLength, 5)
	l.LoopInterval = cmp.Or(l.LoopInterval, 2*time.Second)
	l.MinRepeats = cmp.Or(l.MinRepeats, 3)
	return l
}

// Check returns an error for unknown rules, unknown measures, and suppressions
// without a reason.
func (o Options) Check() error {
	o = o.withDefaults()
	for _, name := range sortedNames(o.Severities) {
		if o.rule(name) == nil {
			return fmt.Errorf("audit: severities: unknown rule %q", name)
		}
	}
	for m := range o.Budgets {
		if !m.isKnown() {
			return fmt.Errorf("audit: budgets: unknown measure %q", m)
		}
	}
	for i, s := range o.Suppress {
		if s.Reason == "" {
			return fmt.Errorf("audit: suppression %d: want a reason, have none", i+1)
		}
		if s.Rule != "" && o.rule(s.Rule) == nil {
			return fmt.Errorf("audit: suppression %d: unknown rule %q", i+1, s.Rule)
		}
	}
	return nil
}

// rule returns the rule with an ID or name; nil if there is none.
func (o Options) rule(name string) *Rule {
	for _, r := range o.Rules {
		if r.ID == name || r.Name == name {
			return r
		}
	}
	return nil
}

// severity returns the severity of a rule.
func (o Options) severity(r *Rule) severity.Level {
	if s, ok := o.Severities[r.ID]; ok {
		return s
	}
	if s, ok := o.Severities[r.Name]; ok {
		return s
	}
	return r.Severity
}
