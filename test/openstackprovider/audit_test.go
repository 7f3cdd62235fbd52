package openstackprovider

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/audit"
	"kstatus.dev/kube/writes"
	"kstatus.dev/severity"
	"kstatus.dev/test/fakestack"
)

var auditedKinds = []string{"openstackclusters.infrastructure.openstack.kstatus.dev", "openstackmachines.infrastructure.openstack.kstatus.dev"}

// strictOptions makes every rule an error, so that no finding is ignored.
func strictOptions() audit.Options {
	o := audit.Options{Severities: map[string]severity.Level{}}
	for _, rule := range audit.Rules {
		o.Severities[rule.ID] = severity.Error
	}
	return o
}

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
			x := writes.AuditOptions{Kinds: auditedKinds, Namespaces: []string{w.ns}, Options: strictOptions()}
			w.runProvider(x.Audit(t, w.c.Config()), nil)
			rest := strings.SplitN(shopCluster+shopMachine+w.cloudSecret("demo", "secret", "demo"), "---\n", 2)
			w.apply(rest[1]) // without the Cluster, so without owners
			w.waitFor(osClusters, "shop", "Ready=Unknown/WaitingForOwner")
			w.waitFor(osMachines, "web", "Ready=Unknown/WaitingForOwner")
			w.apply(rest[0])
			w.waitForReady()
			settle()
			live(w)
			w.waitForReady()
			w.remove(clusters, "shop")
			w.waitForDeletion(clusters, "shop")
			w.checkEmpty()
		})
	}
}

func (w *fixture) liveThroughOutage() {
	w.cloud.SetHook(fakestack.Matching("", fakestack.Unavailable()))
	w.waitFor(osClusters, "shop", "Ready=Unknown/ServiceUnavailable")
	w.waitFor(osMachines, "web", "Ready=Unknown/ServiceUnavailable")
	settle()
	resume(w)
}

func (w *fixture) liveThroughCredentials() {
	w.cloud.SetPassword("demo", "changed")
	w.waitFor(osMachines, "web", "Ready=Unknown/CredentialsInvalid")
	settle()
	w.apply(w.cloudSecret("demo", "changed", "demo"))
	w.waitForReady()
	settle()
	w.patch(osClusters, "shop", `{"spec": {"managedSecurityGroups": {"allowAllInClusterTraffic": false}}}`)
	w.patch(osMachines, "web", `{"spec": {"tags": ["edited"]}}`)
}

func (w *fixture) liveThroughPause() {
	w.patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.waitFor(osClusters, "shop", "Paused=True")
	w.waitFor(osMachines, "web", "Paused=True")
	settle()
	w.patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.waitForReady()
	settle()
	w.removeStatus(osClusters, "shop")
	w.removeStatus(osMachines, "web")
}

// settle separates the events of a test, which would otherwise look like flapping.
func settle() { time.Sleep(3 * time.Second) }
