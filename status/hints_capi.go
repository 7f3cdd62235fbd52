package status

// Providers of Cluster API: https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview
//
// By the contract v1beta1 each says status.ready, by v1beta2 what has been done
// in status.initialization; Ready sums it up where it is there. What newer
// controllers write for older readers stands in status.deprecated. Templates and
// identities are only read.
var (
	capiInfrastructure = &hint{Required: []string{"status.ready|status.initialization.provisioned"}, Paused: capiPaused, Ignore: capiPast}
	capiRead           = &hint{Silent: true}
	capiPast           = []string{"deprecated", "v1beta2", "failureDomains"}
)

const capiPaused = "cluster.x-k8s.io/paused"

var hintsCAPI = hintTable{
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Cluster"}:  capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Machine"}:  capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Pool"}:     capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Plane"}:    capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Template"}: capiRead,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Identity"}: capiRead,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Domain"}:   {Silent: true, Paused: capiPaused},
	{Group: "infrastructure.cluster.x-k8s.io"}:                    {Paused: capiPaused, Ignore: capiPast},
	// It hands out addresses, and is no pool of Machines.
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "OpenStackFloatingIPPool"}: {Required: []string{"status.floatingIPNetwork"}, Paused: capiPaused},

	{Group: "controlplane.cluster.x-k8s.io", Kind: "*Template"}: capiRead,
	{Group: "controlplane.cluster.x-k8s.io"}: {
		Required: []string{"status.ready|status.initialization.controlPlaneInitialized"}, Paused: capiPaused, Ignore: capiPast,
	},
	{Group: "bootstrap.cluster.x-k8s.io", Kind: "*Template"}: capiRead,
	{Group: "bootstrap.cluster.x-k8s.io"}: {
		Required: []string{"status.ready|status.initialization.dataSecretCreated"}, Paused: capiPaused, Ignore: capiPast,
	},
	// Pools count their addresses.
	{Group: "ipam.cluster.x-k8s.io", Kind: "*Pool"}: {Silent: true, Paused: capiPaused},
	{Group: "operator.cluster.x-k8s.io"}:            {Summary: []string{"Ready"}},

	// Metal3: https://github.com/metal3-io/baremetal-operator/tree/main/docs
	//
	// Hosts have a rule of their own. Settings of their firmware that differ from
	// those asked for are changed when they are made ready for their next use.
	{Group: "metal3.io"}:      {Silent: true, Neutral: []string{"ChangeDetected"}},
	{Group: "ipam.metal3.io"}: {Silent: true},
}
