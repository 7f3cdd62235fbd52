package controller

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/clusterapi/openstack/failure"
)

// forever is longer than any other wait.
const forever = 24 * time.Hour

// stateReady states Ready. It returns after how long Ready changes although nothing else does;
// without such a time, a very long one.
//
// Ready is the summary of the details, with two exceptions for an object that is provisioned:
//
//   - If the credentials are rejected, nothing can be observed. That is no defect of what exists,
//     so Ready is Unknown and not False.
//   - If the cloud refuses requests because of their number, or is unavailable, Ready stays True
//     for a grace period.
func (b *base) stateReady(pass *conditions.Pass, rep report, stored []metav1.Condition, f *failure.Failure) (until time.Duration) {
	var details []metav1.Condition
	for _, detail := range rep.details {
		details = append(details, pass.Get(detail))
	}
	c, until := conditions.Summarize(wellknown.TypeReady, rep.parts(details)...), forever
	before, failing := meta.FindStatusCondition(stored, wellknown.TypeReady), firstNotTrue(details, rep.details)
	if b.toleratesOutage(f, rep, before) && failing != nil && failing.Status == metav1.ConditionUnknown && before.ObservedGeneration == pass.Generation() {
		since := b.attempts.now()
		if old := meta.FindStatusCondition(stored, failing.Type); old != nil && old.Status == metav1.ConditionUnknown {
			since = old.LastTransitionTime.Time
		}
		if left := since.Add(b.graceOf(f)).Sub(b.attempts.now()); left > 0 {
			c, until = *before, left+time.Second // times in conditions are whole seconds
		}
	}
	pass.Set(metav1.Condition{Type: wellknown.TypeReady, Status: c.Status, Reason: c.Reason, Message: c.Message})
	return until
}

// parts returns the parts of Ready. Details that wait for another one are left out, because they
// add nothing.
func (rep report) parts(details []metav1.Condition) (parts []conditions.Part) {
	for _, c := range details {
		if rep.provisioned && c.Type == AuthenticationSucceeded && c.Status == metav1.ConditionFalse {
			c.Status = metav1.ConditionUnknown
		}
		if c.Reason != WaitingForEarlierStep {
			parts = append(parts, conditions.Part{Condition: c})
		}
	}
	return parts
}

// toleratesOutage reports whether Ready was True, and stays so for some time.
func (b *base) toleratesOutage(f *failure.Failure, rep report, before *metav1.Condition) bool {
	return f != nil && b.graceOf(f) > 0 && rep.provisioned && before != nil && before.Status == metav1.ConditionTrue
}

// graceOf returns how long Ready stays True during a failure.
func (b *base) graceOf(f *failure.Failure) time.Duration {
	if f.Class == failure.RateLimited || f.Class == failure.ServiceUnavailable {
		return cmp.Or(b.Grace, 5*time.Minute)
	}
	return 0
}

// firstNotTrue returns the first detail that is not True and does not only wait for another one.
func firstNotTrue(list []metav1.Condition, details []string) *metav1.Condition {
	for _, detail := range details {
		c := meta.FindStatusCondition(list, detail)
		if c != nil && c.Status != metav1.ConditionTrue && c.Reason != WaitingForEarlierStep {
			return c
		}
	}
	return nil
}
