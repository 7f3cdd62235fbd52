package status

import "kstatus.dev/status/internal/word"

// Services, service catalogs and application platforms.
//
// 3scale: https://github.com/3scale/3scale-operator/tree/master/doc
// Service Catalog: https://github.com/kubernetes-retired/service-catalog
// Service Binding: https://servicebinding.io/spec/core/1.1.0/
// Application: https://github.com/kubernetes-sigs/application
// Proclaim: https://github.com/dogmatiq/proclaim
// iam-manager: https://github.com/keikoproj/iam-manager
// Jenkins: https://jenkinsci.github.io/kubernetes-operator/docs/
// Tyk: https://tyk.io/docs/tyk-operator/
// SpinKube: https://www.spinkube.dev/docs/reference/
// Dapr: https://docs.dapr.io/reference/resource-specs/
var hintsServices = hintTable{
	{"apps.3scale.net", "APIManager"}: {Summary: []string{"Available"}},
	{"apps.3scale.net", "APIcast"}:    {Summary: []string{"Ready"}},
	// 3scale uses the condition Synced for products and backends. For a tenant only former versions
	// report, and only its number.
	{Group: "capabilities.3scale.net"}:     {Summary: []string{"Ready"}},
	{"capabilities.3scale.net", "Product"}: {Summary: []string{"Synced"}},
	{"capabilities.3scale.net", "Backend"}: {Summary: []string{"Synced"}},
	{"capabilities.3scale.net", "Tenant"}:  {Required: []string{"status.tenantId", "status.adminId"}},
	// The offers of a broker have no status.
	{"servicecatalog.k8s.io", "*Instance"}:  {Summary: []string{"Ready"}},
	{"servicecatalog.k8s.io", "*Binding"}:   {Summary: []string{"Ready"}},
	{"servicecatalog.k8s.io", "*Broker"}:    {Summary: []string{"Ready"}},
	{"servicecatalog.k8s.io", "*Class"}:     {StatusOptional: true},
	{"servicecatalog.k8s.io", "*Plan"}:      {StatusOptional: true},
	{"servicebinding.io", "ServiceBinding"}: {Summary: []string{"Ready"}},
	// Many clusters have this kind, but not the controller that reports on it.
	{"app.k8s.io", "Application"}: {StatusOptional: true},
	// DNS discovery of a name may take time, whatever the reason. A name that cannot be advertised
	// is not discovered.
	{"proclaim.dogmatiq.io", "DNSSDServiceInstance"}: {
		Summary:         []string{"Discoverable"},
		ProgressIfFalse: []string{"Discoverable"},
		FailedIfFalse:   []string{"Adopted"},
	},
	// RoleNameNotAvailable means that another role has the name.
	{"iammanager.keikoproj.io", "Iamrole"}: {Words: wordTable{"RoleNameNotAvailable": word.Failing}},
	{"jenkins.io", "Jenkins"}: {
		Required: []string{"status.baseConfigurationCompletedTime", "status.userConfigurationCompletedTime"},
	},
	// Tyk reports the result of the last change; templates are never sent to it.
	{Group: "tyk.tyk.io"}: {
		States: []string{"status.latestTransaction.status"},
		Words:  wordTable{"IngressTemplate": word.Ready},
	},
	// Settings that only applications read.
	{"core.spinkube.dev", "SpinAppExecutor"}: {StatusOptional: true},
	{Group: "dapr.io"}:                       {StatusOptional: true},
}
