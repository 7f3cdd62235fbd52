package provider

import (
	"strings"
	"testing"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/openstack/openstackshop"
)

// A Machine with the provider ID of another Machine does not use that server, and its deletion does
// not delete it.
func TestProviderIDOfAnotherMachine(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	id, _ := field(w.Get(osMachines, "web"), "spec", "providerID").(string)
	before := w.cloud.Snapshot(w.project)
	w.Apply(strings.NewReplacer("name: web", "name: db", "  image:", "  providerID: "+id+"\n  image:").Replace(openstackshop.MachineManifest))
	obj := w.WaitFor(osMachines, "db", "InstanceReady=False/Conflict", "Ready=False/Conflict")
	if have := message(obj, "InstanceReady"); !strings.Contains(have, "correct spec.providerID") {
		t.Errorf("the message is %q, without spec.providerID", have)
	}
	if have := field(obj, "status", "instanceID"); have != nil {
		t.Errorf("the status has the server %v", have)
	}
	w.Remove(osMachines, "db")
	w.WaitForDeletion(osMachines, "db")
	checkSame(t, before, w.cloud.Snapshot(w.project))
	w.WaitForReady()
	w.end()
}

// A Machine is deleted without its finalizer, and leaves its server. A new one of the same name does
// not use that server, and its deletion leaves it.
func TestServerOfAnEarlierMachine(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newFixture(t)
	stop := w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	w.WaitForReady()
	id, _ := field(w.Get(osMachines, "web"), "status", "instanceID").(string)
	stop()
	w.Patch(osMachines, "web", `{"metadata": {"finalizers": null}}`)
	w.Remove(osMachines, "web")
	w.WaitForDeletion(osMachines, "web")
	w.Remove(machines, "web")
	w.WaitForDeletion(machines, "web")
	before := w.cloud.Snapshot(w.project)

	w.RunProvider(w.Cluster.Config(), nil)
	w.applyShop()
	obj := w.WaitFor(osMachines, "web", "InstanceReady=False/Conflict", "Ready=False/Conflict")
	if have := message(obj, "InstanceReady"); !strings.Contains(have, id) {
		t.Errorf("the message is %q, without the server %s", have, id)
	}
	w.Remove(osMachines, "web")
	w.WaitForDeletion(osMachines, "web")
	after := w.cloud.Snapshot(w.project)
	for _, s := range []map[string][]string{before, after} {
		delete(s, "member") // that of the name, on any server
	}
	checkSame(t, before, after)

	w.Remove(machines, "web")
	w.WaitForDeletion(machines, "web")
	w.applyShop()
	w.WaitFor(osMachines, "web", "InstanceReady=False/Conflict")
	w.destroy("/compute/v2.1/servers/" + id)
	w.WaitForReady()
	w.end()
}
