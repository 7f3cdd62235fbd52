package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func labelled(name, app string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, labels: {app: %s}}\n", name, app)
}

// A selection contains the objects that match. Objects join when they begin to match, and leave
// when they are deleted or no longer match.
func TestSelections(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	mark := ns // no other object in the cluster has this label
	rows := []struct {
		it     string
		target observe.Target
	}{
		{"selects in a namespace", observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: ns, LabelSelector: "app=" + mark}},
		{"selects in all", observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, LabelSelector: "app=" + mark}},
		{"selects by a field too", observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: ns, LabelSelector: "app=" + mark, FieldSelector: "metadata.namespace=" + ns}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			c.Apply(t, ns, labelled("a", mark)+"---\n"+labelled("b", mark)+"---\n"+labelled("c", "other"))
			config, n := countRequests(c.Config())
			w := observe.Watcher{Source: &source.Cluster{Config: config}, MinObjects: 3}
			ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
			var there []string
			var history []string
			for u, err := range w.Updates(ctx, row.target) {
				if err != nil {
					t.Fatal(err)
				}
				if u.Target.Name == "" {
					continue
				}
				switch i := slices.Index(there, u.Target.Name); {
				case u.Removed && i >= 0:
					there = slices.Delete(there, i, i+1)
				case !u.Removed && i < 0:
					there = append(there, u.Target.Name)
				}
				slices.Sort(there)
				now := strings.Join(there, "")
				if len(history) > 0 && history[len(history)-1] == now {
					continue
				}
				history = append(history, now)
				switch {
				case now == "ab" && len(history) <= 2:
					c.Apply(t, ns, labelled("c", mark)) // joins the selection
				case now == "abc":
					c.Apply(t, ns, labelled("b", "other")) // no longer matches
				case now == "ac":
					c.Delete(t, ns, labelled("a", mark))
				case now == "c":
					cancel()
				}
			}
			cancel()
			text := strings.Join(history, " ")
			if text != "a ab abc ac c" && text != "b ab abc ac c" {
				t.Errorf("it %s: have %s", row.it, text)
			}
			// One watch, and one read of each of the two objects that left.
			if got := n.Load(); got > 3 {
				t.Errorf("it %s: %d requests, want at most 3", row.it, got)
			}
		})
	}
}

func TestInvalidSelectors(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	target := observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: ns, FieldSelector: "spec.colour=red"}
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(t.Context(), target) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Result.Reason != "BadScope" || !strings.Contains(u.Result.Message, "spec.colour") {
			t.Errorf("have %s: %s, want BadScope that names spec.colour", u.Result.Reason, u.Result.Message)
		}
		break
	}
}
