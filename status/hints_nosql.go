package status

// MongoDB: https://www.mongodb.com/docs/kubernetes/current/
// cass-operator and K8ssandra: https://docs.k8ssandra.io/reference/crd/
// ClickHouse: https://github.com/Altinity/clickhouse-operator/tree/master/docs
// Couchbase: https://docs.couchbase.com/operator/current/resource/couchbasecluster.html
// TiDB: https://github.com/pingcap/tidb-operator/blob/master/docs/api-references/docs.md
// Druid: https://github.com/datainfrahq/druid-operator/blob/master/docs/api_specifications/druid.md
var hintsNoSQL = Hints{
	{"mongodb.com", "MongoDBOpsManager"}: {States: []string{"status.opsManager.phase", "status.applicationDatabase.phase", "status.backup.phase"}},
	// Its condition only says that it was there once.
	{"k8ssandra.io", "K8ssandraCluster"}:        {States: []string{"status.datacenters.*.cassandra.cassandraOperatorProgress"}},
	{"reaper.k8ssandra.io", "Reaper"}:           {States: []string{"status.progress"}},
	{"stargate.k8ssandra.io", "Stargate"}:       {States: []string{"status.progress"}},
	{"medusa.k8ssandra.io", "MedusaBackupJob"}:  {Required: []string{"status.finishTime"}, Errors: []string{"status.failed"}},
	{"medusa.k8ssandra.io", "MedusaRestoreJob"}: {Required: []string{"status.finishTime"}, Errors: []string{"status.failed"}},
	// Its errors are a record of the past.
	{"clickhouse.altinity.com", "ClickHouseInstallation"}:              {Ignore: []string{"error", "errors"}},
	{"clickhouse-keeper.altinity.com", "ClickHouseKeeperInstallation"}: {Ignore: []string{"error", "errors"}},
	{"couchbase.com", "CouchbaseCluster"}: {
		Idle:    []ConditionType{"Hibernating"},
		Busy:    []ConditionType{"Scaling", "Upgrading"},
		Good:    []ConditionType{"ManageConfig"},
		Neutral: []ConditionType{"AutoscaleReady"},
	},
	// It is asked for once, and made again and again.
	{"couchbase.com", "CouchbaseBackup"}:        {Finite: False},
	{"couchbase.com", "CouchbaseBackupRestore"}: {Required: []string{"status.lastSuccess"}},
	// What is unhealthy while it starts is not there yet.
	{"pingcap.com", "TidbCluster"}: {Patient: []ConditionType{"Ready"}},
	{"druid.apache.org", "Druid"}:  {States: []string{"status.druidNodeStatus.druidNodeConditionType"}, Words: Words{"DruidNodeRollingUpdate": busy}},
}
