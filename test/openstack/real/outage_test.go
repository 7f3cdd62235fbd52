package real

import (
	"errors"
	"maps"
	"syscall"
	"testing"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"

	"kstatus.dev/test/openstack/openstackkit"
)

// A service that is stopped refuses connections while the others answer, and loses nothing.
func TestServiceStops(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	s, err := servers.Create(ctx, f.compute, servers.CreateOpts{Name: "s", ImageRef: prepared.Image, FlavorRef: prepared.Flavor, Networks: "none"}, nil).Extract()
	check(t, "create a server", err)
	check(t, "wait for the server", servers.WaitForStatus(ctx, f.compute, s.ID, "ACTIVE"))
	check(t, "stop nova", kit.StopService(ctx, openstackkit.Nova))
	if kit.Running(openstackkit.Nova) {
		t.Error("nova runs")
	}
	if _, err := servers.Get(ctx, f.compute, s.ID).Extract(); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("without nova: %v, want %v", err, syscall.ECONNREFUSED)
	}
	_, err = networks.Get(ctx, f.network, prepared.External).Extract()
	check(t, "neutron answers", err)
	check(t, "start nova", kit.StartService(ctx, openstackkit.Nova))
	if s, err = servers.Get(ctx, f.compute, s.ID).Extract(); err != nil || s.Status != "ACTIVE" {
		t.Errorf("the server is %+v, %v", s, err)
	}
	if have, want := f.owned(t), map[string]int{"server": 1}; !maps.Equal(have, want) {
		t.Errorf("the project owns %v, want %v", have, want)
	}
	check(t, "delete the server", servers.Delete(ctx, f.compute, s.ID).ExtractErr())
}
