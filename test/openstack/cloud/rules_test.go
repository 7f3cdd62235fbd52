package cloud_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/groups"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/security/rules"

	"kstatus.dev/examples/openstack/cloud"
	"kstatus.dev/test/openstack/fakestack"
)

// A request for rules takes effect after its response was lost, and while another is sent. The service
// refuses that one because a rule exists. All rules are created, each once.
func TestRulesAppear(t *testing.T) {
	w := newWorld(t, fast)
	spec := cloud.SecurityGroupsSpec{APIPort: 6443}
	neutron := (&build{world: w}).neutron()
	var appeared atomic.Bool
	w.stack.SetHook(func(r fakestack.Request) fakestack.Fault {
		if r.Method != "POST" || !strings.HasSuffix(r.Path, "/security-group-rules") || appeared.Swap(true) {
			return fakestack.Fault{}
		}
		page, err := groups.List(neutron, groups.ListOpts{Name: owner.Prefix() + "-control-plane"}).AllPages(t.Context())
		if err != nil {
			t.Error(err)
			return fakestack.Fault{}
		}
		found, err := groups.ExtractGroups(page)
		if err != nil || len(found) != 1 {
			t.Errorf("%d groups, want 1: %v", len(found), err)
			return fakestack.Fault{}
		}
		_, err = rules.Create(t.Context(), neutron, rules.CreateOpts{
			Direction: rules.DirIngress, EtherType: rules.EtherType4, Protocol: rules.ProtocolTCP, PortRangeMin: 6443, PortRangeMax: 6443,
			RemoteIPPrefix: "0.0.0.0/0", SecGroupID: found[0].ID, Description: owner.Tag(),
		}).Extract()
		if err != nil {
			t.Error(err)
		}
		return fakestack.Fault{}
	})
	for range 2 {
		if _, _, err := w.c.EnsureSecurityGroups(t.Context(), owner, spec); err != nil {
			t.Fatal(err)
		}
	}
	if !appeared.Load() {
		t.Error("no rule has appeared")
	}
}
