// Package conditions is how a controller reports: it keeps the conditions, the
// observedGeneration and the initialization of an object as their readers
// expect them, and writes them in one request, or in none if nothing has changed.
//
// A controller declares the conditions of a kind once:
//
//	var set = conditions.MustSet(
//		conditions.Summary(conditions.Ready, "ServerUp", "NetworkReady", "Degraded"),
//		conditions.Positive("ServerUp", "Running", "Creating", "CreateFailed"),
//		conditions.Positive("NetworkReady").OwnedBy("network-controller"),
//		conditions.Negative("Degraded", "DiskFull", "Healthy"),
//		conditions.Info(conditions.Paused),
//	)
//
// and reports in each reconcile through a pass:
//
//	pass, err := set.Begin(machine)   // what was read, and of which generation
//	if err != nil {
//		return err
//	}
//	if paused {
//		pass.Pause("ClusterPaused", "the cluster is paused")
//		_, err := pass.Commit(ctx, writer)
//		return err
//	}
//	err = r.reconcile(ctx, machine, pass)  // calls pass.True, pass.False, pass.MarkInitialized
//	pass.Fail(err)                          // says nothing if err is nil
//	_, commitErr := pass.Commit(ctx, writer)
//	return errors.Join(err, commitErr)
//
// # What a commit keeps
//
//   - Every declared condition is there from the first write on, Unknown with
//     the reason NotYetReconciled until it is stated.
//   - The generation is the one that was read when the pass began. The top-level
//     observedGeneration goes with the conditions in one request, so that nobody
//     sees one without the other; it advances also when a pass has failed.
//   - A summary is never True of a spec that was not looked at, nor after a failure.
//   - lastTransitionTime changes when the stored status changes, and for nothing
//     else; True to False to True within a pass changes nothing.
//   - Nothing changed: no request. Something changed: one. Others have written
//     meanwhile: the object is read again and only what is ours is written over.
//   - What has been initialized stays so.
//
// # Reading order
//
// declare.go and set.go hold declarations, pass.go what a reconcile calls,
// resolve.go what the conditions become, commit.go how they are written, patch.go
// and apply.go the requests, object.go and plain.go the kinds of objects.
// summary.go, mirror.go and aggregate.go make one condition of others, message.go
// and volatile.go keep messages stable.
//
// Package ctrl commits with the client of controller-runtime, package
// conditionstest holds what tests need.
package conditions
