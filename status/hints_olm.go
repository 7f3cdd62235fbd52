package status

import "kstatus.dev/status/internal/word"

// Operator Lifecycle Manager: https://olm.operatorframework.io/docs/concepts/crds/
//
// Subscriptions have a rule of their own.
var hintsOLM = hintTable{
	// A version that is ready to be installed is not installed yet. The conditions
	// of a ClusterServiceVersion are a record of its phases.
	{Group: "operators.coreos.com", Kind: "ClusterServiceVersion"}: {
		Required: []string{"status.phase"}, Ignore: []string{"conditions", "requirementStatus"},
		Words: wordTable{"InstallReady": word.Progressing, "Replacing": word.Progressing},
	},
	// Somebody has to approve a plan unless it is approved automatically.
	{Group: "operators.coreos.com", Kind: "InstallPlan"}: {
		Required: []string{"status.phase"}, Words: wordTable{"RequiresApproval": word.Progressing, "Planning": word.Progressing},
		Ignore: []string{"plan", "bundleLookups"}, Finite: conditionTrue,
	},
	// The state is that of the gRPC connection to the catalog. IDLE is one that
	// nobody has used for a while.
	{Group: "operators.coreos.com", Kind: "CatalogSource"}: {
		Required: []string{"status.connectionState"}, States: []string{"status.connectionState.lastObservedState"},
		Words: wordTable{"READY": word.Ready, "IDLE": word.Ready, "CONNECTING": word.Progressing, "SHUTDOWN": word.Progressing, "TRANSIENT_FAILURE": word.Failing},
	},
	{Group: "operators.coreos.com", Kind: "OperatorGroup"}: {
		Required: []string{"status.lastUpdated"}, Negative: []string{"MultipleOperatorGroups", "OperatorGroupServiceAccountCondition"},
	},
	// Its operator says whether it may be upgraded; OLM reads it.
	{Group: "operators.coreos.com", Kind: "OperatorCondition"}: {Silent: true, Neutral: []string{"Upgradeable"}},

	// OLM 1: https://operator-framework.github.io/operator-controller/
	//
	// Progressing is True for good, with the reason Succeeded, once it is as asked.
	// What is deprecated is told as a warning.
	{Group: "olm.operatorframework.io", Kind: "ClusterExtension"}: {Summary: []string{"Installed"}},
	{Group: "olm.operatorframework.io", Kind: "ClusterCatalog"}: {
		Summary: []string{"Serving"}, Suspend: []string{"spec.availabilityMode=Unavailable"},
	},
}
