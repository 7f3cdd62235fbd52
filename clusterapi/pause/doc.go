// Package pause pauses Clusters of Cluster API, waits until every controller has stopped, and
// resumes them.
//
// [Pause] sets spec.paused of a Cluster, and watches all objects below it until each has
// acknowledged the pause. For any other object, it sets the annotation cluster.x-k8s.io/paused,
// which pauses this object only. [Unpause] restores the state from before, and waits until each
// object has been reconciled again.
//
// An object is [Acknowledged], [Busy], or [Unknown] if its kind gives no sign that shows it.
//
//   - A kind with the condition Paused acknowledges a pause by Paused=True. The condition must
//     be for the latest generation and newer than the pause.
//   - An object with the annotation clusterctl.cluster.x-k8s.io/block-move is Busy until its
//     controller removes the annotation, which acknowledges the pause.
//   - For other kinds, only a window without a write shows that their controllers are idle.
//
// Times of other computers prove nothing, so watches begin before the pause is written. An object
// is done only when a last list of its kind has the version that was judged.
//
// # Annotations
//
// [StateAnnotation] and [MessageAnnotation] of each target are for other tools. A backup can wait
// with kubectl wait --for=jsonpath until a Cluster is Paused. [BeforeAnnotation] has the state
// from before the pause.
//
// # Reading order
//
// pause.go has the inputs and outputs. internal/facts reads an object. tracker.go and events.go have the
// states of objects; judge.go, judge_pause.go and judge_unpause.go decide them. They use no clock
// and no server.
// run.go connects them with the watches of watches.go and the writes of writes.go. wake.go wakes
// controllers.
package pause
