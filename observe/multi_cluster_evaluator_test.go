package observe_test

import (
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// The definition of a kind may differ from cluster to cluster.
func TestExpectationsPerCluster(t *testing.T) {
	expectations := map[string]schema.Tristate{"east": schema.TristateYes, "west": schema.TristateNo}
	want := map[string]status.Status{"east": status.InProgressStatus, "west": status.CurrentStatus}
	var w observe.Watcher
	var all []observe.Target
	var seen []observe.Event
	for cluster := range want {
		widget := target("w")
		widget.Cluster = cluster
		all = append(all, widget)
		seen = append(seen, observe.Event{Target: widget, Object: status.Map{
			"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"namespace": "shop", "name": "w"},
		}, Evaluator: &status.Evaluator{Expect: func(string, string) schema.Expectation {
			return schema.Expectation{Status: expectations[cluster]}
		}}})
	}
	w.Source = sendAll(seen...)
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

// The rule in the definition of a kind may also differ from cluster to cluster.
func TestRulesPerCluster(t *testing.T) {
	var w observe.Watcher
	var all []observe.Target
	var seen []observe.Event
	for _, cluster := range []string{"east", "west"} {
		widget := target("w")
		widget.Cluster = cluster
		all = append(all, widget)
		seen = append(seen, observe.Event{Target: widget, Object: status.Map{"apiVersion": "example.com/v1", "kind": "Widget"},
			Evaluator: &status.Evaluator{SelectRule: func(status.Kind, status.Object, status.KindRule) status.KindRule {
				return status.KindRule{Rule: func(*status.Fields) status.Result { return status.Current("Reconciled", cluster) }}
			}}})
	}
	w.Source = sendAll(seen...)
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

// Expectations of the caller take precedence over those of the source. A rule of the
// caller is applied last.
func TestCallerEvaluatorTakesPrecedence(t *testing.T) {
	expectation := func(p schema.Tristate) schema.Expectations {
		return func(_, kind string) schema.Expectation {
			if kind == "Widget" {
				return schema.Expectation{Status: p}
			}
			return schema.Expectation{}
		}
	}
	source := &status.Evaluator{Expect: expectation(schema.TristateYes)}
	for _, row := range []struct {
		it   string
		own  status.Evaluator
		want status.Status
	}{
		{"uses the source's expectation without one of the caller", status.Evaluator{}, status.InProgressStatus},
		{"uses the source's expectation for a kind unknown to the caller", status.Evaluator{Expect: func(string, string) schema.Expectation { return schema.Expectation{} }}, status.InProgressStatus},
		{"uses the caller's expectation if both have one", status.Evaluator{Expect: expectation(schema.TristateNo)}, status.CurrentStatus},
		{"uses the rule that the caller selects", status.Evaluator{SelectRule: func(status.Kind, status.Object, status.KindRule) status.KindRule {
			return status.KindRule{Rule: func(*status.Fields) status.Result { return status.Current("Reconciled", "chosen") }}
		}}, status.CurrentStatus},
	} {
		t.Run(row.it, func(t *testing.T) {
			widget := status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"namespace": "shop", "name": "w"}}
			w := observe.Watcher{Source: sendAll(observe.Event{Target: target("w"), Object: widget, Evaluator: source}), Evaluator: row.own}
			_, board, err := w.Wait(t.Context(), observe.Policy{Once: true}, target("w"))
			if err != nil {
				t.Fatal(err)
			}
			if have := board.Updates()[0].Result; have.Status != row.want {
				t.Errorf("have %s (%s), want %s", have.Status, have.Message, row.want)
			}
		})
	}
}
