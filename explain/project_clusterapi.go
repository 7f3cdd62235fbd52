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

// providerFailed finds terminal failures of a Cluster API provider, and conditions with
// severity Error.
func providerFailed(o *object) (all []finding) {
	if !strings.HasSuffix(o.ID.Group, capiGroup) {
		return nil
	}
	for _, at := range [...]string{"status.", "status.deprecated.v1beta1."} {
		message, reason := o.Text(at+"failureMessage"), o.Text(at+"failureReason")
		if message == "" && reason == "" {
			continue
		}
		f := finding{kind: "ProviderFailed", text: cmp.Or(message, reason)}
		if reason != "" {
			f.evidence = append(f.evidence, o.evidence(at+"failureReason"))
		}
		if message != "" {
			f.evidence = append(f.evidence, o.evidence(at+"failureMessage"))
		}
		return []finding{f}
	}
	for c := range o.Each("status.conditions") {
		if c.Text("status") == "False" && c.Text("severity") == "Error" && c.Text("type") != "Ready" {
			all = append(all, finding{kind: "ProviderFailed", text: show.Line(c.Text("type")) + ": " + c.conditionText(), weak: true, evidence: c.conditionEvidence()})
		}
	}
	return all
}

// watchedLists returns the list of the Machines that a MachineHealthCheck watches.
func watchedLists(o *object) []List {
	if len(o.Labels("spec.selector.matchLabels")) == 0 || o.Has("spec.selector.matchExpressions") {
		return nil
	}
	return []List{o.list(machine, o.ID.Namespace, o.Labels("spec.selector.matchLabels"))}
}

// watchedMachines returns the known Machines that a MachineHealthCheck watches.
func (o *object) watchedMachines() (all []*object) {
	for _, l := range watchedLists(o) {
		all = append(all, o.index.objectsIn(l)...)
	}
	return all
}

// remediationNotAllowed finds that a MachineHealthCheck is not allowed to remediate unhealthy
// Machines.
func remediationNotAllowed(o *object) []finding {
	c := o.condition("RemediationAllowed")
	if c.Text("status") != "False" {
		return nil
	}
	return []finding{{kind: "Reported", text: c.conditionText(), weak: true, evidence: c.conditionEvidence()}}
}

// clusterRefs returns the class, the infrastructure and the control plane of a Cluster.
func clusterRefs(o *object) (all []objectRef) {
	class := status.Kind{Group: capiGroup, Kind: "ClusterClass"}
	for _, at := range [...]struct{ name, namespace string }{
		{"spec.topology.classRef.name", "spec.topology.classRef.namespace"},
		{"spec.topology.class", "spec.topology.classNamespace"},
	} {
		if name := o.Text(at.name); name != "" {
			all = append(all, objectRef{Path: at.name, ID: o.refer(class, cmp.Or(o.Text(at.namespace), o.ID.Namespace), name)})
		}
	}
	return append(all, genericRefs(o)...)
}

// clusterAPIPaused finds that controllers ignore an object because it is paused.
func clusterAPIPaused(o *object) []finding {
	f := finding{kind: "Paused", text: "it is paused, so its controllers ignore it"}
	const annotation = "metadata.annotations[cluster.x-k8s.io/paused]"
	switch {
	case !strings.HasSuffix(o.ID.Group, capiGroup):
	case o.Is("spec.paused"):
		f.evidence = []Evidence{o.evidence("spec.paused")}
	case o.Has(annotation):
		f.evidence = []Evidence{{From: OriginSpec, Object: o.ID, Path: "." + annotation, Value: "set"}}
	case o.condition("Paused").Text("status") == "True":
		f.evidence = o.condition("Paused").conditionEvidence()
	}
	if len(f.evidence) == 0 {
		return nil
	}
	return []finding{f}
}
