package status

import "kstatus.dev/status/internal/word"

// Policies and reports.
//
// Kyverno: https://kyverno.io/docs/crds/
// Gatekeeper: https://open-policy-agent.github.io/gatekeeper/website/docs/
// Hierarchical namespaces: https://github.com/kubernetes-retired/hierarchical-namespaces/tree/master/docs/user-guide
// Trivy: https://aquasecurity.github.io/trivy-operator/latest/docs/crds/
// KubeArmor: https://docs.kubearmor.io/kubearmor/documentation/security_policy_specification
var hintsPolicy = hintTable{
	// Kyverno: a policy that is not served yet has the reason Failed. CEL policies have their own
	// summary, and a cleanup policy reports after its first run.
	{"kyverno.io", "Policy"}:               {ProgressIfFalse: []string{"Ready"}},
	{"kyverno.io", "ClusterPolicy"}:        {ProgressIfFalse: []string{"Ready"}},
	{"policies.kyverno.io", "*Policy"}:     {Required: []string{"status.conditionStatus.ready"}},
	{"kyverno.io", "CleanupPolicy"}:        {StatusOptional: true},
	{"kyverno.io", "ClusterCleanupPolicy"}: {StatusOptional: true},
	{"kyverno.io", "UpdateRequest"}:        {Words: wordTable{"Skip": word.Ready}},
	// Gatekeeper: each of its Pods reports separately, with the observed generation. Violations are
	// about other objects.
	{"templates.gatekeeper.sh", "ConstraintTemplate"}: {
		Required: []string{"status.created"},
		Errors:   []string{"status.byPod.*.errors"},
		Counts:   []goal{{"status.byPod.*.observedGeneration", "metadata.generation"}},
	},
	{Group: "constraints.gatekeeper.sh"}: hintGatekeeper,
	{Group: "mutations.gatekeeper.sh"}:   hintGatekeeper,
	{Group: "*.gatekeeper.sh"}:           {StatusOptional: true, Errors: []string{"status.byPod.*.errors"}},
	// What one of its Pods reports on another object. The observed generation is that of this object.
	{Group: "status.gatekeeper.sh"}: {StatusOptional: true, ObservesOther: true},
	// Hierarchical namespaces: conditions exist only in case of a problem.
	{"hnc.x-k8s.io", "HierarchyConfiguration"}: {StatusOptional: true, Negative: []string{"ActivitiesHalted"}},
	// Reports have no status; their findings are about other objects.
	{Group: "wgpolicyk8s.io"}:         {StatusOptional: true},
	{Group: "openreports.io"}:         {StatusOptional: true},
	{Group: "aquasecurity.github.io"}: {StatusOptional: true},
	// Policies for the nodes, which agents read.
	{Group: "security.kubearmor.com"}: {StatusOptional: true},
}

var hintGatekeeper = &hint{
	Required: []string{"status.byPod.*.enforced"},
	Errors:   []string{"status.byPod.*.errors"},
	Counts:   []goal{{"status.byPod.*.observedGeneration", "metadata.generation"}},
}
