package status

import "kstatus.dev/status/internal/word"

// Provisioners of nodes, networks and devices.
var hintsNodes = hintTable{
	// Karpenter: https://karpenter.sh/docs/concepts/disruption/
	//
	// Ready is the summary. Drifted, Empty and Consolidatable report what Karpenter may do with the
	// node next.
	{Group: "karpenter.sh"}: {
		Summary: []string{"Ready"},
		Neutral: []string{"Drifted", "Expired", "Empty", "Consolidatable", "NodeRegistrationHealthy", "DisruptionReason"},
	},
	{Group: "karpenter.sh", Kind: "Provisioner"}: {StatusOptional: true},
	{Group: "karpenter.k8s.aws"}:                 {Summary: []string{"Ready"}},

	// SR-IOV network operator: https://github.com/k8snetworkplumbingwg/sriov-network-operator
	{Group: "sriovnetwork.openshift.io", Kind: "SriovNetworkNodeState"}: {
		Required: []string{"status.syncStatus"}, Errors: []string{"status.lastSyncError"},
		Ignore: []string{"interfaces", "bridges", "system"},
	},
	{Group: "sriovnetwork.openshift.io"}: {StatusOptional: true},

	// MetalLB: https://metallb.io/apis/
	{Group: "metallb.io"}:        {StatusOptional: true},
	{Group: "frrk8s.metallb.io"}: {StatusOptional: true},

	// Cilium: https://docs.cilium.io/en/stable/network/
	//
	// The conditions of a pool have counts of addresses in their messages. For kinds that are only
	// read, the agents and the operator report problems only.
	{Group: "cilium.io", Kind: "CiliumEndpoint"}: {
		Required: []string{"status.state"}, Words: wordTable{"restoring": word.Progressing, "disconnected": word.Progressing, "disconnecting": word.Progressing},
		Ignore: []string{"policy", "health", "controllers", "log"},
	},
	{Group: "cilium.io"}: {
		StatusOptional: true, FailedIfFalse: []string{"Valid"}, Negative: []string{"cilium.io/NoMatchingNode", "cilium.io/PoolConflict"},
		Neutral: []string{"cilium.io/IPsTotal", "cilium.io/IPsAvailable", "cilium.io/IPsUsed"},
	},

	// Calico: https://docs.tigera.io/calico/latest/reference/
	{Group: "operator.tigera.io", Kind: "TigeraStatus"}: {Summary: []string{"Available"}},
	{Group: "operator.tigera.io", Kind: "ImageSet"}:     {StatusOptional: true},
	{Group: "crd.projectcalico.org"}:                    {StatusOptional: true},
	{Group: "projectcalico.org"}:                        {StatusOptional: true},

	// Node Feature Discovery: https://kubernetes-sigs.github.io/node-feature-discovery/
	{Group: "nfd.k8s-sigs.io"}: {StatusOptional: true},

	// NVIDIA GPU operator: https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/
	//
	// All policies except the first are ignored. Error explains why Ready is False, which may
	// resolve with time.
	{Group: "nvidia.com", Kind: "ClusterPolicy"}: {
		Required: []string{"status.state"}, ProgressIfFalse: []string{"Ready"}, Words: wordTable{"ignored": word.Failing},
	},
	{Group: "nvidia.com", Kind: "NVIDIADriver"}: {
		Required: []string{"status.state"}, ProgressIfFalse: []string{"Ready"}, Words: wordTable{"ignored": word.Failing},
	},

	// Trident: https://docs.netapp.com/us-en/trident/
	//
	// The conditions of a mirror relationship have a state instead of a type.
	{Group: "trident.netapp.io", Kind: "TridentOrchestrator"}: {
		Required: []string{"status.status"}, Ignore: []string{"currentInstallationParams"}, Words: wordTable{"Uninstalled": word.Progressing},
	},
	{Group: "trident.netapp.io", Kind: "TridentMirrorRelationship"}: {
		Required: []string{"status.conditions"}, Ignore: []string{"conditions"}, States: []string{"status.conditions.*.state"},
	},
	{Group: "trident.netapp.io", Kind: "TridentActionMirrorUpdate"}: {Required: []string{"status.state"}, Finite: conditionTrue},
	{Group: "trident.netapp.io"}:                                    {StatusOptional: true},
	// It starts backups by its schedule.
	{Group: "protect.trident.netapp.io", Kind: "Schedule"}: {StatusOptional: true},
	{Group: "astra.netapp.io", Kind: "Schedule"}:           {StatusOptional: true},
}
