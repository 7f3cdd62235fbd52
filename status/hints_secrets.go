package status

// Secrets and identities from external systems.
//
// External Secrets: https://external-secrets.io/latest/api/spec/
// Sealed Secrets: https://github.com/bitnami-labs/sealed-secrets
// Vault Secrets Operator: https://developer.hashicorp.com/vault/docs/deploy/kubernetes/vso/api-reference
// Bank-Vaults: https://bank-vaults.dev/docs/operator/
// SPIRE: https://github.com/spiffe/spire-controller-manager/tree/main/docs
// Teleport: https://goteleport.com/docs/reference/operator-resources/
var hintsSecrets = hintTable{
	{Group: "external-secrets.io"}: {Summary: []string{"Ready"}},
	// A generator is only read by the objects that use it.
	{Group: "generators.external-secrets.io"}: {StatusOptional: true},
	{"bitnami.com", "SealedSecret"}:           {Summary: []string{"Synced"}},
	// Vault Secrets Operator: the last synced generation exists after the first sync.
	{"secrets.hashicorp.com", "VaultStaticSecret"}:  hintVaultSecret,
	{"secrets.hashicorp.com", "VaultDynamicSecret"}: hintVaultSecret,
	{"secrets.hashicorp.com", "VaultPKISecret"}: {
		Required: []string{"status.serialNumber"},
		Observed: "status.lastGeneration",
	},
	{"secrets.hashicorp.com", "HCPVaultSecretsApp"}: hintVaultSecret,
	// Objects that others refer to are validated when they are created.
	{"secrets.hashicorp.com", "VaultAuth"}:            hintVaultValid,
	{"secrets.hashicorp.com", "VaultConnection"}:      hintVaultValid,
	{"secrets.hashicorp.com", "HCPAuth"}:              hintVaultValid,
	{"secrets.hashicorp.com", "SecretTransformation"}: hintVaultValid,
	// SPIRE: it counts the entries that could not be created.
	{"spire.spiffe.io", "ClusterSPIFFEID"}: {
		Required: []string{"status.stats"},
		Errors:   []string{"status.stats.entryFailures", "status.stats.podEntryRenderFailures"},
	},
	{"spire.spiffe.io", "ClusterStaticEntry"}:          {Required: []string{"status.rendered", "status.set"}},
	{"spire.spiffe.io", "ClusterFederatedTrustDomain"}: {StatusOptional: true},
	{"vault.banzaicloud.com", "Vault"}:                 {Required: []string{"status.leader"}},
	{Group: "resources.teleport.dev"}: {
		Summary:       []string{"SuccessfullyReconciled"},
		FailedIfFalse: []string{"TeleportResourceOwned"},
	},
}

var hintVaultSecret = &hint{Required: []string{"status.lastGeneration"}, Observed: "status.lastGeneration"}

var hintVaultValid = &hint{Required: []string{"status.valid"}}
