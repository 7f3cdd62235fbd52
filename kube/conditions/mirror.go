package conditions

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/conditions/wellknown"
)

// Mapping says what of other objects becomes a condition of ours, and how.
type Mapping struct {
	// Of is the type of the condition there.
	From string
	// As is the type of ours. Empty means the same.
	To string
	// Polarity is that of the condition there; [Aggregate] needs it.
	Polarity Polarity
	// Trusting takes over also what was reported on an earlier spec of the
	// source. Otherwise that is Unknown with the reason StaleReport.
	AcceptStale bool
	// Missing stands in for a condition that is not there. Zero fields mean
	// Unknown, NotYetReported, and a message that says so.
	IfMissing metav1.Condition
}

// Mirror is a condition of another object as one of ours, for [Pass.Set]: with
// its status, reason, message and time of transition, unless it is not there,
// is malformed, or speaks of an earlier spec than the source has. The source
// may be nil and may hold anything at all.
func Mirror(source Object, from Mapping) metav1.Condition {
	c, problem := from.conditionIn(source)
	switch {
	case problem != "":
		c = metav1.Condition{Status: metav1.ConditionUnknown, Reason: wellknown.ReasonInvalidReport, Message: problem}
	case c.Type == "":
		c = from.IfMissing
		if statusProblem(c.Status) != "" {
			c.Status = metav1.ConditionUnknown
		}
		if reasonProblem(c.Reason) != "" {
			c.Reason = wellknown.ReasonNotYetReported
		}
		if c.Message == "" {
			c.Message = from.missingMessage(source)
		}
	case reasonProblem(c.Reason) != "":
		c.Reason = wellknown.ReasonNoReasonReported
	}
	c.Type = from.To
	if c.Type == "" {
		c.Type = from.From
	}
	c.ObservedGeneration = 0
	c.Message = storable(c.Message, maxMessage)
	return c
}

// conditionIn is the condition in the source, one without a type if it is not there, or
// what is wrong with it.
func (from Mapping) conditionIn(source Object) (c metav1.Condition, problem string) {
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
			return c, fmt.Sprintf("%s: %T gives no access to its conditions", describe(source), source)
		}
		entries = entriesOf(a.GetConditions())
	}
	entries, _ = withoutDuplicates(entries)
	c, there := find(entries, from.From)
	if !there || from.From == "" {
		return metav1.Condition{}, ""
	}
	if problem := statusProblem(c.Status); problem != "" {
		return c, fmt.Sprintf("%s: condition %s: %s", describe(source), from.From, problem)
	}
	if c.ObservedGeneration > 0 {
		observed, known = c.ObservedGeneration, true
	}
	if generation := source.GetGeneration(); !from.AcceptStale && known && observed < generation {
		return metav1.Condition{
			Type: c.Type, Status: metav1.ConditionUnknown, Reason: wellknown.ReasonStaleReport,
			Message: fmt.Sprintf("%s has not reported on its latest spec yet", describe(source)),
		}, ""
	}
	return c, ""
}

func (from Mapping) missingMessage(source Object) string {
	if isNil(source) {
		return "there is no object yet that reports " + from.From
	}
	return fmt.Sprintf("%s has not reported %s yet", describe(source), from.From)
}

// isNil tells whether there is no object, also where a nil pointer stands for it.
func isNil(obj Object) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
