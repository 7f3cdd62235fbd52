package status

import "kstatus.dev/status/internal/word"

// Argo: https://argo-workflows.readthedocs.io/en/latest/fields/,
// https://github.com/argoproj/argo-events/tree/master/pkg/apis/events/v1alpha1,
// https://argo-rollouts.readthedocs.io/en/stable/features/specification/ and
// https://argo-cd.readthedocs.io/en/stable/operator-manual/
var hintsArgo = hintTable{
	// A Workflow has no phase until its controller has started it.
	{Group: "argoproj.io", Kind: "Workflow"}: {Required: []string{"status.phase"}},

	// Its controller reports nothing before the first scheduled time.
	{Group: "argoproj.io", Kind: "CronWorkflow"}: {StatusOptional: true},

	// Each resource underneath has a condition, all of which must be True.
	{Group: "argoproj.io", Kind: "EventBus"}:    {Summary: []string{"Configured", "Deployed"}},
	{Group: "argoproj.io", Kind: "EventSource"}: {Summary: []string{"SourcesProvided", "Deployed"}},
	{Group: "argoproj.io", Kind: "Sensor"}:      {Summary: []string{"DependenciesProvided", "TriggersProvided", "Deployed"}},

	// Experiments and AnalysisRuns run to completion, which their phase reports. Inconclusive
	// counts as a failure. Progressing keeps its last status.
	{Group: "argoproj.io", Kind: "Experiment"}: {
		Required: []string{"status.phase"},
		Words:    wordTable{"Inconclusive": word.Failing},
		Neutral:  []string{"Progressing"},
	},
	{Group: "argoproj.io", Kind: "AnalysisRun"}: {Required: []string{"status.phase"}, Words: wordTable{"Inconclusive": word.Failing}},

	// The Applications of the set are up to date when ResourcesUpToDate is True.
	{Group: "argoproj.io", Kind: "ApplicationSet"}: {Summary: []string{"ResourcesUpToDate"}},

	// An AppProject only restricts Applications.
	{Group: "argoproj.io", Kind: "AppProject"}: {StatusOptional: true},

	// The operator's resource for a whole Argo CD; its phase summarizes all components.
	{Group: "argoproj.io", Kind: "ArgoCD"}: {Required: []string{"status.phase"}},
}
