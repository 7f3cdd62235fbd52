package status

import "kstatus.dev/status/internal/word"

// Services, their catalogs and what runs applications.
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
	// 3scale has a name of its own for products and backends that are as they are
	// to be, and tells of a tenant by its number only in former versions.
	{Group: "capabilities.3scale.net"}:     {Summary: []string{"Ready"}},
	{"capabilities.3scale.net", "Product"}: {Summary: []string{"Synced"}},
	{"capabilities.3scale.net", "Backend"}: {Summary: []string{"Synced"}},
	{"capabilities.3scale.net", "Tenant"}:  {Required: []string{"status.tenantId", "status.adminId"}},
	// What a broker offers is there without a status.
	{"servicecatalog.k8s.io", "*Instance"}:  {Summary: []string{"Ready"}},
	{"servicecatalog.k8s.io", "*Binding"}:   {Summary: []string{"Ready"}},
	{"servicecatalog.k8s.io", "*Broker"}:    {Summary: []string{"Ready"}},
	{"servicecatalog.k8s.io", "*Class"}:     {Silent: true},
	{"servicecatalog.k8s.io", "*Plan"}:      {Silent: true},
	{"servicebinding.io", "ServiceBinding"}: {Summary: []string{"Ready"}},
	// Many clusters have this kind without the controller that reports on it.
	{"app.k8s.io", "Application"}: {Silent: true},
	// A name may take its time to be found by DNS, whatever the reason; one that
	// nobody can advertise will not be.
	{"proclaim.dogmatiq.io", "DNSSDServiceInstance"}: {
		Summary: []string{"Discoverable"},
		Patient: []string{"Discoverable"},
		Strict:  []string{"Adopted"},
	},
	// A name that is not available is taken.
	{"iammanager.keikoproj.io", "Iamrole"}: {Words: wordTable{"RoleNameNotAvailable": word.Failing}},
	{"jenkins.io", "Jenkins"}: {
		Required: []string{"status.baseConfigurationCompletedTime", "status.userConfigurationCompletedTime"},
	},
	// Tyk tells how the last change went; what is a template only is never put into it.
	{Group: "tyk.tyk.io"}: {
		States: []string{"status.latestTransaction.status"},
		Words:  wordTable{"IngressTemplate": word.Ready},
	},
	// How applications are to be run is only looked at by them.
	{"core.spinkube.dev", "SpinAppExecutor"}: {Silent: true},
	{Group: "dapr.io"}:                       {Silent: true},
}
