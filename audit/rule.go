package audit

import (
	"fmt"
	"time"

	"kstatus.dev/severity"
)

// A Rule demands one thing of the writes of a controller. Each of its functions
// may be nil.
type Rule struct {
	ID               string         // stable, such as "W-01"
	Name             string         // kebab-case; what users write to switch it off
	Severity         severity.Level // Off: the rule does not run
	Doc              string         // first line: what it demands; then why, and how to repair
	NeedsRequests    bool           // it needs requests, not only a watch
	NeedsDeclaration bool           // it needs declared conditions
	Learns           bool           // it says more with declared conditions, and otherwise goes by what is written
	OnVersion        func(*Pass)    // looks at each version
	OnChange         func(*Pass)    // looks at each version that follows another without a gap
	OnTimer          func(*Pass)    // looks again when the time comes that [Pass.SetTimer] asked for; New is the last version
	OnRequest        func(*Pass)    // looks at each request, Look.Request; after Version and Step if it made a version, see Look.Kept
	OnPause          func(*Pass)    // looks when the answer of [Pass.PausedBy] has changed, whether by a write of the object or of its Cluster
}

// A Pass is what a rule sees of one object at one moment.
type Pass struct {
	Old, New  *Version // Old is nil for the first version, after a gap, and where there is no new version
	Now       time.Time
	Options   *Options
	Request   *Request // that of New, or for Asked one that made none
	Unchanged bool     // the server refused the request, or it changed nothing: New is what was there before
	rule      *Rule
	history   *history
	auditor   *Auditor
	compared  bool
	changes   []Change
}

// ask lets one function of a rule look.
func (l *Pass) call(r *Rule, look func(*Pass)) {
	if look != nil {
		l.rule = r
		look(l)
	}
}

// Report says that the rule is broken at the field of a path, such as
// ".status.observedGeneration", and what shows it.
func (l *Pass) Report(path, format string, args ...any) {
	l.auditor.report(l, l.auditor.options.severity(l.rule), path, sentence(format, args))
}

// ReportInfo says what Report says where it is no more than an information.
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

// SetTimer asks that the rule's Woken is called once d has passed, as soon as the
// stream says so. Asking again replaces what was asked for before. A gap takes
// it back, and so does the end of the object.
func (l *Pass) SetTimer(d time.Duration) {
	if !l.New.Gone {
		l.auditor.setTimer(l.history, l.rule, l.Now.Add(d))
	}
}

// StopTimer takes back what Wake asked for.
func (l *Pass) StopTimer() { l.auditor.setTimer(l.history, l.rule, time.Time{}) }

// Other returns the last version seen of another object, be it from before a gap;
// nil if none was.
func (l *Pass) Other(group, kind, namespace, name string) *Version {
	return l.auditor.version(ID{Group: group, Kind: kind, Namespace: namespace, Name: name})
}

// State returns what the rule remembers of the object; zero at first, and after
// a gap.
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

// BySameWriter reports whether the write was made by whoever keeps the object's status:
// the one who was declared to, or who wrote most of it before. Where nobody is
// known every write counts, but not one whose writer alone is not known.
func (l *Pass) BySameWriter() bool {
	keeper := l.StatusWriter("")
	if l.New.Manager == "" {
		return !l.New.managed
	}
	return keeper == "" || l.New.Manager == keeper
}

// StatusWriter returns who keeps the condition of a type, or with an empty one the
// status: who was declared to, or who wrote it most before the present write.
// The managedFields of an object that was there before tell it too. Empty:
// nobody is known.
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

// SeenFromCreation reports whether all writes of the object were seen, its creation included.
func (l *Pass) SeenFromCreation() bool { return l.history.whole }
