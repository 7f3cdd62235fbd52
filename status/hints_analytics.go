package status

import "kstatus.dev/status/internal/word"

// ClickHouse: https://github.com/Altinity/clickhouse-operator/tree/master/docs
// TiDB: https://github.com/pingcap/tidb-operator/blob/master/docs/api-references/docs.md
// Druid: https://github.com/datainfrahq/druid-operator/blob/master/docs/api_specifications/druid.md
var hintsAnalytics = hintTable{
	// Its errors are a record of the past.
	{"clickhouse.altinity.com", "ClickHouseInstallation"}:              {Ignore: []string{"error", "errors"}},
	{"clickhouse-keeper.altinity.com", "ClickHouseKeeperInstallation"}: {Ignore: []string{"error", "errors"}},
	// These are read when an installation is made, and report nothing.
	{"clickhouse.altinity.com", "ClickHouseInstallationTemplate"}:  {Silent: true},
	{"clickhouse.altinity.com", "ClickHouseOperatorConfiguration"}: {Silent: true},
	// It reports nothing before it has been due for the first time.
	{"pingcap.com", "BackupSchedule"}:      {Silent: true},
	{"druid.apache.org", "DruidIngestion"}: {Words: wordTable{"True": word.Ready, "False": word.Failing}},
}
