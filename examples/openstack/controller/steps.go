package controller

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
)

// A step makes or observes one part of the infrastructure. It returns at once: a part that the
// cloud is still building is a failure, which says when to look again.
type step struct {
	condition string
	run       func(ctx context.Context) (reason, message string, err error)
}

// A result is what the steps of a pass have done.
type result struct {
	done    []statement
	failed  string // the condition of the step that failed; empty without one
	failure *failure.Failure
}

// A statement is a condition that is True.
type statement struct{ condition, reason, message string }

// run runs more steps in their order, and ends at the first that fails.
func (r result) run(ctx context.Context, steps ...step) result {
	for _, s := range steps {
		if r.failure != nil {
			return r
		}
		reason, message, err := s.recovered(ctx)
		if err == nil {
			r.done = append(r.done, statement{s.condition, reason, message})
			continue
		}
		r.failed, r.failure = s.condition, classify.Error(err)
		if r.failure.Class == failure.Credentials {
			r.failed = AuthenticationSucceeded // any request may find that they are not valid any more
		}
		log.FromContext(ctx).Info("a step has failed", "condition", s.condition, "reason", r.failure.Reason,
			"failure", r.failure.Message, "request", classify.RequestID(err))
	}
	return r
}

// recovered runs a step. A panic becomes an error, so that the status reports it.
func (s step) recovered(ctx context.Context) (reason, message string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the step %s has panicked: %v", s.condition, p)
		}
	}()
	return s.run(ctx)
}

// isPending reports whether the cloud still works on something, so that the failure is only a
// delay.
func isPending(f *failure.Failure) bool {
	return f.Class == failure.Provisioning || f.Class == failure.Deleting || f.Keep
}

// ifPending returns an error if the cloud still works on something, or if that is not known. A
// resource that is broken or does not exist is settled.
func ifPending(err error) error {
	if f := classify.Error(err); f != nil && f.Known && !isPending(f) {
		return nil
	}
	return err
}
