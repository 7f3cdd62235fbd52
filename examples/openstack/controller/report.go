package controller

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/cloud"
)

// base is what both reconcilers share.
type base struct {
	Client client.Client
	Status conditions.Writer
	// Secrets reads identities and bootstrap data from the API server, so that no cache holds them.
	Secrets client.Reader
	Clouds  *cloud.Directory
	Options
	attempts *attempts
}

// An object is an OpenStackCluster or an OpenStackMachine.
type object interface {
	client.Object
	GetConditions() []metav1.Condition
}

// A report is the status that a pass writes, once.
type report struct {
	object      object
	set         *conditions.Set
	details     []string // the parts of Ready, in the order of their steps
	provisioned bool     // in the status as it was read
	input       input
	// apply writes what the pass has found into the status.
	apply func(*conditions.Pass)
}

// finish reports the result of a pass, and returns when to look again. A classified failure is no
// error of the reconcile: it has delays of its own.
func (b *base) finish(ctx context.Context, rep report, r result) (reconcile.Result, error) {
	stored := slices.Clone(rep.object.GetConditions())
	pass, err := rep.set.Begin(rep.object)
	if err != nil {
		return reconcile.Result{}, err
	}
	rep.apply(pass)
	for _, s := range r.done {
		pass.True(s.condition, s.reason, s.message)
	}
	wait := jittered(b.observe())
	if r.failure == nil {
		b.attempts.forget(rep.object.GetUID())
	} else {
		var failing time.Duration
		wait, failing = b.attempts.fail(rep.object.GetUID(), rep.input, r.failure)
		stateFailure(pass, meta.FindStatusCondition(stored, r.failed), r, failing)
		for _, later := range rep.details[slices.Index(rep.details, r.failed)+1:] {
			pass.Unknown(later, WaitingForEarlierStep, "waits for "+r.failed)
		}
	}
	pass.False(wellknown.TypeDeleting, NotDeleting, "")
	return b.commit(ctx, pass, min(wait, b.stateReady(pass, rep, stored, r.failure)))
}

// stateFailure states the condition of the step that failed.
func stateFailure(pass *conditions.Pass, stored *metav1.Condition, r result, failing time.Duration) {
	f := r.failure.Overdue(failing, provisioningDeadline)
	if stored != nil && stored.Reason == ProvisioningTimeout {
		f = r.failure.Overdue(provisioningDeadline, provisioningDeadline)
	}
	c := metav1.Condition{Type: r.failed, Status: metav1.ConditionUnknown, Reason: f.Reason, Message: f.Message}
	switch {
	case f.Keep && stored != nil && failing < f.Grace:
		c.Status = stored.Status
		if c.Status == metav1.ConditionTrue { // usual after a change of a part, and ends soon
			c.Reason, c.Message = stored.Reason, stored.Message
		}
	case f.Known:
		c.Status = metav1.ConditionFalse
	}
	pass.Set(c)
}

// tooEarly returns how long the next attempt must wait. Zero means that it may be made now.
//
// A configuration that the cloud rejects is not sent again for the same generation, except by the slow
// poll. The condition in the status remembers it, so that a restart changes nothing.
func (b *base) tooEarly(rep report) time.Duration {
	failing := firstNotTrue(rep.object.GetConditions(), rep.details)
	if failing == nil {
		return 0
	}
	id := rep.object.GetUID()
	last, wait := b.attempts.last(id, rep.input)
	if last == nil && failing.Reason == InvalidConfiguration && failing.ObservedGeneration == rep.object.GetGeneration() {
		wait, _ = b.attempts.fail(id, rep.input, classify.Invalid(failing.Message))
	}
	return wait
}

// repeat reports again what is stored, because it is too early for another attempt.
func (b *base) repeat(ctx context.Context, rep report, wait time.Duration) (reconcile.Result, error) {
	stored := slices.Clone(rep.object.GetConditions())
	pass, err := rep.set.Begin(rep.object)
	if err != nil {
		return reconcile.Result{}, err
	}
	last, _ := b.attempts.last(rep.object.GetUID(), rep.input)
	return b.commit(ctx, pass, min(wait, b.stateReady(pass, rep, stored, last)))
}

// waitFor reports what the object waits for before its first step. An event will end that. Until then
// all conditions are Unknown.
func (b *base) waitFor(ctx context.Context, rep report, condition, reason, message string) (reconcile.Result, error) {
	stored := slices.Clone(rep.object.GetConditions())
	pass, err := rep.set.Begin(rep.object)
	if err != nil {
		return reconcile.Result{}, err
	}
	for _, detail := range rep.details {
		pass.Unknown(detail, WaitingForEarlierStep, "waits for "+condition)
	}
	pass.Unknown(condition, reason, message)
	pass.False(wellknown.TypeDeleting, NotDeleting, "")
	b.stateReady(pass, rep, stored, nil)
	return b.commit(ctx, pass, 0)
}

// commit ends a pass with at most one write. A wait of zero means that an event starts the next
// pass.
func (b *base) commit(ctx context.Context, pass *conditions.Pass, wait time.Duration) (reconcile.Result, error) {
	_, err := pass.Commit(ctx, b.Status)
	for _, warning := range pass.Warnings() {
		log.FromContext(ctx).Info(warning)
	}
	return reconcile.Result{RequeueAfter: wait}, withoutConflict(err)
}

// isDeletionReported reports whether the stored status describes the deletion.
func isDeletionReported(obj object) bool {
	return meta.IsStatusConditionTrue(obj.GetConditions(), wellknown.TypeDeleting)
}

// finishDeletion reports a deletion that has not ended: what is left, and why. Without both it reports
// the beginning, before anything is deleted in the cloud, and the event of its write starts the next
// pass. So Ready is False even if the process ends in the middle.
func (b *base) finishDeletion(ctx context.Context, rep report, left []string, cause error) (reconcile.Result, error) {
	pass, err := rep.set.Begin(rep.object)
	if err != nil {
		return reconcile.Result{}, err
	}
	f := failure.Remaining(left, nil)
	reason, message := wellknown.ReasonDeleting, ""
	if f != nil {
		message = f.Message
	}
	if why := classify.Error(cause); why != nil {
		f = why
		message = why.Message
		if len(left) > 0 {
			message = failure.Remaining(left, why).Message
		}
		if !isPending(why) {
			reason = why.Reason
		}
		log.FromContext(ctx).Info("the deletion has failed", "reason", why.Reason, "failure", why.Message, "request", classify.RequestID(cause))
	}
	for _, detail := range rep.details {
		if detail != AuthenticationSucceeded {
			pass.False(detail, wellknown.ReasonDeleting, "")
		}
	}
	wait := time.Duration(0)
	if f != nil {
		wait, _ = b.attempts.fail(rep.object.GetUID(), rep.input, f)
		stateAuthentication(pass, f)
	}
	pass.True(wellknown.TypeDeleting, reason, message)
	pass.False(wellknown.TypeReady, wellknown.ReasonDeleting, message)
	return b.commit(ctx, pass, wait)
}

// stateAuthentication reports the credentials during a deletion.
func stateAuthentication(pass *conditions.Pass, f *failure.Failure) {
	switch {
	case f.Class == failure.Credentials:
		pass.False(AuthenticationSucceeded, f.Reason, f.Message)
	case !f.Known && !isPending(f):
		pass.Unknown(AuthenticationSucceeded, f.Reason, f.Message)
	default:
		pass.True(AuthenticationSucceeded, Accepted, "")
	}
}

// jittered returns a time from 80 % to 120 % of d, so that not all objects are read at once.
func jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}
