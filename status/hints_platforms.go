package status

// KubeBlocks: https://kubeblocks.io/docs/preview/user_docs/references/api-reference/cluster
// Stackable: https://docs.stackable.tech/home/stable/concepts/status/
// Keycloak: https://www.keycloak.org/operator/basic-deployment
// SchemaHero: https://schemahero.io/docs/
// Atlas: https://atlasgo.io/integrations/kubernetes
var hintsPlatforms = Hints{
	// Its conditions are the steps it has gone through.
	{"operations.kubeblocks.io", "OpsRequest"}: {Finite: True, Ignore: []string{"conditions"}},
	{"apps.kubeblocks.io", "OpsRequest"}:       {Finite: True, Ignore: []string{"conditions"}},
	{"schemas.schemahero.io", "Database"}:      {Required: []string{"status.isConnected"}},
}
