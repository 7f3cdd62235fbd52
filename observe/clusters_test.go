package observe_test

import (
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The definition of a kind may differ from cluster to cluster.
func TestKindsPromisePerCluster(t *testing.T) {
	promises := map[string]status.Promise{"east": status.Promised, "west": status.Denied}
	want := map[string]status.Status{"east": status.InProgressStatus, "west": status.CurrentStatus}
	w := observe.Watcher{Expect: func(cluster string) status.Expectations {
		return func(string, string) status.Expectation { return status.Expectation{Status: promises[cluster]} }
	}}
	var all []observe.Target
	var seen []observe.Sighting
	for cluster := range want {
		widget := target("w")
		widget.Cluster = cluster
		all = append(all, widget)
		seen = append(seen, observe.Sighting{Target: widget, Object: status.Map{
			"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"namespace": "shop", "name": "w"},
		}})
	}
	w.Source = sights(seen...)
	end, err := w.Wait(t.Context(), observe.Policy{Once: true}, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range end.Board.Updates() {
		if have := u.Result.Status; have != want[u.Target.Cluster] {
			t.Errorf("%s is %s (%s), want %s", u.Target, have, u.Result.Reason, want[u.Target.Cluster])
		}
	}
}
