package status

import "kstatus.dev/status/internal/word"

// ClickHouse: https://github.com/Altinity/clickhouse-operator/tree/master/docs
// TiDB: https://github.com/pingcap/tidb-operator/blob/master/docs/api-references/docs.md
// Druid: https://github.com/datainfrahq/druid-operator/blob/master/docs/api_specifications/druid.md
var hintsAnalytics = hintTable{
	// Its errors record past events.
	{"clickhouse.altinity.com", "ClickHouseInstallation"}:              {Ignore: []string{"error", "errors"}},
	{"clickhouse-keeper.altinity.com", "ClickHouseKeeperInstallation"}: {Ignore: []string{"error", "errors"}},
	// The operator reads these when it creates an installation, and reports nothing.
	{"clickhouse.altinity.com", "ClickHouseInstallationTemplate"}:  {StatusOptional: true},
	{"clickhouse.altinity.com", "ClickHouseOperatorConfiguration"}: {StatusOptional: true},
	// Its controller reports nothing before the first scheduled time.
	{"pingcap.com", "BackupSchedule"}:      {StatusOptional: true},
	{"druid.apache.org", "DruidIngestion"}: {Words: wordTable{"True": word.Ready, "False": word.Failing}},
}
