package reference

import (
	"cmp"
	"slices"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// A producer is a kind whose controller creates Secrets, and where the names of these Secrets are.
type producer struct {
	path        string   // of the field with the name
	usesOwnName bool     // without the field, the name is that of the object
	suffixes    []string // of the names after the name of the object
}

var producers = map[status.Kind]producer{
	{Group: "cert-manager.io", Kind: "Certificate"}:                {path: "spec.secretName"},
	{Group: "external-secrets.io", Kind: "ExternalSecret"}:         {path: "spec.target.name", usesOwnName: true},
	{Group: "bitnami.com", Kind: "SealedSecret"}:                   {path: "spec.template.metadata.name", usesOwnName: true},
	{Group: "secrets.hashicorp.com", Kind: "VaultStaticSecret"}:    {path: "spec.destination.name"},
	{Group: "secrets.hashicorp.com", Kind: "VaultDynamicSecret"}:   {path: "spec.destination.name"},
	{Group: "secrets.hashicorp.com", Kind: "VaultPKISecret"}:       {path: "spec.destination.name"},
	{Group: "ricoberger.de", Kind: "VaultSecret"}:                  {usesOwnName: true},
	{Group: "secrets.infisical.com", Kind: "InfisicalSecret"}:      {path: "spec.managedSecretReference.secretName"},
	{Group: "secrets.doppler.com", Kind: "DopplerSecret"}:          {path: "spec.managedSecret.name"},
	{Group: "spv.no", Kind: "AzureKeyVaultSecret"}:                 {path: "spec.output.secret.name", usesOwnName: true},
	{Group: "onepassword.com", Kind: "OnePasswordItem"}:            {usesOwnName: true},
	{Group: "secretgen.k14s.io", Kind: "Password"}:                 {usesOwnName: true},
	{Group: "secretgen.carvel.dev", Kind: "SecretImport"}:          {usesOwnName: true},
	{Group: "kafka.strimzi.io", Kind: "KafkaUser"}:                 {usesOwnName: true},
	{Group: "postgresql.cnpg.io", Kind: "Cluster"}:                 {suffixes: []string{"-app", "-superuser", "-ca", "-server"}},
	{Group: "secret-sync.x-k8s.io", Kind: "SecretSync"}:            {usesOwnName: true},
	{Group: "elasticsearch.k8s.elastic.co", Kind: "Elasticsearch"}: {suffixes: []string{"-es-elastic-user", "-es-http-certs-public"}},
}

// SecretProducers returns the kinds whose controllers create Secrets, sorted.
func SecretProducers() (kinds []status.Kind) {
	for kind := range producers {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b status.Kind) int { return cmp.Compare(a.String(), b.String()) })
	return kinds
}

// ProducedSecrets returns the names of the Secrets that the controller of an object creates.
func ProducedSecrets(kind status.Kind, obj fields.Section) (names []string) {
	p, known := producers[kind]
	if !known {
		return nil
	}
	own := obj.Text("metadata.name")
	if name := obj.Text(p.path); p.path != "" && name != "" {
		names = append(names, name)
	} else if p.usesOwnName {
		names = append(names, own)
	}
	for _, suffix := range p.suffixes {
		names = append(names, own+suffix)
	}
	return names
}
