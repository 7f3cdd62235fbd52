package status

import "kstatus.dev/status/internal/word"

// Operator Lifecycle Manager: https://olm.operatorframework.io/docs/concepts/crds/
//
// Subscriptions have a rule.
var hintsOLM = hintTable{
	// A version in phase InstallReady is not installed yet. The conditions of a
	// ClusterServiceVersion are its past phases.
	{Group: "operators.coreos.com", Kind: "ClusterServiceVersion"}: {
		Required: []string{"status.phase"}, Ignore: []string{"conditions", "requirementStatus"},
		Words: wordTable{"InstallReady": word.Progressing, "Replacing": word.Progressing},
	},
	// A user has to approve a plan unless approval is automatic.
	{Group: "operators.coreos.com", Kind: "InstallPlan"}: {
		Required: []string{"status.phase"}, Words: wordTable{"RequiresApproval": word.Progressing, "Planning": word.Progressing},
		Ignore: []string{"plan", "bundleLookups"}, Finite: conditionTrue,
	},
	// The state of the gRPC connection to the catalog. IDLE is a connection without recent use.
	{Group: "operators.coreos.com", Kind: "CatalogSource"}: {
		Required: []string{"status.connectionState"}, States: []string{"status.connectionState.lastObservedState"},
		Words: wordTable{"READY": word.Ready, "IDLE": word.Ready, "CONNECTING": word.Progressing, "SHUTDOWN": word.Progressing, "TRANSIENT_FAILURE": word.Failing},
	},
	{Group: "operators.coreos.com", Kind: "OperatorGroup"}: {
		Required: []string{"status.lastUpdated"}, Negative: []string{"MultipleOperatorGroups", "OperatorGroupServiceAccountCondition"},
	},
	// The operator reports whether it may be upgraded; OLM reads that.
	{Group: "operators.coreos.com", Kind: "OperatorCondition"}: {StatusOptional: true, Neutral: []string{"Upgradeable"}},

	// OLM 1: https://operator-framework.github.io/operator-controller/
	//
	// Progressing stays True with the reason Succeeded after the object matches its spec.
	// Deprecations become warnings.
	{Group: "olm.operatorframework.io", Kind: "ClusterExtension"}: {Summary: []string{"Installed"}},
	{Group: "olm.operatorframework.io", Kind: "ClusterCatalog"}: {
		Summary: []string{"Serving"}, Suspend: []string{"spec.availabilityMode=Unavailable"},
	},
}
