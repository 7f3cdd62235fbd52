package audit

import (
	"fmt"
	"strings"
	"time"
)

// A Rule demands one thing of the writes of a controller.
type Rule struct {
	ID       string // stable, such as "W-01"
	Name     string // kebab-case; what users write to switch it off
	Severity Severity
	Doc      string      // first line: what it demands; then why, and how to repair
	Requests bool        // it needs requests, not only a watch
	Version  func(*Look) // looks at each version; may be nil
	Step     func(*Look) // looks at each version that follows another without a gap; may be nil
	Woken    func(*Look) // looks again when the time comes that [Look.Wake] asked for; New is the last version; may be nil
}

// A Severity says how bad a finding is.
type Severity string

// The severities. Only an Error makes an audit fail.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// A Look is what a rule sees of one object at one moment.
type Look struct {
	Old, New *Version // Old is nil for the first version, and after a gap
	Now      time.Time
	Options  *Options
	rule     *Rule
	history  *history
	auditor  *Auditor
}

// Report says that the rule is broken at the field of a path, such as
// ".status.observedGeneration", and what shows it.
func (l *Look) Report(path, format string, args ...any) {
	l.auditor.report(l, path, fmt.Sprintf(format, args...))
}

// Wake asks that the rule's Woken is called once d has passed, as soon as the
// stream says so. Asking again replaces what was asked for before.
func (l *Look) Wake(d time.Duration) { l.auditor.wake(l, l.Now.Add(d)) }

// Sleep takes back what Wake asked for.
func (l *Look) Sleep() { l.auditor.wake(l, time.Time{}) }

// Other returns the last version seen of another object; nil if none was.
func (l *Look) Other(group, kind, namespace, name string) *Version {
	return l.auditor.latest[ID{Group: group, Kind: kind, Namespace: namespace, Name: name}]
}

// Memory returns what the rule remembers of the object; zero at first.
func Memory[T any](l *Look) *T {
	if known, there := l.history.memory[l.rule].(*T); there {
		return known
	}
	fresh := new(T)
	l.history.memory[l.rule] = fresh
	return fresh
}

// Owner reports whether the write was made by whoever keeps the object's
// status: the one who wrote most of it so far. Where nobody is known every write counts.
func (l *Look) Owner() bool {
	return l.New.Manager == "" || l.history.keeper == "" || l.New.Manager == l.history.keeper
}

// Burst returns the versions that the writer of the present one wrote in a row,
// each closer to the next than Options.Burst, oldest first, the present one last.
func (l *Look) Burst() []*Version { return l.history.burst }

// Paused returns who asks that nobody works on the object: the object itself, or
// the Cluster that it is labelled with; empty if nobody does.
func (l *Look) Paused() string {
	meta := object(l.New.Object, "metadata")
	if _, paused := object(meta, "annotations")["cluster.x-k8s.io/paused"]; paused {
		return "its annotation cluster.x-k8s.io/paused"
	}
	name := text(object(meta, "labels"), "cluster.x-k8s.io/cluster-name")
	if l.New.ID.Group == "cluster.x-k8s.io" && l.New.ID.Kind == "Cluster" {
		name = l.New.ID.Name
	}
	if c := l.Other("cluster.x-k8s.io", "Cluster", l.New.ID.Namespace, name); c != nil && object(c.Object, "spec")["paused"] == true {
		return "spec.paused of Cluster/" + strings.TrimPrefix(c.ID.Namespace+"/", "/") + name
	}
	return ""
}
