// Package metrics is the interface between package conditions and a metrics library.
//
// Implement [Recorder] with the library of your choice, such as client_golang,
// and set it as conditions.Options.Metrics:
//
//	type recorder struct{ commits *prometheus.CounterVec; durations *prometheus.HistogramVec }
//
//	func (r recorder) RecordCommit(c metrics.Commit) {
//		r.commits.WithLabelValues(c.Kind.Kind, string(c.Outcome)).Inc()
//	}
//
//	func (r recorder) RecordTransition(t metrics.Transition) {
//		r.durations.WithLabelValues(t.Kind.Kind, t.Type, string(t.From)).Observe(t.Duration.Seconds())
//	}
package metrics

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Recorder receives the transitions and commits of conditions. Its methods are
// called by the goroutine that commits and must not block. Controllers with
// several workers call them concurrently.
type Recorder interface {
	// RecordTransition receives a change of the status of a stored condition.
	RecordTransition(Transition)
	// RecordCommit receives the end of a commit.
	RecordCommit(Commit)
}

// Transition is a change of the status of a condition that has been stored.
type Transition struct {
	Kind            schema.GroupVersionKind
	Namespace, Name string
	Type            string
	From, To        metav1.ConditionStatus // From is empty for a new condition
	Reason          string                 // of the new status
	Duration        time.Duration          // how long the old status lasted; zero for a new condition
}

// Commit is a commit that has ended.
type Commit struct {
	Kind            schema.GroupVersionKind
	Namespace, Name string
	Outcome         Outcome
	Conflicts       int // rejections by the API server because others had written
}

// Outcome is how a commit ended.
type Outcome string

const (
	// OutcomeWritten means that the commit wrote the status.
	OutcomeWritten Outcome = "Written"
	// OutcomeUnchanged means that nothing had changed, so no request was sent.
	OutcomeUnchanged Outcome = "Unchanged"
	// OutcomeGone means that the object was being deleted and no longer exists.
	OutcomeGone Outcome = "Gone"
	// OutcomeFailed means that the commit returned an error.
	OutcomeFailed Outcome = "Failed"
)
