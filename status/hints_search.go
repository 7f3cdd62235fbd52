package status

import "kstatus.dev/status/internal/word"

// ECK: https://www.elastic.co/docs/reference/cloud-on-k8s/api-docs
// OpenSearch: https://github.com/opensearch-project/opensearch-k8s-operator/blob/main/docs/designs/crd.md
// Solr: https://apache.github.io/solr-operator/docs/solr-cloud/solr-cloud-crd.html
// Humio: https://github.com/humio/humio-operator/blob/master/docs/api.md
var hintsSearch = hintTable{
	// Before its nodes respond, their health is unknown. The nodes are counted per set.
	{"elasticsearch.k8s.elastic.co", "Elasticsearch"}: {
		Words:  wordTable{"unknown": word.Progressing},
		Counts: []goal{{"status.availableNodes", "spec.nodeSets.*.count"}},
	},
	// The other kinds are red until one of their nodes is available.
	{Group: "*.k8s.elastic.co"}: {Words: wordTable{"red": word.Progressing}},
	{"kibana.k8s.elastic.co", "Kibana"}: {
		Words: wordTable{"red": word.Progressing}, Counts: []goal{{"status.availableNodes", "spec.count"}},
	},
	{"apm.k8s.elastic.co", "ApmServer"}: {
		Words: wordTable{"red": word.Progressing}, Counts: []goal{{"status.availableNodes", "spec.count"}},
	},
	{"enterprisesearch.k8s.elastic.co", "EnterpriseSearch"}: {
		Words: wordTable{"red": word.Progressing}, Counts: []goal{{"status.availableNodes", "spec.count"}},
	},
	{"maps.k8s.elastic.co", "ElasticMapsServer"}: {
		Words: wordTable{"red": word.Progressing}, Counts: []goal{{"status.availableNodes", "spec.count"}},
	},
	// The counts of nodes with the requested version and settings. Without a backup repository, it
	// is not ready for backups.
	{"solr.apache.org", "SolrCloud"}: {
		Counts: []goal{{"status.upToDateNodes", "spec.replicas"}},
		Ignore: []string{"backupRestoreReady"},
	},
	// finished is set with success or not.
	{"solr.apache.org", "SolrBackup"}: {
		Required: []string{"status.finished"},
		States:   []string{"status.successful"},
		Words:    wordTable{"true": word.Ready, "false": word.Failing},
	},
	// An object that already exists in the cluster is ignored and stays as it is.
	{Group: "opensearch.opster.io"}: {Words: wordTable{"IGNORED": word.Failing}},
	// Running is the status of a rolling restart of its components.
	{"opensearch.opster.io", "OpenSearchCluster"}: {
		States: []string{"status.componentsStatus.*.status"},
		Words:  wordTable{"Running": word.Progressing},
	},
}
