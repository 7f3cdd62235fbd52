package explain

import (
	"cmp"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// Who makes Secrets on order, the field in which they name them, and whether they
// give them their own name where it says nothing.
var secretMakers = map[status.Kind]struct {
	path string
	own  bool
}{
	certificate:    {"spec.secretName", false},
	externalSecret: {"spec.target.name", true},
	{Group: "bitnami.com", Kind: "SealedSecret"}:                 {"spec.template.metadata.name", true},
	{Group: "secrets.hashicorp.com", Kind: "VaultStaticSecret"}:  {"spec.destination.name", false},
	{Group: "secrets.hashicorp.com", Kind: "VaultDynamicSecret"}: {"spec.destination.name", false},
	{Group: "secrets.hashicorp.com", Kind: "VaultPKISecret"}:     {"spec.destination.name", false},
	{Group: "secrets.infisical.com", Kind: "InfisicalSecret"}:    {"spec.managedSecretReference.secretName", false},
	{Group: "onepassword.com", Kind: "OnePasswordItem"}:          {"", true},
	{Group: "kafka.strimzi.io", Kind: "KafkaUser"}:               {"", true},
}

// awaited returns the known objects that are to make a Secret which does not
// exist, and have not come to that.
func (s *scene) awaited(missing ID) (all []*node) {
	if missing.GroupKind() != secret {
		return nil
	}
	for _, n := range s.all {
		maker, known := secretMakers[n.ID.GroupKind()]
		if !known || n.Object == nil || n.done() || n.ID.Cluster != missing.Cluster || n.ID.Namespace != missing.Namespace {
			continue
		}
		name := n.Text(maker.path)
		if name == "" && maker.own {
			name = n.ID.Name
		}
		if name == missing.Name {
			all = append(all, n)
		}
	}
	return all
}

// waitsForSuspended tells that what an object waits for is suspended, where a message
// says that it waits for it.
func (n *node) waitsForSuspended(to *node) []found {
	if to.Result.Suspended == status.NotSuspended || !to.done() || n.done() || !n.names(to.ID) {
		return nil
	}
	f := found{kind: "Suspended", text: lowerKind(to.ID) + " is suspended", evidence: []Evidence{to.lookup(to.Result.Message)}, chain: []*node{to}}
	for _, path := range [...]string{"spec.suspend", "spec.suspended", "spec.paused"} {
		if to.Is(path) {
			f.evidence = []Evidence{to.evidence(path)}
			break
		}
	}
	return []found{f}
}

// storeRefs are where an ExternalSecret reads from.
func storeRefs(n *node) (all []Ref) {
	add := func(at section) {
		id := ID{n.ID.Cluster, externalSecret.Group, cmp.Or(at.Text("kind"), "SecretStore"), n.ID.Namespace, at.Text("name")}
		id.Namespace = reference.Namespace(id.Kind, id.Namespace)
		if id.Name != "" {
			all = append(all, Ref{Path: at.Path + "name", ID: id})
		}
	}
	add(n.Under("spec.secretStoreRef"))
	for _, list := range [...]string{"spec.data", "spec.dataFrom"} {
		for d := range n.Each(list) {
			add(d.Under("sourceRef.storeRef"))
		}
	}
	return all
}
