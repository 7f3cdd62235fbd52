package metrics_test

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/conditions/metrics"
)

// printer prints transitions and commits instead of counting them.
type printer struct{}

func (printer) RecordTransition(t metrics.Transition) {
	fmt.Println(t.Kind.Kind, t.Type, t.From, "to", t.To, "after", t.Duration)
}

func (printer) RecordCommit(c metrics.Commit) {
	fmt.Println(c.Kind.Kind, c.Outcome)
}

func ExampleRecorder() {
	var recorder metrics.Recorder = printer{} // conditions.Options{Metrics: recorder}
	kind := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Server"}
	recorder.RecordTransition(metrics.Transition{Kind: kind, Type: "Ready", From: metav1.ConditionFalse, To: metav1.ConditionTrue, Duration: time.Minute})
	recorder.RecordCommit(metrics.Commit{Kind: kind, Outcome: metrics.OutcomeWritten})
	// Output:
	// Server Ready False to True after 1m0s
	// Server Written
}
