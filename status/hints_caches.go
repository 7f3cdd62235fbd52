package status

import "kstatus.dev/status/internal/word"

// OT-Container-Kit: https://ot-redis-operator.netlify.app/docs/
// Redis Enterprise: https://redis.io/docs/latest/operate/kubernetes/reference/api/
// Dragonfly: https://www.dragonflydb.io/docs/managing-dragonfly/operator
// Hazelcast: https://docs.hazelcast.com/operator/latest/api-ref
// Infinispan: https://infinispan.org/docs/infinispan-operator/main/operator.html
var hintsCaches = hintTable{
	{"redis.redis.opstreelabs.in", "RedisReplication"}: {Required: []string{"status.masterNode"}},
	{"app.redislabs.com", "RedisEnterpriseCluster"}:    {Words: wordTable{"RecoveryReset": word.Progressing}},
	// The operator creates the resources before anything runs.
	{"dragonflydb.io", "Dragonfly"}: {Words: wordTable{"resources-created": word.Progressing, "resources-updated": word.Progressing}},
	// WellFormed is True when the members see each other.
	{"infinispan.org", "Infinispan"}: {
		Summary:    []string{"WellFormed"},
		Progress:   []string{"Upgrade"},
		Suspension: []string{"GracefulShutdown"},
	},
	{"infinispan.org", "Batch"}: {Finite: conditionTrue},
}
