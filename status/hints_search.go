package status

import "kstatus.dev/status/internal/word"

// ECK: https://www.elastic.co/docs/reference/cloud-on-k8s/api-docs
// OpenSearch: https://github.com/opensearch-project/opensearch-k8s-operator/blob/main/docs/designs/crd.md
// Solr: https://apache.github.io/solr-operator/docs/solr-cloud/solr-cloud-crd.html
// Humio: https://github.com/humio/humio-operator/blob/master/docs/api.md
var hintsSearch = hintTable{
	// Until its nodes answer nothing is known of their health. They are counted
	// in sets.
	{"elasticsearch.k8s.elastic.co", "Elasticsearch"}: {
		Words:  wordTable{"unknown": word.Progressing},
		Counts: []goal{{"status.availableNodes", "spec.nodeSets.*.count"}},
	},
	// Its other kinds are red until one of their nodes is available.
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
	// The nodes that run the version and the settings that are asked for. Without
	// a repository for backups it is not ready for them.
	{"solr.apache.org", "SolrCloud"}: {
		Counts: []goal{{"status.upToDateNodes", "spec.replicas"}},
		Ignore: []string{"backupRestoreReady"},
	},
	// It is over when it is finished, well or not.
	{"solr.apache.org", "SolrBackup"}: {
		Required: []string{"status.finished"},
		States:   []string{"status.successful"},
		Words:    wordTable{"true": word.Ready, "false": word.Failing},
	},
	// What is there already is not made, and left as it is.
	{Group: "opensearch.opster.io"}: {Words: wordTable{"IGNORED": word.Failing}},
	// It runs while its components are restarted one after the other.
	{"opensearch.opster.io", "OpenSearchCluster"}: {
		States: []string{"status.componentsStatus.*.status"},
		Words:  wordTable{"Running": word.Progressing},
	},
}
