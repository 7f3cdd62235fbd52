package status

import "kstatus.dev/status/internal/word"

// KubeBlocks: https://kubeblocks.io/docs/preview/user_docs/references/api-reference/cluster
// Stackable: https://docs.stackable.tech/home/stable/concepts/status/
// Keycloak: https://www.keycloak.org/operator/basic-deployment
// SchemaHero: https://schemahero.io/docs/
// Atlas: https://atlasgo.io/integrations/kubernetes
var hintsPlatforms = hintTable{
	{"databases.schemahero.io", "Database"}: {Required: []string{"status.isConnected"}},
	// Keycloak before Quarkus: its controller reports "reconciling" also for ready objects.
	{Group: "keycloak.org"}: {Words: wordTable{"reconciling": word.Neutral}},
}
