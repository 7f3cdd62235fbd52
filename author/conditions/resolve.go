package conditions

import (
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions/wellknown"
)

// resolve computes the new conditions from the stored ones: the declared ones
// in their order, then those of other writers, unchanged. It has no side
// effects, so that a commit can call it again after a conflict.
func (p *Pass) resolve(base *snapshot) []entry {
	if p.pause != nil {
		return p.resolvePaused(base)
	}
	own := map[string]metav1.Condition{}
	for _, d := range p.set.declared {
		if !d.isOurs() || d.isComputed() {
			continue
		}
		if c, ok := p.condition(d, base); ok {
			own[d.Type] = c
		}
	}
	for _, d := range p.set.declared {
		if d.isComputed() {
			own[d.Type] = p.summary(d, base, own)
		}
	}
	var entries []entry
	for _, d := range p.set.declared {
		if c, ok := own[d.Type]; ok {
			entries = append(entries, p.withTransitionTime(c, base))
		}
	}
	for _, e := range base.entries {
		if d, known := p.set.Lookup(e.Type); !known || !d.isOurs() && !d.Obsolete {
			entries = append(entries, e)
		}
	}
	return entries
}

// resolvePaused returns the stored conditions with another Paused, and no other
// change.
func (p *Pass) resolvePaused(base *snapshot) []entry {
	entries := slices.Clone(base.entries)
	i := slices.IndexFunc(entries, func(e entry) bool { return e.Type == wellknown.TypePaused })
	switch d, _ := p.set.Lookup(wellknown.TypePaused); {
	case i < 0:
		return append(entries, p.withTransitionTime(*p.pause, base))
	case p.pause.Status == metav1.ConditionFalse && d.Polarity == PolarityPresentOnlyWhenTrue:
		return slices.Delete(entries, i, i+1)
	}
	entries[i] = p.withTransitionTime(*p.pause, base)
	return entries
}

// condition computes one condition of this controller: the stated one, else the
// stored one, else Unknown.
func (p *Pass) condition(d Declaration, base *snapshot) (c metav1.Condition, ok bool) {
	old, stored := find(base.entries, d.Type)
	c, stated := p.statements[d.Type]
	switch {
	case stored && old.ObservedGeneration > p.generation && old.ObservedGeneration <= base.generation:
		return old, true // a later pass has reported it
	case stated:
	case d.Type == wellknown.TypePaused && d.Polarity == PolarityNeutral:
		c = p.newCondition(d.Type, metav1.ConditionFalse, wellknown.ReasonNotPaused, "")
	case d.Summary && stored && old.ObservedGeneration < p.generation:
		c = p.newCondition(d.Type, metav1.ConditionUnknown, wellknown.ReasonNewGeneration, "not yet reconciled for the latest spec")
	case stored:
		c = old
	case d.Polarity == PolarityPresentOnlyWhenTrue:
		return c, false
	default:
		c = p.newCondition(d.Type, metav1.ConditionUnknown, wellknown.ReasonNotYetReconciled, "")
	}
	if d.Polarity == PolarityPresentOnlyWhenTrue && c.Status == metav1.ConditionFalse {
		return c, false
	}
	if d.Summary {
		c = p.limitSummary(c, base)
	}
	return c, true
}

// limitSummary lowers a summary that is True to Unknown if the pass cannot know it.
func (p *Pass) limitSummary(c metav1.Condition, base *snapshot) metav1.Condition {
	switch {
	case c.Status != metav1.ConditionTrue:
	case p.failed:
		return p.newCondition(c.Type, metav1.ConditionUnknown, wellknown.ReasonReconcileFailed, p.failure)
	case base.generation > p.generation:
		return p.newCondition(c.Type, metav1.ConditionUnknown, wellknown.ReasonNewGeneration, "the spec has changed during the reconcile")
	}
	return c
}

// summary computes a condition from its parts.
func (p *Pass) summary(d Declaration, base *snapshot, own map[string]metav1.Condition) metav1.Condition {
	var parts []Part
	for _, name := range d.Parts {
		declared, _ := p.set.Lookup(name)
		c, ok := own[name]
		if !ok && !declared.isOurs() {
			c, ok = find(base.entries, name)
		}
		if !ok {
			c = metav1.Condition{Type: name}
		}
		parts = append(parts, Part{Condition: p.currentOnly(c), Polarity: declared.Polarity, Optional: declared.Optional})
	}
	c := Summarize(d.Type, parts...)
	c.ObservedGeneration = p.generation
	if len(d.Reasons) == 3 {
		c.Reason = d.Reasons[slices.Index(statuses, c.Status)]
	}
	if base.deleting {
		return p.newCondition(d.Type, metav1.ConditionFalse, wellknown.ReasonDeleting, c.Message)
	}
	return p.limitSummary(c, base)
}

// currentOnly returns a part of a summary, or Unknown if the part is about an
// earlier spec.
func (p *Pass) currentOnly(c metav1.Condition) metav1.Condition {
	if c.ObservedGeneration == 0 || c.ObservedGeneration >= p.generation || c.Status == "" {
		return c
	}
	return p.newCondition(c.Type, metav1.ConditionUnknown, wellknown.ReasonNewGeneration, "not yet reported for the latest spec")
}

func (p *Pass) newCondition(typ string, status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: typ, Status: status, Reason: reason,
		Message: storable(message, maxMessage), ObservedGeneration: p.generation}
}

// withTransitionTime sets the time of the last transition. It keeps the stored
// time unless the status differs, and never uses an earlier one. The generation
// never decreases either.
func (p *Pass) withTransitionTime(c metav1.Condition, base *snapshot) entry {
	old, stored := find(base.entries, c.Type)
	switch {
	case stored && old.Status == c.Status && !old.LastTransitionTime.IsZero():
		c.LastTransitionTime = old.LastTransitionTime
	case c.LastTransitionTime.IsZero() || c.LastTransitionTime.After(p.set.now()):
		c.LastTransitionTime = toSeconds(p.set.now())
	default:
		c.LastTransitionTime = toSeconds(c.LastTransitionTime.Time)
	}
	if stored && c.LastTransitionTime.Before(&old.LastTransitionTime) {
		c.LastTransitionTime = old.LastTransitionTime
	}
	return entry{Condition: c}
}

// sameEntries reports whether two lists are equal, including their order.
func sameEntries(a, b []entry) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i].Condition, b[i].Condition
		if !x.LastTransitionTime.Equal(&y.LastTransitionTime) {
			return false
		}
		x.LastTransitionTime, y.LastTransitionTime = metav1.Time{}, metav1.Time{}
		if x != y || a[i].Type == "" && !reflect.DeepEqual(a[i].raw, b[i].raw) {
			return false
		}
	}
	return true
}
