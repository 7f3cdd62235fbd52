package audit

import (
	"strings"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var provisionedIncomplete = &Rule{
	ID: "W-39", Name: "provisioned-incomplete", Severity: severity.Error,
	Doc: `A provisioned object has the fields that other objects need

Once status.initialization is set, Cluster API continues, and reads these fields:

  - machines: spec.providerID.
  - pools: spec.providerIDList.
  - bootstrap configs: status.dataSecretName.
  - clusters: spec.controlPlaneEndpoint, unless a control plane or a user sets it.

A missing field stops the Machine or the Cluster without an error. Write these fields
before status.initialization, or together with it. A violation is a state that lasts
longer than Limits.GracePeriod. A missing endpoint may last Limits.ResponseTime, and
is reported only if the Cluster and the control plane have none either.`,
	OnVersion: func(p *Pass) {
		n, missing := missingField(p)
		delay := p.Options.GracePeriod
		if n.role == roles.InfraCluster {
			delay = p.Options.ResponseTime
		}
		p.AfterHolding(missing, delay)
	},
	OnTimer: func(p *Pass) {
		if n, missing := missingField(p); missing {
			p.Report("."+strings.Join(n.path, "."), "missing, while status.initialization.%s is true", n.flag)
		}
	},
}

// A need is a field that a role must have once a field of status.initialization
// is true.
type need struct {
	role roles.Role
	flag string
	path []string
}

var provisionedNeeds = []need{
	{roles.InfraMachine, "provisioned", []string{"spec", "providerID"}},
	{roles.InfraMachinePool, "provisioned", []string{"spec", "providerIDList"}},
	{roles.InfraCluster, "provisioned", []string{"spec", "controlPlaneEndpoint", "host"}},
	{roles.BootstrapConfig, "dataSecretCreated", []string{"status", "dataSecretName"}},
}

// missingField returns the field that an object lacks.
func missingField(p *Pass) (need, bool) {
	flags := decoded.Map(p.New.Object, "status", "initialization")
	if flags == nil || !p.New.Deleting.IsZero() {
		return need{}, false
	}
	role := inferRole(p, flags)
	for _, n := range provisionedNeeds {
		if n.role != role || flags[n.flag] != true {
			continue
		}
		has := decoded.At(p.New.Object, n.path...)
		switch role {
		case roles.InfraMachinePool:
			replicas, _ := decoded.Int(p.New.Status(), "replicas")
			list, _ := has.([]any)
			return n, replicas > 0 && len(list) == 0
		case roles.InfraCluster:
			return n, (has == nil || has == "") && !endpointElsewhere(p)
		}
		return n, has == nil || has == ""
	}
	return need{}, false
}

// inferRole returns the role of an object by its kind, or by its initialization
// fields and its owner.
func inferRole(p *Pass, flags map[string]any) roles.Role {
	if role := p.Role(); role != roles.None || p.New.ID.Group == capiGroup {
		return role
	}
	if _, bootstraps := flags["dataSecretCreated"]; bootstraps {
		return roles.BootstrapConfig
	}
	for o := range owners(p.New) {
		switch o.Kind {
		case capiMachine:
			return roles.InfraMachine
		case capiMachinePool:
			return roles.InfraMachinePool
		case capiCluster:
			return roles.InfraCluster
		}
	}
	return roles.None
}

// endpointElsewhere reports whether another object sets the Cluster's endpoint,
// or may do so without being in the stream.
func endpointElsewhere(p *Pass) bool {
	name := clusterOf(p.New)
	for o := range owners(p.New) {
		if o.Kind == capiCluster {
			name = o.Name
		}
	}
	c := p.Other(capiGroup, "Cluster", p.New.ID.Namespace, name)
	if c == nil || endpoint(decoded.Map(c.Object, "spec")) != "" {
		return true
	}
	ref := decoded.Map(c.Object, "spec", "controlPlaneRef")
	if ref == nil {
		return false
	}
	plane := referred(p, ref, c.ID.Namespace)
	if plane == nil {
		return decoded.Text(ref, "kind") != "KubeadmControlPlane"
	}
	return endpoint(decoded.Map(plane.Object, "spec")) != "" || plane.Status()["externalManagedControlPlane"] == true
}

var readyDisagrees = &Rule{
	ID: "W-40", Name: "ready-disagrees", Severity: severity.Warning,
	Doc: `The fields of the old and of the new contract agree

A provider that serves both contracts of Cluster API has status.ready and
status.initialization.provisioned. A bootstrap config has dataSecretCreated instead,
and a control plane has status.initialized and controlPlaneInitialized. A label of
the CRD decides which of them is read, so an upgrade of the provider must not change
the result. Write both from one variable. A violation is a state that lasts longer
than Limits.GracePeriod.`,
	OnVersion: func(p *Pass) {
		_, differ := disagreeingFlags(p.New)
		p.AfterHolding(differ, p.Options.GracePeriod)
	},
	OnTimer: func(p *Pass) {
		if pair, differ := disagreeingFlags(p.New); differ {
			p.Report(".status."+pair.old, "%v, while status.initialization.%s is %v", p.New.Status()[pair.old], pair.flag, !(p.New.Status()[pair.old] == true))
		}
	},
}

// A flagPair is one fact in the old contract and in the new one.
type flagPair struct{ old, flag string }

var flagPairs = []flagPair{{"ready", "provisioned"}, {"ready", "dataSecretCreated"}, {"initialized", "controlPlaneInitialized"}}

func disagreeingFlags(v *Version) (flagPair, bool) {
	status := v.Status()
	flags := decoded.Map(status, "initialization")
	if flags == nil {
		return flagPair{}, false
	}
	for _, p := range flagPairs {
		old, is := status[p.old].(bool)
		flag, too := flags[p.flag].(bool)
		if is && too && old != flag {
			return p, true
		}
	}
	return flagPair{}, false
}
