package audit

import (
	"fmt"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/status"
)

// A Rule is one requirement on the writes of a controller. Each of its
// functions may be nil. The auditor calls them sequentially, in the order of
// the writes.
type Rule struct {
	ID               string         // stable, such as "W-01".
	Name             string         // kebab-case; users disable the rule by it.
	Severity         severity.Level // of its findings; Off disables the rule.
	Doc              string         // first line: the requirement; then the reason, and how to fix a violation.
	NeedsRequests    bool           // a watch alone is not enough.
	NeedsDeclaration bool           // it needs [Options.Declarations].
	Learns           bool           // without declarations it learns from the writes, and finds less.
	OnVersion        func(*Pass)    // called for each version.
	OnChange         func(*Pass)    // called for each version that follows another without a gap.
	OnTimer          func(*Pass)    // called when the timer of [Pass.SetTimer] expires; New is the last version.
	OnRequest        func(*Pass)    // called for each request; after OnVersion and OnChange if the request made a version.
	OnPause          func(*Pass)    // called when [Pass.PausedBy] has changed, by a write of the object or of its Cluster.
}

// A Pass is the input of a rule's functions: one object at one time.
type Pass struct {
	Old, New  *Version // Old is nil for the first version, after a gap, and without a new version
	Now       time.Time
	Options   *Options
	Request   *Request // the request of New; for OnRequest also one without a new version.
	Unchanged bool     // the server rejected the request, or it changed nothing; New is the version before it.
	rule      *Rule
	history   *history
	auditor   *Auditor
	compared  bool
	changes   []Change
}

// callHook calls a function of a rule unless it is nil.
func (p *Pass) callHook(r *Rule, hook func(*Pass)) {
	if hook != nil {
		p.rule = r
		hook(p)
	}
}

// Report adds a finding at a path, such as ".status.observedGeneration". The
// format and its arguments are the evidence.
func (p *Pass) Report(path, format string, args ...any) {
	p.auditor.report(p, p.auditor.options.severity(p.rule), path, sentence(format, args))
}

// ReportInfo is like Report, with the severity Info.
func (p *Pass) ReportInfo(path, format string, args ...any) {
	p.auditor.report(p, severity.Info, path, sentence(format, args))
}

// sentence formats evidence, and rounds durations for readers.
func sentence(format string, args []any) string {
	for i, arg := range args {
		if d, is := arg.(time.Duration); is {
			args[i] = rounded(d)
		}
	}
	return fmt.Sprintf(format, args...)
}

func rounded(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// SetTimer sets the rule's timer for the object. OnTimer is called once the
// times of the writes reach d from now. SetTimer replaces the rule's previous
// timer. A gap, or the end of the object, stops it.
func (p *Pass) SetTimer(d time.Duration) {
	if !p.New.Gone {
		p.auditor.setTimer(p.history, p.rule, p.Now.Add(d))
	}
}

// StopTimer stops the timer of SetTimer.
func (p *Pass) StopTimer() { p.auditor.setTimer(p.history, p.rule, time.Time{}) }

// Other returns the last version of another object, also from before a gap. It
// returns nil if there is none.
func (p *Pass) Other(group, kind, namespace, name string) *Version {
	return p.auditor.lastVersion(status.ID{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name})
}

// State returns the state that the rule keeps for the object. It is the zero
// value at first and after a gap.
func State[T any](p *Pass) *T {
	for _, m := range p.history.states {
		if state, same := m.value.(*T); same && m.rule == p.rule {
			return state
		}
	}
	fresh := new(T)
	p.history.states = append(p.history.states, ruleState{p.rule, fresh})
	return fresh
}

// BySameWriter reports whether the writer of the object's status made the
// write; see StatusWriter. It reports true if the status writer is unknown, and
// false if only the writer of this write is unknown.
func (p *Pass) BySameWriter() bool {
	writer := p.StatusWriter("")
	if p.New.Manager == "" {
		return !p.New.managed
	}
	return writer == "" || p.New.Manager == writer
}

// StatusWriter returns the manager that writes a type of condition, or the
// status if conditionType is empty. That is the declared manager, else the one
// with the most writes before this write, or with entries in managedFields. It
// is empty if unknown.
func (p *Pass) StatusWriter(conditionType string) string {
	d := p.Declaration()
	if c := d.Condition(conditionType); c != nil && c.Owner != "" {
		return c.Owner
	}
	if d != nil && d.Manager != "" && conditionType == "" {
		return d.Manager
	}
	return p.history.writers.most(conditionType)
}

// provider returns the manager that writes the status of most objects of this
// kind. Objects that are managed externally do not count.
func (p *Pass) provider() string {
	if d := p.Declaration(); d != nil && d.Manager != "" {
		return d.Manager
	}
	return p.auditor.kinds[p.New.ID.Kind].most("")
}

// SeenFromCreation reports whether the audit has seen all writes of the object
// since its creation.
func (p *Pass) SeenFromCreation() bool { return p.history.seenFromCreation }
