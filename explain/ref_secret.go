package explain

import (
	"kstatus.dev/status"
)

// The kinds whose controllers create Secrets, and the field with the name of the Secret.
// With own, the default is the name of the object.
var secretCreators = map[status.Kind]struct {
	path        string
	usesOwnName bool
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

// pendingCreators returns the known objects whose controllers have yet to create a missing
// Secret.
func (x *index) pendingCreators(missing ID) []*object {
	if missing.GroupKind() != secret {
		return nil
	}
	if x.creators == nil {
		x.creators = map[ID][]*object{}
		for _, o := range x.all {
			creator, known := secretCreators[o.ID.GroupKind()]
			if !known || o.Object == nil || o.isDone() {
				continue
			}
			name := o.Text(creator.path)
			if name == "" && creator.usesOwnName {
				name = o.ID.Name
			}
			creates := o.refer(secret, o.ID.Namespace, name)
			x.creators[creates] = append(x.creators[creates], o)
		}
	}
	return x.creators[missing]
}
