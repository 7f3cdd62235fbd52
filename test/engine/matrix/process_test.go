package matrix

import (
	"context"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/lib/witness"
)

// When a killed process comes back with its data, the engine neither forgets nor invents
// anything. The last verdicts stay, marked as stale while the engine cannot read. Later the
// engine reports the objects that were deleted, created and changed in the meantime.
func TestProcessesThatAreKilled(t *testing.T) {
	rows := []struct {
		it   string
		kill []cluster.Program // in this order; they start in reverse order
	}{
		{"loses the API server", []cluster.Program{cluster.APIServer}},
		{"loses etcd", []cluster.Program{cluster.Etcd}},
		{"loses both", []cluster.Program{cluster.APIServer, cluster.Etcd}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			c := live.Cluster(t)
			ns := c.Namespace(t)
			c.Apply(t, ns, manifest.ConfigMap("stays")+"---\n"+manifest.ConfigMap("goes")+"---\n"+manifest.Deployment("changes", manifest.Runs+":1"))
			stays, goes := manifest.Target("", "ConfigMap", ns, "stays"), manifest.Target("", "ConfigMap", ns, "goes")
			comes, changes := manifest.Target("", "ConfigMap", ns, "comes"), manifest.Target("apps", "Deployment", ns, "changes")
			config, line := newServerConn(c.Config())
			e := watch(t, config, observe.Requirements{}, nil, stays, goes, comes, changes)
			e.waitForStatus(stays, status.CurrentStatus)
			e.waitForStatus(goes, status.CurrentStatus)
			e.waitForStatus(comes, status.NotFoundStatus, "NeverSeen")
			before := e.waitForStatus(changes, status.CurrentStatus)
			_, heard := e.since(0)

			for _, p := range row.kill {
				if err := c.Kill(p); err != nil {
					t.Fatal(err)
				}
			}
			poll.Wait(t, "the cluster answers no requests", func() bool { return !answers(t, c) })
			line.cut()
			for i := range row.kill {
				if err := c.Restart(t.Context(), row.kill[len(row.kill)-1-i]); err != nil {
					t.Fatal(err)
				}
			}
			e.waitUntil("all is stale", func(board map[observe.Target]observe.Update) bool {
				return !board[stays].StaleSince.IsZero() && !board[goes].StaleSince.IsZero() && !board[comes].StaleSince.IsZero() && !board[changes].StaleSince.IsZero()
			})
			away, restored := e.since(heard)
			checkOneReport(t, away, 4)
			c.Delete(t, ns, manifest.ConfigMap("goes"))
			c.Apply(t, ns, manifest.ConfigMap("comes")+"---\n"+manifest.Deployment("changes", manifest.Runs+":2"))
			line.restore()

			e.waitForStatus(stays, status.CurrentStatus)
			e.waitForStatus(goes, status.NotFoundStatus, "Deleted")
			e.waitForStatus(comes, status.CurrentStatus)
			e.waitUntil("the new generation of the Deployment is current", func(board map[observe.Target]observe.Update) bool {
				u := board[changes]
				return u.Result.Status == status.CurrentStatus && u.Version.Generation > before.Version.Generation
			})
			back, _ := e.since(restored)
			for _, u := range append(away, back...) {
				if u.Result.Status == status.UnknownStatus {
					t.Errorf("it %s: told %s", row.it, witness.FormatUpdate(u))
				}
				if u.Result.Status == status.CurrentStatus && u.Target == changes && u.Version.ObservedGeneration != u.Version.Generation {
					t.Errorf("it %s: told %s, before its controller has seen it", row.it, witness.FormatUpdate(u))
				}
			}
			checkAgreement(t, c, e, stays, goes, comes, changes)
		})
	}
}

// answers reports whether the API server answers a read of its data.
func answers(t *testing.T, c *cluster.Cluster) bool {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	_, err = client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
	return err == nil
}

// checkOneReport checks that an outage is reported once for each target, and changes no verdict.
func checkOneReport(t *testing.T, updates []observe.Update, targets int) {
	t.Helper()
	if len(updates) > targets {
		t.Errorf("%d updates tell that %d targets cannot be looked at", len(updates), targets)
	}
	for _, u := range updates {
		if u.StaleSince.IsZero() || u.Previous != u.Result.Status {
			t.Errorf("while the cluster is away: told %s after %s", witness.FormatUpdate(u), u.Previous)
		}
	}
}
