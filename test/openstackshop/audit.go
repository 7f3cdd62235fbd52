package openstackshop

import (
	"slices"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/audit"
	"kstatus.dev/kube/writes"
	"kstatus.dev/severity"
)

// busy is how long a step may take on a machine whose processors are busy.
const busy = 10 * time.Second

// Audited returns the connection of a provider whose writes in the namespace are audited until the test
// ends. Every finding fails the test, except those of some rules.
func (w *Shop) Audited(except ...string) *rest.Config {
	w.T.Helper()
	strict := audit.Options{Severities: map[string]severity.Level{}, Limits: audit.Limits{GracePeriod: busy}}
	for _, rule := range audit.Rules {
		strict.Severities[rule.ID] = severity.Error
		if slices.Contains(except, rule.ID) {
			strict.Severities[rule.ID] = severity.Off
		}
	}
	x := writes.AuditOptions{
		Kinds: []string{OSClusters.GroupResource().String(), OSMachines.GroupResource().String()}, Namespaces: []string{w.Namespace}, Options: strict,
	}
	return x.Audit(w.T, w.Cluster.Config())
}
