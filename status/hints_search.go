package status

// ECK: https://www.elastic.co/docs/reference/cloud-on-k8s/api-docs
// OpenSearch: https://github.com/opensearch-project/opensearch-k8s-operator/blob/main/docs/designs/crd.md
// Solr: https://apache.github.io/solr-operator/docs/solr-cloud/solr-cloud-crd.html
// Humio: https://github.com/humio/humio-operator/blob/master/docs/api.md
var hintsSearch = Hints{
	// Until its nodes answer nothing is known of their health. They are counted
	// in sets.
	{"elasticsearch.k8s.elastic.co", "Elasticsearch"}: {
		Words:  Words{"unknown": busy},
		Counts: []Count{{"status.availableNodes", "spec.nodeSets.*.count"}},
	},
	// Its other kinds are red until one of their nodes is available.
	{Group: "*.k8s.elastic.co"}: {Words: Words{"red": busy}},
	{"kibana.k8s.elastic.co", "Kibana"}: {
		Words: Words{"red": busy}, Counts: []Count{{"status.availableNodes", "spec.count"}},
	},
	{"apm.k8s.elastic.co", "ApmServer"}: {
		Words: Words{"red": busy}, Counts: []Count{{"status.availableNodes", "spec.count"}},
	},
	{"enterprisesearch.k8s.elastic.co", "EnterpriseSearch"}: {
		Words: Words{"red": busy}, Counts: []Count{{"status.availableNodes", "spec.count"}},
	},
	{"maps.k8s.elastic.co", "ElasticMapsServer"}: {
		Words: Words{"red": busy}, Counts: []Count{{"status.availableNodes", "spec.count"}},
	},
	// The nodes that run the version and the settings that are asked for. Without
	// a repository for backups it is not ready for them.
	{"solr.apache.org", "SolrCloud"}: {
		Counts: []Count{{"status.upToDateNodes", "spec.replicas"}},
		Ignore: []string{"backupRestoreReady"},
	},
	// It is over when it is finished, well or not.
	{"solr.apache.org", "SolrBackup"}: {
		Required: []string{"status.finished"},
		States:   []string{"status.successful"},
		Words:    Words{"true": good, "false": bad},
	},
	// What is there already is not made, and left as it is.
	{Group: "opensearch.opster.io"}: {Words: Words{"IGNORED": bad}},
	// It runs while its components are restarted one after the other.
	{"opensearch.opster.io", "OpenSearchCluster"}: {
		States: []string{"status.componentsStatus.*.status"},
		Words:  Words{"Running": busy},
	},
}
