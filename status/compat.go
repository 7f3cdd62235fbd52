package status

// The compat profiles return the results of kstatus in cli-utils, so that tools can switch to
// this package without a change of verdicts. The status, the message and the conditions are the
// same, byte for byte. The reason is that of the condition, and empty if kstatus gives none. If
// kstatus returns an error or panics because of a field, the verdict is Unknown, with a message that
// names the field.
var (
	profileCompat = Profile{&profileData{
		name:        "compat",
		doc:         "the results of kstatus in cli-utils (Helm 4, Flux), bit for bit",
		stages:      compatStages,
		kinds:       compatKinds,
		fixedRules:  true,
		reconciling: ConditionReconciling,
		stalled:     ConditionStalled,
	}}
	profileCompatRules = profileCompat.derive("compat", "the rule for the kind in cli-utils, alone", func(p *profileData) { p.stages = compatStages[3:4] })
	profileCompat002   = profileCompat.derive("compat-0.0.2", "the results of kustomize/kstatus v0.0.2", func(p *profileData) {
		p.stages, p.kinds = compat002Stages, compat002Kinds
		p.reconciling, p.stalled = "InProgress", "Failed"
	})
)

// compatStages are the stages of cli-utils, in order.
var compatStages = []stage{
	{"deletion", compatDeletion, "metadata.deletionTimestamp is set: Terminating"},
	{"generation", compatObservation, "status.observedGeneration exists and is not metadata.generation: InProgress"},
	{"standard conditions", compatStandard, "Reconciling is True: InProgress; Stalled is True: Failed; the first in the list counts"},
	{"kind", byKind, "what the rule for the kind says, if there is one"},
	{"summary condition", compatReady, "Ready is True: Current; False or Unknown: InProgress"},
	{"expectation", compatDefault, "nothing decided: Current"},
}

// compat002Stages are the stages of v0.0.2, which did not read Ready.
var compat002Stages = []stage{
	{"deletion", compatDeletion, "metadata.deletionTimestamp is set: Terminating"},
	{"generation", compatObservation, "status.observedGeneration exists and is not metadata.generation: InProgress"},
	{"standard conditions", compatStandard, "InProgress is True: InProgress; Failed is True: Failed; the first in the list counts"},
	{"kind", byKind, "what the rule for the kind says, if there is one"},
	{"expectation", compatDefault, "nothing decided: Current"},
}

// compatKinds are the kinds with a rule in cli-utils.
var compatKinds = Rules{
	{"", "ConfigMap"}:             {Rule: compatAlwaysCurrent, NoStatus: true},
	{"", "PersistentVolumeClaim"}: {Rule: compatClaim},
	{"", "Pod"}:                   {Rule: compatPod},
	{"", "Secret"}:                {Rule: compatAlwaysCurrent, NoStatus: true},
	{"", "Service"}:               {Rule: compatService},

	{"apps", "DaemonSet"}:             {Rule: compatDaemonSet},
	{"apps", "Deployment"}:            {Rule: compatDeployment},
	{"apps", "ReplicaSet"}:            {Rule: compatReplicaSet},
	{"apps", "StatefulSet"}:           {Rule: compatStatefulSet},
	{"extensions", "DaemonSet"}:       {Rule: compatDaemonSet},
	{"extensions", "Deployment"}:      {Rule: compatDeployment},
	{"extensions", "ReplicaSet"}:      {Rule: compatReplicaSet},
	{"batch", "CronJob"}:              {Rule: compatAlwaysCurrent},
	{"batch", "Job"}:                  {Rule: compatJob},
	{"policy", "PodDisruptionBudget"}: {Rule: compatBudget},

	{"apiextensions.k8s.io", "CustomResourceDefinition"}: {Rule: compatDefinition},
}

// compat002Kinds are the kinds with a rule in v0.0.2: those of cli-utils without
// CustomResourceDefinition, and with other rules for six of them.
var compat002Kinds = Rules{
	{"", "ConfigMap"}:             {Rule: compatAlwaysCurrent, NoStatus: true},
	{"", "PersistentVolumeClaim"}: {Rule: compatClaim},
	{"", "Pod"}:                   {Rule: compat002Pod},
	{"", "Secret"}:                {Rule: compatAlwaysCurrent, NoStatus: true},
	{"", "Service"}:               {Rule: compatService},

	{"apps", "DaemonSet"}:             {Rule: compat002DaemonSet},
	{"apps", "Deployment"}:            {Rule: compat002Deployment},
	{"apps", "ReplicaSet"}:            {Rule: compat002ReplicaSet},
	{"apps", "StatefulSet"}:           {Rule: compat002StatefulSet},
	{"extensions", "DaemonSet"}:       {Rule: compat002DaemonSet},
	{"extensions", "Deployment"}:      {Rule: compat002Deployment},
	{"extensions", "ReplicaSet"}:      {Rule: compat002ReplicaSet},
	{"batch", "CronJob"}:              {Rule: compatAlwaysCurrent},
	{"batch", "Job"}:                  {Rule: compatJob},
	{"policy", "PodDisruptionBudget"}: {Rule: compatBudget},
}
