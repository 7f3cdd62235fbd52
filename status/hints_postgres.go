package status

import "kstatus.dev/status/internal/word"

// CloudNativePG: https://cloudnative-pg.io/docs/current/cloudnative-pg.v1/
// Zalando's operator: https://postgres-operator.readthedocs.io/en/latest/reference/cluster_manifest/
// Crunchy's: https://access.crunchydata.com/documentation/postgres-operator/latest/references/crd
// StackGres: https://stackgres.io/doc/latest/reference/crd/
var hintsPostgres = hintTable{
	// Its condition hibernation is False while its pods are deleted, and absent if hibernation was
	// not requested.
	{"postgresql.cnpg.io", "Cluster"}: {
		Suspension: []string{"cnpg.io/hibernation"},
		Words:      wordTable{"Not enough disk space": word.Failing},
	},
	{"postgresql.k8s.enterprisedb.io", "Cluster"}: {
		Suspension: []string{"k8s.enterprisedb.io/hibernation"},
		Words:      wordTable{"Not enough disk space": word.Failing},
	},
	{"postgresql.cnpg.io", "Pooler"}:             {Counts: []goal{{"status.instances", "spec.instances"}}},
	{"postgresql.k8s.enterprisedb.io", "Pooler"}: {Counts: []goal{{"status.instances", "spec.instances"}}},
	// Its conditions are about backups and proxies. Patroni reports an identifier when the database
	// exists; the instances are counted per set.
	{"postgres-operator.crunchydata.com", "PostgresCluster"}: {
		Required: []string{"status.patroni.systemIdentifier"},
		Counts: []goal{
			{"status.instances.*.readyReplicas", "status.instances.*.replicas"},
			{"status.instances.*.updatedReplicas", "status.instances.*.replicas"},
		},
		Suspend: []string{"spec.paused", "spec.shutdown"},
	},
	{"postgres-operator.crunchydata.com", "PGUpgrade"}: {Summary: []string{"Succeeded"}},
	// A pending restart or upgrade waits for a user to create an SGDbOps. The cluster serves until
	// then.
	{"stackgres.io", "SGCluster"}: {
		Summary: []string{"Bootstrapped"},
		Neutral: []string{"PendingRestart", "PendingUpgrade"},
	},
	{"stackgres.io", "SGShardedCluster"}: {
		Summary: []string{"Bootstrapped"},
		Neutral: []string{"PendingRestart", "PendingUpgrade"},
	},
	{"stackgres.io", "SGDbOps"}: {
		Summary:  []string{"Completed"},
		Progress: []string{"Running"},
	},
	{"stackgres.io", "SGBackup"}: {States: []string{"status.process.status"}},
}
