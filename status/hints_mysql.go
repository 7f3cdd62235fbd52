package status

import "kstatus.dev/status/internal/word"

// MariaDB's operator: https://github.com/mariadb-operator/mariadb-operator/blob/main/docs/api_reference.md
// Oracle's: https://dev.mysql.com/doc/mysql-operator/en/mysql-operator-properties.html
// MOCO: https://cybozu-go.github.io/moco/crd_mysqlcluster_v1beta2.html
// Vitess: https://github.com/planetscale/vitess-operator/blob/main/docs/api.md
var hintsMySQL = hintTable{
	// With a schedule the object is ready when its CronJob exists.
	{"k8s.mariadb.com", "Backup"}:         {NormalReasons: []string{"CronJobScheduled", "CronJobRunning"}},
	{"k8s.mariadb.com", "PhysicalBackup"}: {NormalReasons: []string{"CronJobScheduled", "CronJobRunning"}},
	{"k8s.mariadb.com", "SqlJob"}:         {NormalReasons: []string{"CronJobScheduled", "CronJobRunning"}},
	// The words are states of an InnoDB Cluster; each instance that is not online counts against
	// it.
	{"mysql.oracle.com", "InnoDBCluster"}: {
		States: []string{"status.cluster.status"},
		Words:  wordTable{"NO_QUORUM": word.Failing, "SPLIT_BRAIN": word.Failing},
		Counts: []goal{{"status.cluster.onlineInstances", "spec.instances"}},
	},
	{"moco.cybozu.com", "MySQLCluster"}: {Observed: "status.reconcileInfo.generation"},
	// It reports booleans as the words True, False and Unknown.
	{"planetscale.com", "VitessCluster"}: {
		States:   []string{"status.cells.*.gatewayAvailable"},
		Words:    wordTable{"True": word.Ready, "False": word.Progressing},
		Counts:   []goal{{"status.keyspaces.*.readyTablets", "status.keyspaces.*.desiredTablets"}},
		Required: []string{"status.cells"},
	},
	{"planetscale.com", "VitessShard"}: {
		States: []string{"status.hasMaster", "status.servingWrites"},
		Words:  wordTable{"True": word.Ready, "False": word.Progressing},
	},
}
