package conditions

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/internal/integer"
)

// A Mapping maps a condition of other objects to a condition of this object.
type Mapping struct {
	// From is the type of the condition of the other objects.
	From string
	// To is the type of the condition of this object. Empty means From.
	To string
	// Polarity is the polarity of the condition, for [Aggregate].
	Polarity Polarity
	// AcceptStale accepts a condition of an earlier spec of the other object. Otherwise
	// such a condition is Unknown with the reason StaleReport.
	AcceptStale bool
	// IfMissing is used if the condition does not exist. Its zero fields mean Unknown,
	// the reason NotYetReported, and a message about it.
	IfMissing metav1.Condition
}

// Mirror returns a condition of another object as a condition for [Pass.Set], with its status,
// reason, message and lastTransitionTime. A condition that is missing, malformed or stale is
// Unknown; see [Mapping]. The object may be nil, and may hold anything.
func Mirror(source Object, m Mapping) metav1.Condition {
	c, problem := m.conditionIn(source)
	switch {
	case problem != "":
		c = metav1.Condition{Status: metav1.ConditionUnknown, Reason: wellknown.ReasonInvalidReport, Message: problem}
	case c.Type == "":
		c = m.IfMissing
		if statusProblem(c.Status) != "" {
			c.Status = metav1.ConditionUnknown
		}
		if reasonProblem(c.Reason) != "" {
			c.Reason = wellknown.ReasonNotYetReported
		}
		if c.Message == "" {
			c.Message = m.missingMessage(source)
		}
	case reasonProblem(c.Reason) != "":
		c.Reason = wellknown.ReasonNoReasonReported
	}
	c.Type = m.To
	if c.Type == "" {
		c.Type = m.From
	}
	c.ObservedGeneration = 0
	c.Message = storable(c.Message, maxMessage)
	return c
}

// conditionIn returns the condition in the source. It has no type if it is
// missing. problem describes a malformed or stale condition.
func (m Mapping) conditionIn(source Object) (c metav1.Condition, problem string) {
	if isNil(source) {
		return c, ""
	}
	var entries []entry
	observed := int64(-1)
	known := false
	if status, err := statusOf(source); err == nil {
		observed, known = integer.Of(status["observedGeneration"])
		entries = rawEntries(status["conditions"])
	}
	if _, ok := source.(*unstructured.Unstructured); !ok {
		a, ok := source.(Accessor)
		if !ok {
			return c, fmt.Sprintf("%s: %T does not implement conditions.Accessor", describe(source), source)
		}
		entries = entriesOf(a.GetConditions())
	}
	entries, _ = withoutDuplicates(entries)
	c, ok := find(entries, m.From)
	if !ok || m.From == "" {
		return metav1.Condition{}, ""
	}
	if problem := statusProblem(c.Status); problem != "" {
		return c, fmt.Sprintf("%s: condition %s: %s", describe(source), m.From, problem)
	}
	if c.ObservedGeneration > 0 {
		observed, known = c.ObservedGeneration, true
	}
	if generation := source.GetGeneration(); !m.AcceptStale && known && observed < generation {
		return metav1.Condition{
			Type: c.Type, Status: metav1.ConditionUnknown, Reason: wellknown.ReasonStaleReport,
			Message: fmt.Sprintf("%s has not reported on its latest spec yet", describe(source)),
		}, ""
	}
	return c, ""
}

func (m Mapping) missingMessage(source Object) string {
	if isNil(source) {
		return "there is no object yet to report " + m.From
	}
	return fmt.Sprintf("%s has not reported %s yet", describe(source), m.From)
}

// isNil reports whether there is no object, including a nil pointer in an
// interface.
func isNil(obj Object) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
