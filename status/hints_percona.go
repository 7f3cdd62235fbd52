package status

import "kstatus.dev/status/internal/word"

// Percona: https://docs.percona.com/percona-operator-for-mongodb/operator.html
//
// The conditions of a cluster record past events: a type may occur many times, and no entry is
// removed. The state decides.
var hintsPercona = hintTable{
	{"psmdb.percona.com", "PerconaServerMongoDB"}: {Ignore: []string{"conditions"}},
	{"pxc.percona.com", "PerconaXtraDBCluster"}:   {Ignore: []string{"conditions"}},
	// A backup is suspended until its cluster is ready.
	{"pxc.percona.com", "PerconaXtraDBClusterBackup"}: {Words: wordTable{"Suspended": word.Progressing}},
	{"pgv2.percona.com", "PerconaPGCluster"}:          {Ignore: []string{"conditions"}},
}
