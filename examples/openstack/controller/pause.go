package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/clusterapi/openstack/classify"
)

// pause reports a pause. It changes nothing else, even during a deletion.
//
// The cloud may still work on a request from before the pause. Then the object blocks moves, and
// pause only reads the resources until settled returns nil: the cloud has finished. The report comes
// after that, so nothing changes any more. The result of the work is not recorded: the next pass
// after the pause finds the resources by their names, on any cluster.
func (b *base) pause(ctx context.Context, rep report, reason, message string, settled func(context.Context) error) (reconcile.Result, error) {
	if blocksMove(rep.object) {
		rep.input.paused = true
		if _, wait := b.attempts.last(rep.object.GetUID(), rep.input); wait > 0 {
			return reconcile.Result{RequeueAfter: wait}, nil
		}
		if err := settled(ctx); err != nil {
			f := classify.Error(err)
			log.FromContext(ctx).Info("the pause waits for the cloud", "reason", f.Reason, "error", err.Error())
			wait, _ := b.attempts.fail(rep.object.GetUID(), rep.input, f)
			return reconcile.Result{RequeueAfter: wait}, nil
		}
		if err := update(ctx, b.Client, rep.object, func() { unblockMove(rep.object) }); err != nil {
			return reconcile.Result{}, err
		}
	}
	b.attempts.forget(rep.object.GetUID())
	pass, err := rep.set.Begin(rep.object)
	if err != nil {
		return reconcile.Result{}, err
	}
	pass.Pause(reason, message)
	return b.commit(ctx, pass, 0)
}

// endPause withdraws an old acknowledgement, before any work: a new pause would seem acknowledged.
func (b *base) endPause(ctx context.Context, rep report) error {
	pass, err := rep.set.Begin(rep.object)
	if err == nil && pass.Resume() {
		_, err = pass.Commit(ctx, b.Status)
	}
	return err
}
