// Package conditions writes the status of an object for a controller: its conditions,
// observedGeneration and initialization.
//
// It writes them in one request, or in none if nothing has changed. Declare the
// conditions of a kind once:
//
//	var set = conditions.MustSet(
//		conditions.Summary(wellknown.TypeReady, "ServerUp", "NetworkReady", "Degraded"),
//		conditions.Positive("ServerUp", "Running", "Creating", "CreateFailed"),
//		conditions.Positive("NetworkReady").OwnedBy("network-controller"),
//		conditions.Negative("Degraded", "DiskFull", "Healthy"),
//		conditions.Neutral(wellknown.TypePaused),
//	)
//
// and report in each reconcile through a [Pass]:
//
//	pass, err := set.Begin(machine) // the object as it was read, and its generation
//	if err != nil {
//		return err
//	}
//	if paused {
//		pass.Pause("ClusterPaused", "the cluster is paused")
//		_, err := pass.Commit(ctx, writer)
//		return err
//	}
//	if pass.Resume() { // the status still reports an earlier pause
//		_, err := pass.Commit(ctx, writer)
//		return err // the write starts the next reconcile
//	}
//	err = r.reconcile(ctx, machine, pass) // calls pass.True, pass.False, pass.MarkInitialized
//	pass.Fail(err)                        // does nothing if err is nil
//	_, commitErr := pass.Commit(ctx, writer)
//	return errors.Join(err, commitErr)
//
// # What every commit guarantees
//
//   - Every declared condition exists from the first write on. It is Unknown with the
//     reason NotYetReconciled until the controller states it.
//   - The generation is the one that was read when the pass began. observedGeneration
//     and conditions are written in one request, so that no reader sees one without the
//     other. observedGeneration also advances if a pass has failed.
//   - A summary is never True for a spec that the pass has not read, nor after a failure.
//   - lastTransitionTime changes if and only if the stored status changes. True, False and
//     True again within a pass is no transition.
//   - Paused is True only on a version of the object that the pass has read.
//   - If nothing has changed, no request is sent. If others have written meanwhile, the
//     object is read again, and only the fields of this controller are overwritten.
//   - A field of initialization that is true stays true.
//
// # Reading order
//
// declare.go and set.go hold declarations, pass.go the methods for a reconcile. resolve.go
// computes the conditions, commit.go writes them, and patch.go and apply.go build the
// requests. object.go and plain.go read objects. summary.go, mirror.go and aggregate.go
// combine conditions.
//
// # Other packages
//
// Package wellknown names types and reasons, messages makes messages stable, and metrics
// connects a metrics library. Package ctrl commits with the client of controller-runtime.
// Package conditionstest is for tests.
package conditions
