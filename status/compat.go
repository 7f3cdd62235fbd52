package status

// The compat profiles give the answers of kstatus, the library that most tools
// ask today, for those who move over and must not see a verdict change: the
// status, the message and the conditions are its own, letter for letter. The
// reason is that of the condition, and empty where kstatus gives none.
//
// They differ from it only where kstatus gives no answer. A field at which it
// returns an error or panics makes the verdict Unknown, with a message that
// names the field. And a whole number is a whole number, however its decoder
// delivered it, where kstatus knows int64 alone.
var (
	profileCompat = Profile{&profileData{
		name:        "compat",
		doc:         "the answers of cli-utils (Helm 4, Flux), bit for bit",
		stages:      compatStages,
		kinds:       compatKinds,
		fixedRules:  true,
		reconciling: ConditionReconciling,
		stalled:     ConditionStalled,
	}}
	profileCompat002 = Profile{&profileData{
		name:        "compat-0.0.2",
		doc:         "the answers of kustomize/kstatus v0.0.2",
		stages:      compat002Stages,
		kinds:       compat002Kinds,
		fixedRules:  true,
		reconciling: "InProgress",
		stalled:     "Failed",
	}}
)

// compatStages are the steps of cli-utils, in their order.
var compatStages = []stage{
	{"deletion", compatDeletion, "metadata.deletionTimestamp is set: Terminating"},
	{"generation", compatObservation, "status.observedGeneration is there and is not metadata.generation: InProgress"},
	{"standard conditions", compatStandard, "Reconciling is True: InProgress; Stalled is True: Failed; the first in the list counts"},
	{"kind", byKind, "what the rule for the kind says, if there is one"},
	{"summary condition", compatReady, "Ready is True: Current; False or Unknown: InProgress"},
	{"expectation", compatOtherwise, "nothing decided: Current"},
}

// compat002Stages are the steps of v0.0.2, which did not know Ready.
var compat002Stages = []stage{
	{"deletion", compatDeletion, "metadata.deletionTimestamp is set: Terminating"},
	{"generation", compatObservation, "status.observedGeneration is there and is not metadata.generation: InProgress"},
	{"standard conditions", compatStandard, "InProgress is True: InProgress; Failed is True: Failed; the first in the list counts"},
	{"kind", byKind, "what the rule for the kind says, if there is one"},
	{"expectation", compatOtherwise, "nothing decided: Current"},
}

// The kinds that cli-utils knows.
var compatKinds = Rules{
	{"", "ConfigMap"}:             {Rule: compatAlways, NoStatus: true},
	{"", "PersistentVolumeClaim"}: {Rule: compatClaim},
	{"", "Pod"}:                   {Rule: compatPod},
	{"", "Secret"}:                {Rule: compatAlways, NoStatus: true},
	{"", "Service"}:               {Rule: compatService},

	{"apps", "DaemonSet"}:             {Rule: compatDaemonSet},
	{"apps", "Deployment"}:            {Rule: compatDeployment},
	{"apps", "ReplicaSet"}:            {Rule: compatReplicaSet},
	{"apps", "StatefulSet"}:           {Rule: compatStatefulSet},
	{"extensions", "DaemonSet"}:       {Rule: compatDaemonSet},
	{"extensions", "Deployment"}:      {Rule: compatDeployment},
	{"extensions", "ReplicaSet"}:      {Rule: compatReplicaSet},
	{"batch", "CronJob"}:              {Rule: compatAlways},
	{"batch", "Job"}:                  {Rule: compatJob},
	{"policy", "PodDisruptionBudget"}: {Rule: compatBudget},

	{"apiextensions.k8s.io", "CustomResourceDefinition"}: {Rule: compatDefinition},
}

// The kinds that v0.0.2 knew: today's without CustomResourceDefinition, and
// with other rules for six of them.
var compat002Kinds = Rules{
	{"", "ConfigMap"}:             {Rule: compatAlways, NoStatus: true},
	{"", "PersistentVolumeClaim"}: {Rule: compatClaim},
	{"", "Pod"}:                   {Rule: compat002Pod},
	{"", "Secret"}:                {Rule: compatAlways, NoStatus: true},
	{"", "Service"}:               {Rule: compatService},

	{"apps", "DaemonSet"}:             {Rule: compat002DaemonSet},
	{"apps", "Deployment"}:            {Rule: compat002Deployment},
	{"apps", "ReplicaSet"}:            {Rule: compat002ReplicaSet},
	{"apps", "StatefulSet"}:           {Rule: compat002StatefulSet},
	{"extensions", "DaemonSet"}:       {Rule: compat002DaemonSet},
	{"extensions", "Deployment"}:      {Rule: compat002Deployment},
	{"extensions", "ReplicaSet"}:      {Rule: compat002ReplicaSet},
	{"batch", "CronJob"}:              {Rule: compatAlways},
	{"batch", "Job"}:                  {Rule: compat002Job},
	{"policy", "PodDisruptionBudget"}: {Rule: compatBudget},
}
