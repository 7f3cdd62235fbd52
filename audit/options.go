package audit

import (
	"cmp"
	"fmt"
	"time"

	"kstatus.dev/capi"
	"kstatus.dev/severity"
)

// Options say what an audit looks for. The zero value runs all rules.
type Options struct {
	Rules []*Rule // nil: [Rules]
	Limits
	Severities   map[string]severity.Level // of rules, by ID or name, instead of their own; Off: the rule does not run
	Suppress     []Suppression             // findings that are accepted
	Declarations []Declaration             // what controllers report; of other kinds the audit learns it
	Budgets      map[Measure]float64       // what an object may cost at most: seconds of a time, or a number of writes
	Roles        map[string]capi.Role      // of kinds such as "Lamp.example.com", whose group and name do not tell it
	OnFinding    func(Finding)             // is called for the first time of each finding that is not accepted; may be nil
}

// Limits are the thresholds of the rules. The comment of a field ends with the default,
// which zero means.
type Limits struct {
	GracePeriod     time.Duration // how long a wrong state may last that a controller with two requests cannot avoid; 2s
	ReconcileWindow time.Duration // writes of one writer closer together than this are one reconcile; 1s
	ResponseTime    time.Duration // how long a controller may take for its first status, or to react to a pause; 1m
	ClockSkew       time.Duration // how far clocks may differ; 5s
	ReorderWindow   time.Duration // how long a write waits for earlier ones that arrive later; 1s, negative: not at all
	FlapCount       int           // transitions of a condition within FlapWindow that are flapping; 6
	FlapWindow      time.Duration // 10m
	BurstWrites     int           // writes within BurstWindow that are too many if they report nothing new; 12
	BurstWindow     time.Duration // 1m
	LoopLength      int           // writes in a row that trigger one another and so are a loop; 5
	LoopInterval    time.Duration // how soon after a write comes one that it triggers; 2s
	MinRepeats      int           // how often a needless change is repeated before it is reported; 3
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

// Check returns what is wrong with the options: names of rules that are not
// known, measures that are not known, and suppressions without a reason.
func (o Options) Check() error {
	o = o.withDefaults()
	for _, name := range sortedNames(o.Severities) {
		if o.rule(name) == nil {
			return fmt.Errorf("audit: severities: there is no rule %q", name)
		}
	}
	for m := range o.Budgets {
		if !m.isKnown() {
			return fmt.Errorf("audit: budgets: there is no measure %q", m)
		}
	}
	for i, s := range o.Suppress {
		if s.Reason == "" {
			return fmt.Errorf("audit: suppression %d: want a reason", i+1)
		}
		if s.Rule != "" && o.rule(s.Rule) == nil {
			return fmt.Errorf("audit: suppression %d: there is no rule %q", i+1, s.Rule)
		}
	}
	return nil
}

// rule returns the rule of an ID or name; nil if there is none.
func (o Options) rule(name string) *Rule {
	for _, r := range o.Rules {
		if r.ID == name || r.Name == name {
			return r
		}
	}
	return nil
}

// severity returns how bad it is to break a rule.
func (o Options) severity(r *Rule) severity.Level {
	if s, there := o.Severities[r.ID]; there {
		return s
	}
	if s, there := o.Severities[r.Name]; there {
		return s
	}
	return r.Severity
}
