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
func (l *Pass) call(r *Rule, look func(*Pass)) {
	if look != nil {
		l.rule = r
		look(l)
	}
}

// Report adds a finding: the rule is broken at the field with a path, such as
// ".status.observedGeneration". The format and its arguments are the evidence.
func (l *Pass) Report(path, format string, args ...any) {
	l.auditor.report(l, l.auditor.options.severity(l.rule), path, sentence(format, args))
}

// ReportInfo adds a finding as Report does, with the severity Info.
func (l *Pass) ReportInfo(path, format string, args ...any) {
	l.auditor.report(l, severity.Info, path, sentence(format, args))
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
func (l *Pass) SetTimer(d time.Duration) {
	if !l.New.Gone {
		l.auditor.setTimer(l.history, l.rule, l.Now.Add(d))
	}
}

// StopTimer stops the timer of SetTimer.
func (l *Pass) StopTimer() { l.auditor.setTimer(l.history, l.rule, time.Time{}) }

// Other returns the last version of another object, also from before a gap; nil if
// there was none.
func (l *Pass) Other(group, kind, namespace, name string) *Version {
	return l.auditor.version(ID{Group: group, Kind: kind, Namespace: namespace, Name: name})
}

// State returns what the rule keeps for the object between its calls. It is the zero
// value at first, and after a gap.
func State[T any](l *Pass) *T {
	for _, m := range l.history.memory {
		if known, same := m.of.(*T); same && m.rule == l.rule {
			return known
		}
	}
	fresh := new(T)
	l.history.memory = append(l.history.memory, memory{l.rule, fresh})
	return fresh
}

// BySameWriter reports whether the write was made by the writer of the object's status,
// see StatusWriter. If that one is not known, it reports true. If only the writer of
// this write is not known, it reports false.
func (l *Pass) BySameWriter() bool {
	keeper := l.StatusWriter("")
	if l.New.Manager == "" {
		return !l.New.managed
	}
	return keeper == "" || l.New.Manager == keeper
}

// StatusWriter returns the manager that writes the condition of a type, or with an empty
// type the status. It is the declared one, or else the one with the most writes before
// this one; the managedFields of an existing object count too. Empty: it is not known.
func (l *Pass) StatusWriter(conditionType string) string {
	d := l.Declaration()
	if c := d.Condition(conditionType); c != nil && c.Owner != "" {
		return c.Owner
	}
	if d != nil && d.Manager != "" && conditionType == "" {
		return d.Manager
	}
	return l.history.writers.most(conditionType)
}

// provider returns who keeps the status of objects of this kind, those left out
// that somebody else manages.
func (l *Pass) provider() string {
	if d := l.Declaration(); d != nil && d.Manager != "" {
		return d.Manager
	}
	return l.auditor.kinds[ID{Group: l.New.ID.Group, Kind: l.New.ID.Kind}].most("")
}

// SeenFromCreation reports whether the audit has seen all writes of the object since its creation.
func (l *Pass) SeenFromCreation() bool { return l.history.whole }
