package explain

import (
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
