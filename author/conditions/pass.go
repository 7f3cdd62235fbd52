package conditions

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions/messages"
	"kstatus.dev/author/conditions/wellknown"
)

// A Pass collects the results of one reconcile of one object. [Pass.Commit] or
// [Pass.CommitInMemory] ends it. A Pass belongs to one goroutine.
type Pass struct {
	set         *Set
	obj         Object              // the caller's; nil for a plain list
	list        *[]metav1.Condition // the caller's list, if there is no object
	base        *snapshot
	generation  int64
	statements  map[string]metav1.Condition
	initialized map[string]bool
	pause       *metav1.Condition // the only condition that a commit writes; nil without a pause
	failure     string
	failed      bool
	invalid     []error
	warnings    []string
}

// Begin begins a pass over an object. It keeps a copy of the object, and the generation that
// all statements of the pass are about. [Pass.Commit] also writes what you change in the
// status of the object until then. State conditions through the pass only.
//
// Write metadata and spec, such as a finalizer or a provider ID, before Begin: a pass never
// reports a later generation than its own.
//
// The error is a [MissingError] if the object gives no access to its conditions.
func (s *Set) Begin(obj Object) (*Pass, error) {
	base, err := takeSnapshot(obj)
	if err != nil {
		return nil, err
	}
	p := s.pass(base)
	p.obj = obj
	return p, nil
}

// BeginInMemory begins a pass over a list of conditions, for controllers that write the status
// themselves. [Pass.CommitInMemory] ends it.
func (s *Set) BeginInMemory(list *[]metav1.Condition, generation int64) *Pass {
	entries, repaired := withoutDuplicates(entriesOf(slices.Clone(*list)))
	p := s.pass(&snapshot{generation: generation, observed: -1, entries: entries, duplicated: repaired})
	p.list = list
	return p
}

func (s *Set) pass(base *snapshot) *Pass {
	p := &Pass{
		set: s, base: base, generation: base.generation,
		statements: map[string]metav1.Condition{}, initialized: map[string]bool{},
	}
	for _, typ := range base.duplicated {
		p.warn("condition %s was stored more than once: only the newest transition is kept", typ)
	}
	return p
}

// Generation returns the generation that the pass is about.
func (p *Pass) Generation() int64 { return p.generation }

// True states that a condition is True. See [Pass.Set] for errors.
func (p *Pass) True(typ, reason, message string) {
	p.Set(metav1.Condition{Type: typ, Status: metav1.ConditionTrue, Reason: reason, Message: message})
}

// False states that a condition is False. A condition that is declared by
// [PresentOnlyWhenTrue] is removed. See [Pass.Set] for errors.
func (p *Pass) False(typ, reason, message string) {
	p.Set(metav1.Condition{Type: typ, Status: metav1.ConditionFalse, Reason: reason, Message: message})
}

// Unknown states that a condition is Unknown. See [Pass.Set] for errors.
func (p *Pass) Unknown(typ, reason, message string) {
	p.Set(metav1.Condition{Type: typ, Status: metav1.ConditionUnknown, Reason: reason, Message: message})
}

// Set states a condition as a whole, such as the result of [Mirror] or [Aggregate]. The pass
// sets its generation. Its lastTransitionTime, if set, is used if the status changes.
//
// A wrong status or reason makes the condition Unknown with the reason InvalidStatement. A type
// that is not declared, is computed, or belongs to another controller is not written. In both
// cases [Pass.Commit] returns an [InvalidError], and writes everything else.
func (p *Pass) Set(c metav1.Condition) {
	d, declared := p.set.Lookup(c.Type)
	problem := statusProblem(c.Status)
	switch {
	case !declared:
		problem = "the type is not declared"
	case !d.isOurs():
		problem = "another controller writes the type"
	case d.isComputed():
		problem = "the condition is computed from its parts"
	case problem == "":
		problem = d.reasonProblem(c.Reason)
	}
	if problem != "" {
		p.reject(&InvalidError{Object: p.describe(), Type: c.Type, Reason: c.Reason, Problem: problem})
		if !declared || !d.isOurs() || d.isComputed() {
			return
		}
		c.Status, c.Reason, c.Message = metav1.ConditionUnknown, wellknown.ReasonInvalidStatement, problem
	}
	c.Message = p.message(c.Type, c.Message)
	c.ObservedGeneration = p.generation
	p.statements[c.Type] = c
}

// Fail states that the pass has failed. A summary that would be True becomes Unknown with the
// reason ReconcileFailed. A nil error states nothing.
func (p *Pass) Fail(err error) {
	if err == nil {
		return
	}
	p.failed = true
	p.failure = storable(messages.FromError(err), maxMessage)
}

// Pause states that the object is paused, and why. A commit then writes the condition Paused
// only, whatever else the pass has stated. It fails with [ErrOutdated] if the object has changed
// since the pass began. A stale copy may not show that the controller still works for it.
func (p *Pass) Pause(reason, message string) {
	d, declared := p.set.Lookup(wellknown.TypePaused)
	problem := ""
	if !declared || !d.isOurs() {
		problem = "the type is not declared"
	} else {
		problem = d.reasonProblem(reason)
	}
	if problem != "" {
		p.reject(&InvalidError{Object: p.describe(), Type: wellknown.TypePaused, Reason: reason, Problem: problem})
		reason, message = wellknown.ReasonInvalidStatement, problem
	}
	p.pause = &metav1.Condition{Type: wellknown.TypePaused, Status: metav1.ConditionTrue, Reason: reason,
		Message: p.message(wellknown.TypePaused, message), ObservedGeneration: p.generation}
}

// Resume states that the object is not paused any more, and reports whether its status still
// acknowledges a pause. If so, commit this pass before any other work: it writes Paused only. End
// the reconcile if that fails, since readers would take the old acknowledgement for a new one.
func (p *Pass) Resume() bool {
	d, declared := p.set.Lookup(wellknown.TypePaused)
	c, _ := find(p.base.entries, wellknown.TypePaused)
	if !declared || !d.isOurs() || c.Status != metav1.ConditionTrue {
		return false
	}
	c = p.newCondition(c.Type, metav1.ConditionFalse, wellknown.ReasonNotPaused, "")
	p.pause = &c
	return true
}

// MarkInitialized sets status.initialization.<name> to true. Every later commit keeps it true.
func (p *Pass) MarkInitialized(name string) { p.initialized[name] = true }

// Get returns a condition as stated; otherwise as stored; otherwise Unknown with the reason
// NotYetReconciled.
func (p *Pass) Get(typ string) metav1.Condition {
	if c, ok := p.statements[typ]; ok {
		return c
	}
	if c, ok := find(p.resolve(p.base), typ); ok {
		return c
	}
	return metav1.Condition{Type: typ, Status: metav1.ConditionUnknown, Reason: wellknown.ReasonNotYetReconciled}
}

// Warnings returns what the pass has repaired or cut, and problems of the stored status, for
// the log of the controller.
func (p *Pass) Warnings() []string { return slices.Clone(p.warnings) }

// CommitInMemory ends a pass without a request. It sets the conditions of the object or list
// in memory, and reports whether any has changed. The error joins an [InvalidError] for each
// statement against the declaration; all other conditions are set nevertheless.
func (p *Pass) CommitInMemory() (changed bool, err error) {
	entries := p.resolve(p.base)
	changed = !sameEntries(entries, p.base.entries) || len(p.base.duplicated) > 0
	if p.list != nil {
		*p.list = conditionsOf(entries)
	} else {
		setConditions(p.obj, entries)
	}
	return changed, errors.Join(p.invalid...)
}

func (p *Pass) reject(err *InvalidError) {
	if p.set.options.Strict {
		panic(err)
	}
	p.invalid = append(p.invalid, err)
}

func (p *Pass) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.warnings, text) {
		p.warnings = append(p.warnings, text)
	}
}

// message makes a message storable, and adds warnings about cut or volatile
// parts.
func (p *Pass) message(typ, message string) string {
	if len(message) > maxMessage {
		p.warn("condition %s: its message has %d bytes and is cut to %d", typ, len(message), maxMessage)
		message = storable(message, 2*maxMessage) // marks are shorter than the text that they replace
	}
	tokens := slices.DeleteFunc(messages.FindVolatile(message), func(t messages.VolatilePart) bool { return !t.Replaced })
	for _, t := range tokens {
		p.warn("condition %s: its message contains a %s, which differs although nothing has changed: %s", typ, t.Class, t.Text)
	}
	if len(tokens) > 0 {
		message = messages.Stable(message)
	}
	return storable(message, maxMessage)
}

func (p *Pass) describe() string { return describe(p.obj) }

func statusProblem(s metav1.ConditionStatus) string {
	if slices.Contains(statuses, s) {
		return ""
	}
	return fmt.Sprintf("the status %q is not True, False or Unknown", string(s))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
