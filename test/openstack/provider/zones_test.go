package provider

import (
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/fakestack"
)

// A cluster has the availability zones that the cloud has now, and a machine the one of its server.
func TestZones(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop("version: v1.36.3", "version: v1.36.3\n  failureDomain: az2")
	w.WaitForReady()
	if zone := field(w.Get(osMachines, "web"), "status", "failureDomain"); zone != "az2" {
		t.Errorf("the machine is in %v, want az2", zone)
	}
	w.waitForZones("az1", "az2", "az3")
	w.cloud.SetHook(fakestack.Matching("compute GET /v2.1/os-availability-zone", fakestack.Fault{
		Status: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: `{"availabilityZoneInfo": [{"zoneName": "az2", "zoneState": {"available": true}}, {"zoneName": "az4", "zoneState": {"available": true}}]}`,
	}))
	w.waitForZones("az2", "az4")
	w.cloud.SetHook(nil)
	w.end()
}

func (w *fixture) waitForZones(names ...string) {
	w.T.Helper()
	w.WaitUntil(osClusters, "shop", "in the zones of the cloud", func(obj *unstructured.Unstructured) bool {
		domains, _ := field(obj, "status", "failureDomains").([]any)
		if len(domains) != len(names) {
			return false
		}
		for i, d := range domains {
			if domain, ok := d.(map[string]any); !ok || domain["name"] != names[i] {
				return false
			}
		}
		return true
	})
}
