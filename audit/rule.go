package audit

import (
	"fmt"
	"time"

	"kstatus.dev/severity"
)

// A Rule demands one thing of the writes of a controller. Each of its functions may be
// nil. They are called one after the other, in the order of the writes.
type Rule struct {
	ID               string         // stable, such as "W-01"
	Name             string         // kebab-case; users write it to switch the rule off
	Severity         severity.Level // of its findings; Off: the rule does not run
	Doc              string         // first line: what it demands; then why, and how to fix a violation
	NeedsRequests    bool           // it needs requests; a watch is not enough
	NeedsDeclaration bool           // it needs [Options.Declarations]
	Learns           bool           // without declarations it learns from the writes, and finds less
	OnVersion        func(*Pass)    // is called for each version
	OnChange         func(*Pass)    // is called for each version that follows another without a gap
	OnTimer          func(*Pass)    // is called when the timer of [Pass.SetTimer] expires; New is the last version
	OnRequest        func(*Pass)    // is called for each request, after OnVersion and OnChange if it made a version
	OnPause          func(*Pass)    // is called when [Pass.PausedBy] has changed, by a write of the object or of its Cluster
}

// A Pass is what a rule sees of one object when one of its functions is called.
type Pass struct {
	Old, New  *Version // Old is nil for the first version, after a gap, and where there is no new version
	Now       time.Time
	Options   *Options
	Request   *Request // that of New, or for OnRequest one that made no version
	Unchanged bool     // the server refused the request, or it changed nothing: New is the version before it
	rule      *Rule
	history   *history
	auditor   *Auditor
	compared  bool
	changes   []Change
}

// call calls one function of a rule, if it is there.
func (p *Pass) call(r *Rule, hook func(*Pass)) {
	if hook != nil {
		p.rule = r
		hook(p)
	}
}

// Report adds a finding: the rule is broken at the field with a path, such as
// ".status.observedGeneration". The format and its arguments are the evidence.
func (p *Pass) Report(path, format string, args ...any) {
	p.auditor.report(p, p.auditor.options.severity(p.rule), path, sentence(format, args))
}

// ReportInfo adds a finding as Report does, with the severity Info.
func (p *Pass) ReportInfo(path, format string, args ...any) {
	p.auditor.report(p, severity.Info, path, sentence(format, args))
}

// sentence formats evidence, with times no finer than anybody reads them.
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

// SetTimer sets the rule's timer for the object: OnTimer is called after d, as soon as
// the times of the writes reach it. It replaces a timer that was set before. A gap and
// the end of the object stop the timer.
func (p *Pass) SetTimer(d time.Duration) {
	if !p.New.Gone {
		p.auditor.setTimer(p.history, p.rule, p.Now.Add(d))
	}
}

// StopTimer stops the timer of SetTimer.
func (p *Pass) StopTimer() { p.auditor.setTimer(p.history, p.rule, time.Time{}) }

// Other returns the last version of another object, also from before a gap; nil if
// there was none.
func (p *Pass) Other(group, kind, namespace, name string) *Version {
	return p.auditor.version(ID{Group: group, Kind: kind, Namespace: namespace, Name: name})
}

// State returns what the rule keeps for the object between its calls. It is the zero
// value at first, and after a gap.
func State[T any](p *Pass) *T {
	for _, m := range p.history.memory {
		if known, same := m.of.(*T); same && m.rule == p.rule {
			return known
		}
	}
	fresh := new(T)
	p.history.memory = append(p.history.memory, memory{p.rule, fresh})
	return fresh
}

// BySameWriter reports whether the write was made by the writer of the object's status,
// see StatusWriter. If that one is not known, it reports true. If only the writer of
// this write is not known, it reports false.
func (p *Pass) BySameWriter() bool {
	keeper := p.StatusWriter("")
	if p.New.Manager == "" {
		return !p.New.managed
	}
	return keeper == "" || p.New.Manager == keeper
}

// StatusWriter returns the manager that writes the condition of a type, or with an empty
// type the status. It is the declared one, or else the one with the most writes before
// this one; the managedFields of an existing object count too. Empty: it is not known.
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

// provider returns who keeps the status of objects of this kind, those left out
// that somebody else manages.
func (p *Pass) provider() string {
	if d := p.Declaration(); d != nil && d.Manager != "" {
		return d.Manager
	}
	return p.auditor.kinds[ID{Group: p.New.ID.Group, Kind: p.New.ID.Kind}].most("")
}

// SeenFromCreation reports whether the audit has seen all writes of the object since its creation.
func (p *Pass) SeenFromCreation() bool { return p.history.whole }
