package conditions

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/conditions/messages"
	"kstatus.dev/kube/conditions/wellknown"
)

// A Pass is one look of a controller at one object: what it finds is stated
// through the pass, and written by [Pass.Commit] at its end. A Pass belongs to
// one goroutine.
type Pass struct {
	set         *Set
	obj         Object              // the author's; nil for a plain list
	list        *[]metav1.Condition // the author's list, if there is no object
	base        *snapshot
	generation  int64
	stated      map[string]metav1.Condition
	initialized map[string]bool
	pause       *metav1.Condition
	failure     string
	failed      bool
	invalid     []error
	warnings    []string
}

// Begin starts a pass. It keeps a copy of the object to compare with, and the
// generation that everything stated in this pass is about. What of the status
// the author changes on the object between Begin and Commit is written together
// with the conditions; the conditions themselves are stated through the pass.
//
// Write metadata and spec (a finalizer, a provider ID) before Begin: a pass
// never claims to have looked at a generation that is later than the one it began with.
func (s *Set) Begin(obj Object) (*Pass, error) {
	base, err := takeSnapshot(obj)
	if err != nil {
		return nil, err
	}
	p := s.pass(base)
	p.obj = obj
	return p, nil
}

// BeginInMemory starts a pass over a plain list of conditions, for an author who
// writes the status in another way. [Pass.CommitInMemory] ends it.
func (s *Set) BeginInMemory(list *[]metav1.Condition, generation int64) *Pass {
	entries, repaired := withoutDuplicates(entriesOf(slices.Clone(*list)))
	p := s.pass(&snapshot{generation: generation, observed: -1, entries: entries, duplicated: repaired})
	p.list = list
	return p
}

func (s *Set) pass(base *snapshot) *Pass {
	p := &Pass{
		set: s, base: base, generation: base.generation,
		stated: map[string]metav1.Condition{}, initialized: map[string]bool{},
	}
	for _, typ := range base.duplicated {
		p.warn("condition %s was stored more than once: the one with the newest transition is kept", typ)
	}
	return p
}

// Generation is the generation that the pass is about.
func (p *Pass) Generation() int64 { return p.generation }

// True states that a condition is True.
func (p *Pass) True(typ, reason, message string) {
	p.Set(metav1.Condition{Type: typ, Status: metav1.ConditionTrue, Reason: reason, Message: message})
}

// False states that a condition is False. One that is declared as
// [PresentOnlyWhenTrue] is then removed.
func (p *Pass) False(typ, reason, message string) {
	p.Set(metav1.Condition{Type: typ, Status: metav1.ConditionFalse, Reason: reason, Message: message})
}

// Unknown states that it is not known whether a condition holds.
func (p *Pass) Unknown(typ, reason, message string) {
	p.Set(metav1.Condition{Type: typ, Status: metav1.ConditionUnknown, Reason: reason, Message: message})
}

// Set states a condition as a whole, such as a [Mirror] or an [Aggregate] makes
// it. Its generation is the one of the pass. Its transition time, if it has one,
// counts as the time of the transition if the status changes, and for nothing else.
func (p *Pass) Set(c metav1.Condition) {
	d, declared := p.set.Lookup(c.Type)
	problem := statusProblem(c.Status)
	switch {
	case !declared:
		problem = "the type is not declared"
	case !d.isOurs():
		problem = "the type is not ours to write"
	case d.isComputed():
		problem = "the condition is computed from its parts"
	case problem == "":
		problem = d.reasonProblem(c.Reason)
	}
	if problem != "" {
		p.refuse(&InvalidError{Object: p.describe(), Type: c.Type, Reason: c.Reason, Problem: problem})
		if !declared || !d.isOurs() || d.isComputed() {
			return
		}
		c.Status, c.Reason, c.Message = metav1.ConditionUnknown, wellknown.ReasonInvalidStatement, problem
	}
	c.Message = p.message(c.Type, c.Message)
	c.ObservedGeneration = p.generation
	p.stated[c.Type] = c
}

// Fail says that the pass ends with an error. A summary that would be True is
// then Unknown with the reason ReconcileFailed, unless its parts already say
// what is wrong; a nil error says nothing.
func (p *Pass) Fail(err error) {
	if err == nil {
		return
	}
	p.failed = true
	p.failure = storable(messages.FromError(err), maxMessage)
}

// Pause says that the object is paused and why. Commit then writes the
// condition Paused and nothing else, whatever else has been stated.
func (p *Pass) Pause(reason, message string) {
	d, declared := p.set.Lookup(wellknown.TypePaused)
	problem := ""
	if !declared || !d.isOurs() {
		problem = "the type is not declared"
	} else {
		problem = d.reasonProblem(reason)
	}
	if problem != "" {
		p.refuse(&InvalidError{Object: p.describe(), Type: wellknown.TypePaused, Reason: reason, Problem: problem})
		reason, message = wellknown.ReasonInvalidStatement, problem
	}
	p.pause = &metav1.Condition{Type: wellknown.TypePaused, Status: metav1.ConditionTrue, Reason: reason,
		Message: p.message(wellknown.TypePaused, message), ObservedGeneration: p.generation}
}

// MarkInitialized sets status.initialization.<name> to true. There is no way
// back: what has once been true there is written as true by every commit.
func (p *Pass) MarkInitialized(name string) { p.initialized[name] = true }

// Get is a condition as the pass has it now: as stated, else as stored, else
// Unknown with the reason NotYetReconciled.
func (p *Pass) Get(typ string) metav1.Condition {
	if c, ok := p.stated[typ]; ok {
		return c
	}
	if c, ok := find(p.resolve(p.base), typ); ok {
		return c
	}
	return metav1.Condition{Type: typ, Status: metav1.ConditionUnknown, Reason: wellknown.ReasonNotYetReconciled}
}

// Warnings are what an author may want to log: what the pass has repaired, cut
// or seen to be wrong in what was stored.
func (p *Pass) Warnings() []string { return slices.Clone(p.warnings) }

// CommitInMemory ends a pass without a request: it puts the conditions into the object
// or the list in memory and tells whether any has changed. The error is about
// statements against the declaration; the others have been put there all the same.
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

func (p *Pass) refuse(err *InvalidError) {
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

// message makes a message what may be stored, and warns of what had to be
// taken out of it.
func (p *Pass) message(typ, message string) string {
	if len(message) > maxMessage {
		p.warn("condition %s: its message has %d bytes and is cut to %d", typ, len(message), maxMessage)
		message = storable(message, 2*maxMessage) // marks are shorter than what they stand for
	}
	tokens := slices.DeleteFunc(messages.FindVolatile(message), func(t messages.VolatilePart) bool { return !t.Replaced })
	for _, t := range tokens {
		p.warn("condition %s: its message holds a %s, which differs although nothing has changed: %s", typ, t.Class, t.Text)
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
	return fmt.Sprintf("the status %q is none of True, False and Unknown", string(s))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
