package status

import "kstatus.dev/status/internal/word"

// Providers of Cluster API:
// https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview
//
// In the contract v1beta1 each kind reports status.ready, in v1beta2 the completed steps in
// status.initialization. Ready is the summary if it exists. status.deprecated holds what newer
// controllers write for older readers. Templates and identities are only read.
var (
	capiInfrastructure = &hint{Required: []string{"status.ready|status.initialization.provisioned"}, Paused: capiPaused, Ignore: capiPast}
	capiRead           = &hint{StatusOptional: true}
	capiPast           = []string{"deprecated", "v1beta2", "failureDomains"}
)

// The states of a server of OpenStack:
// https://docs.openstack.org/api-guide/compute/server_concepts.html
var openStackStates = wordTable{
	"ACTIVE": word.Ready, "ERROR": word.Failing, "DELETED": word.Failing, "SOFT_DELETED": word.Failing,
	"BUILD": word.Progressing, "SHUTOFF": word.Progressing, "STOPPED": word.Progressing, "PAUSED": word.Progressing, "SUSPENDED": word.Progressing,
	"SHELVED": word.Progressing, "SHELVED_OFFLOADED": word.Progressing, "RESCUE": word.Progressing, "REBOOT": word.Progressing, "HARD_REBOOT": word.Progressing,
	"REBUILD": word.Progressing, "MIGRATING": word.Progressing, "RESIZE": word.Progressing, "VERIFY_RESIZE": word.Progressing, "REVERT_RESIZE": word.Progressing,
	"PASSWORD": word.Progressing, "UNKNOWN": word.Progressing,
}

const capiPaused = "cluster.x-k8s.io/paused"

var hintsCAPI = hintTable{
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Cluster"}:  capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Machine"}:  capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Pool"}:     capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Plane"}:    capiInfrastructure,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Template"}: capiRead,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Identity"}: capiRead,
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "*Domain"}:   {StatusOptional: true, Paused: capiPaused},
	{Group: "infrastructure.cluster.x-k8s.io"}:                    {Paused: capiPaused, Ignore: capiPast},
	// https://github.com/kubernetes-sigs/cluster-api-provider-openstack/tree/main/api
	//
	// Ready of a Cluster or Machine may stay True while the credentials are rejected. A Machine may be
	// Ready before it is a member of the load balancer.
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "OpenStackCluster"}: {
		Required: capiInfrastructure.Required, Paused: capiPaused, Ignore: capiPast,
		OptionalSummary: []string{"OpenStackAuthenticationSucceeded", "APIEndpointReady"},
	},
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "OpenStackMachine"}: {
		Required: capiInfrastructure.Required, Paused: capiPaused, Ignore: capiPast,
		OptionalSummary: []string{"OpenStackAuthenticationSucceeded", "APIServerIngressReady"},
		States:          []string{"status.instanceState"}, Words: openStackStates,
	},
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "OpenStackServer"}: {
		Required: []string{"status.instanceState"}, Paused: capiPaused, Ignore: capiPast,
		OptionalSummary: []string{"OpenStackAuthenticationSucceeded", "FloatingAddressFromPoolReady"},
		States:          []string{"status.instanceState"}, Words: openStackStates,
	},
	// A pool of addresses, not of Machines.
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "OpenStackFloatingIPPool"}: {Required: []string{"status.floatingIPNetwork"}, Paused: capiPaused},

	{Group: "controlplane.cluster.x-k8s.io", Kind: "*Template"}: capiRead,
	{Group: "controlplane.cluster.x-k8s.io"}: {
		Required: []string{"status.ready|status.initialization.controlPlaneInitialized"}, Paused: capiPaused, Ignore: capiPast,
	},
	{Group: "bootstrap.cluster.x-k8s.io", Kind: "*Template"}: capiRead,
	{Group: "bootstrap.cluster.x-k8s.io"}: {
		Required: []string{"status.ready|status.initialization.dataSecretCreated"}, Paused: capiPaused, Ignore: capiPast,
	},
	// Pools only count their addresses.
	{Group: "ipam.cluster.x-k8s.io", Kind: "*Pool"}: {StatusOptional: true, Paused: capiPaused},
	{Group: "operator.cluster.x-k8s.io"}:            {Summary: []string{"Ready"}},

	// Metal3: https://github.com/metal3-io/baremetal-operator/tree/main/docs
	//
	// Hosts have a rule. Firmware settings that differ from the spec are applied when a host is
	// prepared for its next use.
	{Group: "metal3.io"}:      {StatusOptional: true, Neutral: []string{"ChangeDetected"}},
	{Group: "ipam.metal3.io"}: {StatusOptional: true},
}
