package status

// MongoDB: https://www.mongodb.com/docs/kubernetes/current/
// cass-operator and K8ssandra: https://docs.k8ssandra.io/reference/crd/
// Couchbase: https://docs.couchbase.com/operator/current/resource/couchbasecluster.html
var hintsNoSQL = hintTable{
	{"mongodb.com", "MongoDBOpsManager"}: {States: []string{"status.opsManager.phase", "status.applicationDatabase.phase", "status.backup.phase"}},
	// Its condition reports only that it was ready once.
	{"k8ssandra.io", "K8ssandraCluster"}:        {States: []string{"status.datacenters.*.cassandra.cassandraOperatorProgress"}},
	{"reaper.k8ssandra.io", "Reaper"}:           {States: []string{"status.progress"}},
	{"stargate.k8ssandra.io", "Stargate"}:       {States: []string{"status.progress"}},
	{"medusa.k8ssandra.io", "MedusaBackupJob"}:  {Required: []string{"status.finishTime"}, Errors: []string{"status.failed"}},
	{"medusa.k8ssandra.io", "MedusaRestoreJob"}: {Required: []string{"status.finishTime"}, Errors: []string{"status.failed"}},
	{"couchbase.com", "CouchbaseCluster"}: {
		Suspension: []string{"Hibernating"},
		Progress:   []string{"Scaling", "Upgrading"},
		Positive:   []string{"ManageConfig"},
		Neutral:    []string{"AutoscaleReady"},
	},
	// The user creates it once, and it runs repeatedly.
	{"couchbase.com", "CouchbaseBackup"}:        {Finite: conditionFalse},
	{"couchbase.com", "CouchbaseBackupRestore"}: {Required: []string{"status.lastSuccess"}},
}
