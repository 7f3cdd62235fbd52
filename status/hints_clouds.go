package status

// Resources in the clouds of Amazon, Microsoft, Google and SAP.
var hintsClouds = hintTable{
	// AWS Controllers for Kubernetes: https://aws-controllers-k8s.github.io/docs/guides/conditions/
	//
	// Ready is the newer name of ACK.ResourceSynced. False means that the resource does not match
	// the spec yet. Errors have conditions of their own: ACK.Terminal until the spec changes,
	// ACK.Recoverable while the controller retries.
	{Group: "*.services.k8s.aws"}: {
		Summary:         []string{"ACK.ResourceSynced|Ready"},
		ProgressIfFalse: []string{"ACK.ResourceSynced", "Ready"},
		Negative:        []string{"ACK.Terminal", "ACK.Recoverable"},
		Neutral:         []string{"ACK.Advisory"},
	},
	// It reports whether the named resource was adopted, and has nothing to sync.
	{Group: "services.k8s.aws", Kind: "AdoptedResource"}: {
		Summary: []string{"ACK.Adopted"}, Negative: []string{"ACK.Terminal", "ACK.Recoverable"},
	},
	// It reports only problems.
	{Group: "services.k8s.aws", Kind: "FieldExport"}: {StatusOptional: true, Negative: []string{"ACK.Terminal", "ACK.Recoverable"}},
	{Group: "services.k8s.aws"}:                      {StatusOptional: true},

	// Azure Service Operator: https://azure.github.io/azure-service-operator/guide/conditions/
	//
	// Every resource has Ready, whose severity distinguishes progress, retried errors and terminal
	// errors.
	{Group: "*.azure.com"}: {Summary: []string{"Ready"}},
	// Fleet's objects have a condition for each step, and no Ready.
	{Group: "networking.fleet.azure.com"}: {},
	// Karpenter's provider for Azure.
	{Group: "karpenter.azure.com"}: {Summary: []string{"Ready"}},

	// Config Connector: https://cloud.google.com/config-connector/docs/concepts/resources
	{Group: "*.cnrm.cloud.google.com"}: {Summary: []string{"Ready"}},
	// The operator reports only healthy and errors, for itself and for each namespace. Some
	// versions leave the observed generation at 0 (issues 5082 and 7317 of k8s-config-connector).
	{Group: "core.cnrm.cloud.google.com"}:           {Required: []string{"status.healthy|status.errors"}, IgnoreObservedZero: true},
	{Group: "customize.core.cnrm.cloud.google.com"}: {StatusOptional: true, IgnoreObservedZero: true},

	// Google Kubernetes Engine: https://cloud.google.com/kubernetes-engine/docs/how-to/managed-certs
	{Group: "networking.gke.io", Kind: "ManagedCertificate"}: {Required: []string{"status.certificateStatus"}},
	// Configurations that other objects refer to.
	{Group: "cloud.google.com", Kind: "*Config"}:  {StatusOptional: true},
	{Group: "networking.gke.io", Kind: "*Config"}: {StatusOptional: true},
	{Group: "networking.gke.io", Kind: "*Policy"}: {StatusOptional: true},

	// Health reports whether its definition is valid.
	{Group: "cloud.google.com", Kind: "ComputeClass"}: {StatusOptional: true, Positive: []string{"Health"}},

	// Config Sync:
	// https://cloud.google.com/kubernetes-engine/config-sync/docs/reference/rootsync-reposync-fields
	//
	// Syncing is True while a commit is applied to the cluster. The errors are beside it, in the
	// section of the status of the failed step.
	{Group: "configsync.gke.io", Kind: "RootSync"}: configSync,
	{Group: "configsync.gke.io", Kind: "RepoSync"}: configSync,

	// AWS Load Balancer Controller: https://kubernetes-sigs.github.io/aws-load-balancer-controller/
	{Group: "elbv2.k8s.aws", Kind: "IngressClassParams"}: {StatusOptional: true},
	{Group: "gateway.k8s.aws", Kind: "*Configuration"}:   {StatusOptional: true},
	// Configurations that the nodes and Pods of Amazon's clusters read.
	{Group: "eks.amazonaws.com", Kind: "NodeClass"}: {Summary: []string{"Ready"}},
	{Group: "crd.k8s.amazonaws.com"}:                {StatusOptional: true},
	{Group: "vpcresources.k8s.aws"}:                 {StatusOptional: true},
	{Group: "networking.k8s.aws"}:                   {StatusOptional: true},

	// SAP BTP service operator: https://github.com/SAP/sap-btp-service-operator
	//
	// Ready means that the resource exists, Succeeded that its last operation succeeded.
	{Group: "services.cloud.sap.com"}: {Summary: []string{"Ready", "Succeeded"}},
}

var configSync = &hint{
	Required: []string{"status.sync.commit"}, Progress: []string{"Syncing"},
	Errors: []string{"status.source.errors", "status.rendering.errors", "status.sync.errors"},
}
