package session

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/internal/readers"
	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// judgeKept judges the kept state of a target.
func (k *kindWatch) judgeKept(id object.ObjMetadata, force bool) {
	k.mu.Lock()
	t := k.targets[id]
	var u *unstructured.Unstructured
	if t != nil && t.exists && !t.running {
		u = t.kept()
	}
	busy := t != nil && t.running
	k.mu.Unlock()
	switch {
	case u != nil:
		k.judge(t, u, force)
	case busy: // the state that a worker judges may be an older one
		k.again(id)
	}
}

// judge computes the status of a state, and sends it. If force is false, a status that is equal
// to the last one is not sent.
func (k *kindWatch) judge(t *target, u *unstructured.Unstructured, force bool) {
	k.mu.Lock()
	if k.s.Workers <= 1 {
		ended := t.ended
		k.mu.Unlock()
		k.compute(t, u, force, ended)
		return
	}
	t.next, t.force = u, t.force || force
	start := !t.running
	t.running = true
	k.mu.Unlock()
	if start {
		k.jobs.Go(func() { k.work(t) })
	}
}

// work judges the states of a target, the newest first, until no one is left.
func (k *kindWatch) work(t *target) {
	select {
	case <-k.s.ctx.Done():
		return
	case k.sem <- struct{}{}:
		defer func() { <-k.sem }()
	}
	for {
		k.mu.Lock()
		u, force, ended := t.next, t.force, t.ended
		t.next, t.force = nil, false
		t.running = u != nil
		k.mu.Unlock()
		if u == nil || k.s.ctx.Err() != nil {
			return
		}
		k.compute(t, u, force, ended)
	}
}

// compute computes the status of a state, and sends it, unless the target was deleted since it had been
// deleted that often.
func (k *kindWatch) compute(t *target, u *unstructured.Unstructured, force bool, ended int) {
	k.mu.Lock()
	j := k.s.judge(t)
	k.mu.Unlock()
	rs, err := k.s.StatusReader.ReadStatusForObject(verdict.With(k.s.ctx, j), k.s.reader(t.id), u)
	if err != nil {
		switch {
		case k.s.ctx.Err() != nil:
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // of a request
			k.mu.Lock()
			k.schedule(t, retry)
			k.mu.Unlock()
		default:
			k.s.failStatus(t.id, err)
		}
		return
	}
	if rs == nil {
		return
	}
	recheck := k.recheck(rs, j)
	if k.s.Lean {
		trim(u) // not earlier: the verdict depends on managedFields
		dropObjects(rs.GeneratedResources)
	}
	light := withoutObjects(rs)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !t.exists || t.ended != ended {
		return
	}
	k.schedule(t, recheck)
	if !force && t.last != nil && sameVerdict(t.last, light) {
		return
	}
	t.last = light
	t.ending.judge(rs)
	k.s.out.put(rs)
}

// retry is when a status is computed again after a read has failed.
const retry = 5 * time.Second

// recheck returns when a status may change by itself.
func (k *kindWatch) recheck(rs *event.ResourceStatus, j *verdict.Judge) time.Duration {
	if transient(rs.Error) {
		return retry
	}
	if k.s.right() {
		return j.Recheck
	}
	if unschedulable(rs) {
		return status.ScheduleWindow
	}
	return 0
}

// transient reports whether the same read may succeed later, without a change of the object.
func transient(err error) bool {
	var answer apierrors.APIStatus
	var request *url.Error
	switch {
	case errors.As(err, &answer):
		return answer.Status().Code >= http.StatusInternalServerError || answer.Status().Code == http.StatusTooManyRequests
	default:
		return errors.As(err, &request)
	}
}

// unschedulable reports whether rs is of a Pod for which no node fits, or has such a Pod.
func unschedulable(rs *event.ResourceStatus) bool {
	if rs == nil || rs.Error != nil || rs.Status != status.InProgressStatus {
		return false
	}
	if readers.Unschedulable(rs.Resource) {
		return true
	}
	for _, child := range rs.GeneratedResources {
		if unschedulable(child) {
			return true
		}
	}
	return false
}

// schedule judges a target again after d, unless it is judged earlier. The caller holds mu.
func (k *kindWatch) schedule(t *target, d time.Duration) {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	if d > 0 {
		t.timer = time.AfterFunc(d, func() { k.box.Mark(change{op: opRecheck, id: t.id}) })
	}
}

// reader returns what the status reader receives for an object.
func (s *Session) reader(id object.ObjMetadata) engine.ClusterReader {
	if s.store == nil {
		return s.ClusterReader
	}
	return s.store.Reader(id)
}

// dropObjects removes the objects of children, and keeps their statuses.
func dropObjects(children event.ResourceStatuses) {
	for _, c := range children {
		if c != nil {
			c.Resource = nil
			dropObjects(c.GeneratedResources)
		}
	}
}

// withoutObjects returns what is compared of a status.
func withoutObjects(rs *event.ResourceStatus) *event.ResourceStatus {
	return &event.ResourceStatus{Identifier: rs.Identifier, Status: rs.Status, Message: rs.Message, Error: rs.Error}
}

func sameVerdict(a, b *event.ResourceStatus) bool {
	return a.Status == b.Status && a.Message == b.Message && (a.Error == nil) == (b.Error == nil) &&
		(a.Error == nil || a.Error.Error() == b.Error.Error())
}
