package real

import (
	"net/http"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/openstackshop"
)

// other is a second management cluster.
var other = cluster.Shared{Options: cluster.Options{ClusterAPI: true}}

// A move to another management cluster on the same cloud writes nothing to it, and the provider there
// finds everything again.
func TestMoveWritesNothing(t *testing.T) {
	w := newWorld(t)
	r := &recorder{next: http.DefaultTransport}
	w.runProvider(r)
	w.applyShop()
	w.WaitForReady()
	to := &world{fixture: w.fixture, Shop: openstackshop.In(t, other.Cluster(t), w.Namespace)}
	to.Patience, to.Clouds.Timeout = w.Patience, w.Clouds.Timeout
	to.runProvider(r)
	before, writes := w.get("shop", "web"), r.count()

	m, err := move.New(t.Context(), move.Options{
		Scope: plan.Scope{Namespaces: []string{w.Namespace}}, Source: w.Shop.Cluster.Config(), Target: to.Shop.Cluster.Config(),
		Journal: filepath.Join(t.TempDir(), "journal.json"), Window: 5 * time.Second, Accept: []string{"not-ready"},
		OnEvent: func(e move.Event) { t.Log(e.Phase, e.Object, e.Message) },
	})
	check(t, "connect to both clusters", err)
	defer m.Close()
	p, err := m.Plan(t.Context())
	check(t, "plan the move", err)
	result, err := m.Run(t.Context(), p)
	check(t, "move", err)
	t.Logf("%d moved, %d copied, %d requests, %s", result.Moved, result.Copied, result.Requests, result.Ended.Sub(result.Began).Round(time.Second))

	to.WaitForReady()
	if after := to.get("shop", "web"); !reflect.DeepEqual(before, after) {
		t.Errorf("the statuses were\n%v\nand are\n%v", before, after)
	}
	if n := r.count(); n != writes {
		t.Errorf("%d writes to the cloud: %q", n-writes, r.writes[writes:])
	}
	if w.Get(openstackshop.OSMachines, "web") != nil {
		t.Error("the source still has the OpenStackMachine")
	}
	to.end()
}
