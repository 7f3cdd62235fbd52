package parts

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The refusal of Pods is a part of a StatefulSet while it lacks Pods and no creation has succeeded.
func TestRefusals(t *testing.T) {
	target := observe.Target{Kind: status.Kind{Group: "apps", Kind: "StatefulSet"}, Namespace: "shop", Name: "s"}
	type step func(l *recording)
	replicas := func(n int64) step {
		return func(l *recording) {
			u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"replicas": int64(2)}, "status": map[string]any{"replicas": n}}}
			u.SetName("s")
			u.SetNamespace("shop")
			u.SetUID("u")
			l.report(observe.Event{Target: target, Object: u})
		}
	}
	deleted := func(l *recording) { l.report(observe.Event{Target: target}) }
	event := func(reason, second string) step {
		return func(l *recording) {
			u := &unstructured.Unstructured{Object: map[string]any{
				"reason": reason, "message": "no", "lastTimestamp": "2026-01-01T12:00:" + second + "Z",
				"involvedObject": map[string]any{"kind": "StatefulSet", "name": "s", "uid": "u"},
			}}
			l.podTracker.eventSeen(u, false)
		}
	}
	refused, again, created := event("FailedCreate", "01"), event("FailedCreate", "03"), event("SuccessfulCreate", "02")
	for _, row := range []struct {
		it    string
		steps []step
		lines []string
	}{
		{"reports an event about a known workload", []step{replicas(0), refused}, []string{"s seen", "s has StatefulSet/s"}},
		{"reports an earlier event", []step{refused, replicas(0)}, []string{"s seen", "s has StatefulSet/s"}},
		{"revokes the refusal when a creation succeeds", []step{replicas(0), refused, created}, []string{"s seen", "s has StatefulSet/s", "s lost StatefulSet/s"}},
		{"keeps the last refusal", []step{replicas(0), refused, again, created}, []string{"s seen", "s has StatefulSet/s", "s has StatefulSet/s", "s has StatefulSet/s"}},
		{"revokes the refusal before it reports that all Pods exist", []step{replicas(1), refused, replicas(2)}, []string{"s seen", "s has StatefulSet/s", "s lost StatefulSet/s", "s seen"}},
		{"reports nothing about a workload with all Pods", []step{replicas(2), refused}, []string{"s seen"}},
		{"revokes the refusal of a deleted workload", []step{replicas(0), refused, deleted}, []string{"s seen", "s has StatefulSet/s", "s lost StatefulSet/s", "s seen"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			l := newRecording(target)
			for _, do := range row.steps {
				do(l)
			}
			if !slices.Equal(l.lines, row.lines) {
				t.Errorf("reported\n%s\nwant\n%s", strings.Join(l.lines, "\n"), strings.Join(row.lines, "\n"))
			}
		})
	}
}
