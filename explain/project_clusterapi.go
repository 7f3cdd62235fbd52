package explain

import (
	"cmp"
	"strings"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

const (
	capiGroup    = "cluster.x-k8s.io"
	controlGroup = "controlplane.cluster.x-k8s.io"
)

var (
	capiCluster       = status.Kind{Group: capiGroup, Kind: "Cluster"}
	machine           = status.Kind{Group: capiGroup, Kind: "Machine"}
	machineSet        = status.Kind{Group: capiGroup, Kind: "MachineSet"}
	machinePool       = status.Kind{Group: capiGroup, Kind: "MachinePool"}
	machineHealth     = status.Kind{Group: capiGroup, Kind: "MachineHealthCheck"}
	machineDeployment = status.Kind{Group: capiGroup, Kind: "MachineDeployment"}
)

// providerFailed tells what a provider of Cluster API has given up on, and the
// conditions that it calls errors.
func providerFailed(n *node) (all []found) {
	if !strings.HasSuffix(n.ID.Group, capiGroup) {
		return nil
	}
	for _, at := range [...]string{"status.", "status.deprecated.v1beta1."} {
		message, reason := n.Text(at+"failureMessage"), n.Text(at+"failureReason")
		if message == "" && reason == "" {
			continue
		}
		f := found{kind: "ProviderFailed", text: cmp.Or(message, reason)}
		if reason != "" {
			f.evidence = append(f.evidence, n.evidence(at+"failureReason"))
		}
		if message != "" {
			f.evidence = append(f.evidence, n.evidence(at+"failureMessage"))
		}
		return []found{f}
	}
	for c := range n.Each("status.conditions") {
		if c.Text("status") == "False" && c.Text("severity") == "Error" && c.Text("type") != "Ready" {
			all = append(all, found{kind: "ProviderFailed", text: show.Line(c.Text("type")) + ": " + c.says(), echo: true, evidence: c.conditionEvidence()})
		}
	}
	return all
}

// watchedLists are the Machines that a MachineHealthCheck watches.
func watchedLists(n *node) []List {
	if len(n.Labels("spec.selector.matchLabels")) == 0 || n.Has("spec.selector.matchExpressions") {
		return nil
	}
	return []List{n.list(machine, n.ID.Namespace, n.Labels("spec.selector.matchLabels"))}
}

// watched are the known Machines that a MachineHealthCheck watches.
func (n *node) watched() (all []*node) {
	for _, l := range watchedLists(n) {
		all = append(all, n.scene.among(l)...)
	}
	return all
}

// unmended tells that a MachineHealthCheck may not mend what it finds.
func unmended(n *node) []found {
	c := n.condition("RemediationAllowed")
	if c.Text("status") != "False" {
		return nil
	}
	return []found{{kind: "Reported", text: c.says(), echo: true, evidence: c.conditionEvidence()}}
}

// clusterRefs are the class of a Cluster that is made from one, its
// infrastructure and its control plane.
func clusterRefs(n *node) (all []Ref) {
	class := status.Kind{Group: capiGroup, Kind: "ClusterClass"}
	for _, at := range [...]struct{ name, namespace string }{
		{"spec.topology.classRef.name", "spec.topology.classRef.namespace"},
		{"spec.topology.class", "spec.topology.classNamespace"},
	} {
		if name := n.Text(at.name); name != "" {
			all = append(all, Ref{Path: at.name, ID: n.refer(class, cmp.Or(n.Text(at.namespace), n.ID.Namespace), name)})
		}
	}
	return append(all, shapedRefs(n)...)
}

// unattended tells that the controllers leave an object alone, since somebody has
// asked for that.
func unattended(n *node) []found {
	f := found{kind: "Paused", text: "its controllers leave it alone: it is paused"}
	const annotation = "metadata.annotations[cluster.x-k8s.io/paused]"
	switch {
	case !strings.HasSuffix(n.ID.Group, capiGroup):
	case n.Is("spec.paused"):
		f.evidence = []Evidence{n.evidence("spec.paused")}
	case n.Has(annotation):
		f.evidence = []Evidence{{From: FromSpec, Object: n.ID, Path: "." + annotation, Value: "set"}}
	case n.condition("Paused").Text("status") == "True":
		f.evidence = n.condition("Paused").conditionEvidence()
	}
	if len(f.evidence) == 0 {
		return nil
	}
	return []found{f}
}
