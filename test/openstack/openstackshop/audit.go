package openstackshop

import (
	"slices"

	"k8s.io/client-go/rest"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/author/writes"
)

// Audited returns the connection of a provider whose writes in the namespace are audited until the test
// ends. Every finding fails the test, except those of some rules.
func (w *Shop) Audited(except ...string) *rest.Config {
	w.T.Helper()
	return w.AuditedWith(audit.Limits{}, except...)
}

// AuditedWith does the same with other limits.
func (w *Shop) AuditedWith(limits audit.Limits, except ...string) *rest.Config {
	w.T.Helper()
	limits.GracePeriod = w.Patience / 12 // on a busy machine a reconcile with many requests takes long
	strict := audit.Options{Severities: map[string]severity.Level{}, Limits: limits}
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
