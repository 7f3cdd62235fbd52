package provider

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/test/openstack/fakestack"
	"kstatus.dev/test/openstack/openstackshop"
)

// The provider breaks no rule of the audit in any phase of a life.
func TestUnderAudit(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]func(*fixture){
		"outage":      (*fixture).liveThroughOutage,
		"credentials": (*fixture).liveThroughCredentials,
		"pause":       (*fixture).liveThroughPause,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.RunProvider(w.Audited(), nil)
			rest := strings.SplitN(openstackshop.ClusterManifest+openstackshop.MachineManifest+w.cloudSecret("demo", "secret", "demo"), "---\n", 2)
			w.Apply(rest[1]) // without the Cluster, so without owners
			w.WaitFor(osClusters, "shop", "Ready=Unknown/WaitingForOwner")
			w.WaitFor(osMachines, "web", "Ready=Unknown/WaitingForOwner")
			w.Apply(rest[0])
			w.WaitForReady()
			settle()
			live(w)
			w.WaitForReady()
			w.Remove(clusters, "shop")
			w.WaitForDeletion(clusters, "shop")
			w.checkEmpty()
		})
	}
}

// The Secret with the credentials comes last, and another process begins then. The status reports what
// each look finds: no owner, no credentials, a load balancer that is being created. That is no
// flapping, although the audit takes all of it for one reconcile.
func TestCredentialsComeLast(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	audited := w.AuditedWith(audit.Limits{ReconcileWindow: w.Patience})
	stop := w.RunProvider(audited, nil)
	first := strings.SplitN(openstackshop.ClusterManifest, "---\n", 2)
	w.Apply(first[1])
	w.WaitFor(osClusters, "shop", "Ready=Unknown/WaitingForOwner")
	w.Apply(first[0])
	w.WaitFor(osClusters, "shop", "Ready=False/CredentialsMissing")
	stop()
	w.RunProvider(audited, nil)
	w.Apply(w.cloudSecret("demo", "secret", "demo"))
	w.WaitFor(osClusters, "shop", "Ready=True")
	w.Remove(osClusters, "shop")
	w.WaitForDeletion(osClusters, "shop")
	w.checkEmpty()
}

func (w *fixture) liveThroughOutage() {
	w.cloud.SetHook(fakestack.Matching("", fakestack.Unavailable()))
	w.WaitFor(osClusters, "shop", "Ready=Unknown/ServiceUnavailable")
	w.WaitFor(osMachines, "web", "Ready=Unknown/ServiceUnavailable")
	settle()
	resume(w)
}

func (w *fixture) liveThroughCredentials() {
	w.cloud.SetPassword("demo", "changed")
	w.WaitFor(osClusters, "shop", "Ready=Unknown/CredentialsInvalid")
	w.WaitFor(osMachines, "web", "Ready=Unknown/CredentialsInvalid")
	settle()
	w.Apply(w.cloudSecret("demo", "changed", "demo"))
	w.WaitForReady()
	settle()
	w.Patch(osClusters, "shop", `{"spec": {"managedSecurityGroups": {"allowAllInClusterTraffic": false}}}`)
	w.Patch(osMachines, "web", `{"spec": {"tags": ["edited"]}}`)
}

func (w *fixture) liveThroughPause() {
	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.WaitFor(osClusters, "shop", "Paused=True")
	w.WaitFor(osMachines, "web", "Paused=True")
	settle()
	w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.WaitForReady()
	settle()
	w.removeStatus(osClusters, "shop")
	w.removeStatus(osMachines, "web")
}

// settle separates the events of a test, which would otherwise look like flapping.
func settle() {
	time.Sleep(1200 * time.Millisecond) // the audit takes the writes of a second for one reconcile, by the clock
}
