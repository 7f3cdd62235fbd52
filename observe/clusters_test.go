package observe_test

import (
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The definition of a kind may differ from cluster to cluster.
func TestKindsPromisePerCluster(t *testing.T) {
	promises := map[string]status.Tristate{"east": status.TristateYes, "west": status.TristateNo}
	want := map[string]status.Status{"east": status.InProgressStatus, "west": status.CurrentStatus}
	w := observe.Watcher{Expect: func(cluster string) status.Expectations {
		return func(string, string) status.Expectation { return status.Expectation{Status: promises[cluster]} }
	}}
	var all []observe.Target
	var seen []observe.Event
	for cluster := range want {
		widget := target("w")
		widget.Cluster = cluster
		all = append(all, widget)
		seen = append(seen, observe.Event{Target: widget, Object: status.Map{
			"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"namespace": "shop", "name": "w"},
		}})
	}
	w.Source = sights(seen...)
	_, board, err := w.Wait(t.Context(), observe.Policy{Once: true}, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range board.Updates() {
		if have := u.Result.Status; have != want[u.Target.Cluster] {
			t.Errorf("%s is %s (%s), want %s", u.Target, have, u.Result.Reason, want[u.Target.Cluster])
		}
	}
}

// So may the rule that it carries.
func TestObjectsAreJudgedPerCluster(t *testing.T) {
	w := observe.Watcher{Choose: func(cluster string) status.RuleSelector {
		return func(status.Kind, status.Object, status.KindRule) status.KindRule {
			return status.KindRule{Rule: func(*status.Fields) status.Result { return status.Current("Reconciled", cluster) }}
		}
	}}
	var all []observe.Target
	var seen []observe.Event
	for _, cluster := range []string{"east", "west"} {
		widget := target("w")
		widget.Cluster = cluster
		all = append(all, widget)
		seen = append(seen, observe.Event{Target: widget, Object: status.Map{"apiVersion": "example.com/v1", "kind": "Widget"}})
	}
	w.Source = sights(seen...)
	_, board, err := w.Wait(t.Context(), observe.Policy{Once: true}, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range board.Updates() {
		if u.Result.Message != u.Target.Cluster {
			t.Errorf("%s is judged as in %s", u.Target, u.Result.Message)
		}
	}
	if n := len(board.Updates()); n != 2 {
		t.Errorf("%d targets, want 2", n)
	}
}
