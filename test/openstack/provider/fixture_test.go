// Package provider runs the provider of examples/openstack with the core manager of
// Cluster API, on an OpenStack in memory.
package provider

import (
	"fmt"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/openstackshop"
)

var live = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 8}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // failures caused on purpose are not worth reading
	os.Exit(live.Main(m))
}

// Short names of what package openstackshop has.
var (
	clusters, machines     = openstackshop.Clusters, openstackshop.Machines
	osClusters, osMachines = openstackshop.OSClusters, openstackshop.OSMachines

	hasCondition, summary = managers.HasCondition, managers.Summary
	field                 = managers.Field
	message, text         = managers.Message, managers.Text
)

var isConflict = apierrors.IsConflict

// fixture is a namespace of the cluster with its own cloud.
type fixture struct {
	*openstackshop.Shop
	cloud   *fakestack.Cloud
	url     string // of the cloud
	project string // the ID of the project demo
	// furniture is the number of writes before the test begins.
	furniture int
	// disguise changes what the cloud reports about servers.
	disguise *disguise
}

// newFixture returns a namespace, and a cloud with an external network, an image and a flavor.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixtureWith(t, fakestack.Options{})
}

func newFixtureWith(t *testing.T, o fakestack.Options) *fixture {
	t.Helper()
	w := &fixture{Shop: openstackshop.New(t, live.Cluster(t)), cloud: fakestack.New(o)}
	w.disguise = &disguise{cloud: w.cloud}
	server := httptest.NewServer(w.disguise)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.project = w.cloud.AddAccount("demo", "secret", "demo")
	w.furnish()
	w.furniture = len(w.cloud.Writes())
	return w
}

// cloudSecret is the Secret with the credentials of a user of a project.
func (w *fixture) cloudSecret(user, password, project string) string {
	return fmt.Sprintf(`
---
apiVersion: v1
kind: Secret
metadata: {name: cloud-config}
stringData:
  clouds.yaml: |
    clouds:
      stack:
        region_name: RegionOne
        auth:
          auth_url: %s/identity/v3
          username: %s
          password: %s
          project_name: %s
          user_domain_name: Default
          project_domain_name: Default
`, w.url, user, password, project)
}

// end deletes the objects of the shop, and checks that the cloud is empty. It deletes them
// directly, because the core manager would take ten seconds.
func (w *fixture) end() {
	w.T.Helper()
	w.Remove(osMachines, "web")
	w.WaitForDeletion(osMachines, "web")
	w.Remove(osClusters, "shop")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

// checkEmpty checks that the project has no resources.
func (w *fixture) checkEmpty() {
	w.T.Helper()
	if left := w.cloud.Snapshot(w.project); len(left) > 0 {
		w.T.Errorf("the cloud still has %v", left)
	}
}

// checkSame checks that the cloud has the same resources as before.
func checkSame(t *testing.T, before, after map[string][]string) {
	t.Helper()
	if !reflect.DeepEqual(before, after) {
		t.Errorf("the cloud has changed: it had\n%v\nand has\n%v", before, after)
	}
}

// applyShop applies the Cluster and the Machine with the right credentials. Pairs of old and new
// text change the manifests.
func (w *fixture) applyShop(changes ...string) {
	w.T.Helper()
	w.Apply(strings.NewReplacer(changes...).Replace(openstackshop.ClusterManifest + openstackshop.MachineManifest + w.cloudSecret("demo", "secret", "demo")))
}
