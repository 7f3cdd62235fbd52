package status

// What stands for things in the clouds of Amazon, Microsoft, Google and SAP.
var hintsClouds = hintTable{
	// AWS Controllers for Kubernetes: https://aws-controllers-k8s.github.io/docs/guides/conditions/
	//
	// Ready is the newer name of ACK.ResourceSynced. False says that the resource
	// is not as asked yet; errors have conditions of their own: ACK.Terminal until
	// the spec is changed, ACK.Recoverable while the controller tries again.
	{Group: "*.services.k8s.aws"}: {
		Summary:  []string{"ACK.ResourceSynced|Ready"},
		Patient:  []string{"ACK.ResourceSynced", "Ready"},
		Negative: []string{"ACK.Terminal", "ACK.Recoverable"},
		Neutral:  []string{"ACK.Advisory"},
	},
	// It says whether it has adopted what it names, and has nothing to be synced.
	{Group: "services.k8s.aws", Kind: "AdoptedResource"}: {
		Summary: []string{"ACK.Adopted"}, Negative: []string{"ACK.Terminal", "ACK.Recoverable"},
	},
	// It says only what is wrong.
	{Group: "services.k8s.aws", Kind: "FieldExport"}: {Silent: true, Negative: []string{"ACK.Terminal", "ACK.Recoverable"}},
	{Group: "services.k8s.aws"}:                      {Silent: true},

	// Azure Service Operator: https://azure.github.io/azure-service-operator/guide/conditions/
	//
	// Every resource has Ready, with a severity that tells work, trouble and what
	// was given up from each other.
	{Group: "*.azure.com"}: {Summary: []string{"Ready"}},
	// Karpenter's provider for Azure.
	{Group: "karpenter.azure.com"}: {Summary: []string{"Ready"}},

	// Config Connector: https://cloud.google.com/config-connector/docs/concepts/resources
	{Group: "*.cnrm.cloud.google.com"}: {Summary: []string{"Ready"}},
	// Its operator says of itself and of each namespace only healthy and errors, and
	// in some versions leaves the observed generation at 0 (issues 5082 and 7317 of
	// k8s-config-connector).
	{Group: "core.cnrm.cloud.google.com"}:           {Required: []string{"status.healthy|status.errors"}, Zero: true},
	{Group: "customize.core.cnrm.cloud.google.com"}: {Silent: true, Zero: true},

	// Google Kubernetes Engine: https://cloud.google.com/kubernetes-engine/docs/how-to/managed-certs
	{Group: "networking.gke.io", Kind: "ManagedCertificate"}: {Required: []string{"status.certificateStatus"}},
	// Configurations that others refer to.
	{Group: "cloud.google.com", Kind: "*Config"}:  {Silent: true},
	{Group: "networking.gke.io", Kind: "*Config"}: {Silent: true},
	{Group: "networking.gke.io", Kind: "*Policy"}: {Silent: true},

	// Health says that its definition is healthy.
	{Group: "cloud.google.com", Kind: "ComputeClass"}: {Silent: true, Positive: []string{"Health"}},

	// Config Sync: https://cloud.google.com/kubernetes-engine/config-sync/docs/reference/rootsync-reposync-fields
	//
	// Syncing is True while a commit is brought to the cluster; its errors stand
	// beside it, in the part of the status where they happened.
	{Group: "configsync.gke.io", Kind: "RootSync"}: configSync,
	{Group: "configsync.gke.io", Kind: "RepoSync"}: configSync,

	// AWS Load Balancer Controller: https://kubernetes-sigs.github.io/aws-load-balancer-controller/
	{Group: "elbv2.k8s.aws", Kind: "IngressClassParams"}: {Silent: true},
	{Group: "gateway.k8s.aws", Kind: "*Configuration"}:   {Silent: true},
	// What the nodes and pods of Amazon's clusters read.
	{Group: "eks.amazonaws.com", Kind: "NodeClass"}: {Summary: []string{"Ready"}},
	{Group: "crd.k8s.amazonaws.com"}:                {Silent: true},
	{Group: "vpcresources.k8s.aws"}:                 {Silent: true},
	{Group: "networking.k8s.aws"}:                   {Silent: true},

	// SAP BTP service operator: https://github.com/SAP/sap-btp-service-operator
	//
	// Ready says that it is there, Succeeded that the last thing asked of it was done.
	{Group: "services.cloud.sap.com"}: {Summary: []string{"Ready", "Succeeded"}},
}

var configSync = &hint{
	Required: []string{"status.sync.commit"}, Progress: []string{"Syncing"},
	Errors: []string{"status.source.errors", "status.rendering.errors", "status.sync.errors"},
}
