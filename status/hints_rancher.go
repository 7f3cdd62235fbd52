package status

// Rancher and Fleet.
var hintsRancher = hintTable{
	// Harvester: https://docs.harvesterhci.io/latest/upgrade/automatic
	{Group: "management.harvesterhci.io", Kind: "UpgradePlan"}: {Finite: conditionTrue},

	// Fleet: https://fleet.rancher.io/ref-status-fields
	{Group: "fleet.cattle.io", Kind: "GitRepo"}:          {Summary: ready, Suspend: []string{"spec.paused"}},
	{Group: "fleet.cattle.io", Kind: "HelmOp"}:           {Summary: ready, Suspend: []string{"spec.paused"}},
	{Group: "fleet.cattle.io", Kind: "Bundle"}:           {Summary: ready, Suspend: []string{"spec.paused"}},
	{Group: "fleet.cattle.io", Kind: "BundleDeployment"}: {Summary: ready, Suspend: []string{"spec.paused"}},
	{Group: "fleet.cattle.io", Kind: "Cluster"}:          {Summary: ready, Suspend: []string{"spec.paused"}},

	// Rancher: https://ranchermanager.docs.rancher.com/api/. Its clusters keep a condition for each
	// past step, such as Pending and Waiting, with status True.
	{Group: "management.cattle.io", Kind: "Cluster"}: {
		Summary:  ready,
		Positive: []string{"Pending", "Waiting", "Updating", "Provisioning", "Removed"},
	},
	{Group: "provisioning.cattle.io", Kind: "Cluster"}: {Summary: ready},
}
