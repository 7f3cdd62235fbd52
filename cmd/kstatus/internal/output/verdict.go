// Package output computes and prints the verdicts on objects. It has the verdict on one object, the
// counts of many verdicts, and the lines of -o json.
package output

import (
	"errors"
	"time"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/explain"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// IDs returns the IDs of verdicts.
func IDs(all []Verdict) (ids []status.ID) {
	for _, v := range all {
		ids = append(ids, v.ID)
	}
	return ids
}

// A Verdict is the result of judging an object: its line, and details for text formats.
type Verdict struct {
	Object
	Created      time.Time           // zero if the object has no creation time.
	Labels       map[string]string   // nil unless [Criteria.Labels] is set.
	Unjudged     bool                // it could not be read as an object.
	Own          string              // the message without the problem of its parts, if there is one.
	Parts        *status.Parts       // the problem of its parts, which the message ends with.
	TextWarnings []string            // the warnings about its text.
	ObjectFact   *explain.ObjectFact // the verdict with its object, for explanations.
}

// describe sets the fields that are printed with the verdict from the object.
func (v *Verdict) describe(root map[string]any) {
	if created, err := time.Parse(time.RFC3339, decoded.Text(root, "metadata", "creationTimestamp")); err == nil {
		v.Created = created
	}
	v.Generation = manifest.IntegerAt(root, "metadata", "generation")
	v.ObservedGeneration = manifest.IntegerAt(root, "status", "observedGeneration")
}

// setParts sets the message: the object's own one, and the problem of the parts.
func (v *Verdict) setParts(own string, p *status.Parts) {
	v.Message, v.Parts = p.AppendTo(own), p
	if v.Own = ""; p != nil {
		v.Own = own
	}
}

// ShortMessage returns the message for a narrow column.
func (v Verdict) ShortMessage() string {
	if v.Parts == nil {
		return shortened(v.Message)
	}
	return ShortMessage(v.Own, v.Parts)
}

// setUnreadable sets the verdict for an object that could not be read, or that does not exist if
// err is nil.
func (v *Verdict) setUnreadable(err error) {
	v.Confidence = status.ConfidenceExplicit
	if err == nil {
		v.Status, v.Reason, v.Message = status.NotFoundStatus, status.ReasonNeverSeen, "it does not exist"
		return
	}
	v.Status, v.Reason, v.Message, v.Error = status.UnknownStatus, status.ReasonTransport, err.Error(), err.Error()
	if why, ok := errors.AsType[*observe.Unreadable](err); ok {
		v.Reason = why.Reason
	}
}

// malformed returns the verdict on a document that cannot be read as an object.
func (v Verdict) malformed(err error) Verdict {
	v.Status, v.Reason, v.Message, v.Error = status.UnknownStatus, status.ReasonMalformed, err.Error(), err.Error()
	v.Unjudged = true
	return v
}

// Fact returns the object of a verdict as a fact of an explanation. Without the object, the fact
// has only the verdict.
func (v Verdict) Fact() explain.ObjectFact {
	if v.ObjectFact != nil {
		return *v.ObjectFact
	}
	r := v.Result
	r.Warnings = nil // some are about the text of the file
	return explain.ObjectFact{ID: v.ID, Result: r}
}

// AllWarnings returns the warnings about the object, without those about its text.
func (v Verdict) AllWarnings() []string {
	v.Warnings = v.Warnings[:max(len(v.Warnings)-len(v.TextWarnings), 0)]
	return v.Result.AllWarnings()
}

// IsFailing reports whether the object is InProgress with a failure that may resolve itself.
func (v Verdict) IsFailing() bool {
	return v.Status == status.InProgressStatus && v.Failure == status.FailureRecoverable
}

// StatusWord returns the status for users. InProgress with a recoverable failure is Failing.
// Current without evidence is marked as assumed.
func StatusWord(s status.Status, failing, assumed bool) string {
	switch {
	case s == status.InProgressStatus && failing:
		return "Failing"
	case s == status.CurrentStatus && assumed:
		return "Current (assumed)"
	}
	return string(s)
}
