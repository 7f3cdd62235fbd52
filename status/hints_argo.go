package status

import "kstatus.dev/status/internal/word"

// Argo: https://argo-workflows.readthedocs.io/en/latest/fields/,
// https://github.com/argoproj/argo-events/tree/master/pkg/apis/events/v1alpha1,
// https://argo-rollouts.readthedocs.io/en/stable/features/specification/ and
// https://argo-cd.readthedocs.io/en/stable/operator-manual/
var hintsArgo = hintTable{
	// A Workflow has no phase until its controller has begun with it.
	{Group: "argoproj.io", Kind: "Workflow"}: {Required: []string{"status.phase"}},

	// A CronWorkflow reports nothing until its time has come for the first time.
	{Group: "argoproj.io", Kind: "CronWorkflow"}: {Silent: true},

	// What each stands on is told by conditions of its own, all of which must be True.
	{Group: "argoproj.io", Kind: "EventBus"}:    {Summary: []string{"Configured", "Deployed"}},
	{Group: "argoproj.io", Kind: "EventSource"}: {Summary: []string{"SourcesProvided", "Deployed"}},
	{Group: "argoproj.io", Kind: "Sensor"}:      {Summary: []string{"DependenciesProvided", "TriggersProvided", "Deployed"}},

	// Experiments and AnalysisRuns run to an end, which their phase tells; an
	// inconclusive end is none to build on. Progressing is left as it was at the end.
	{Group: "argoproj.io", Kind: "Experiment"}: {
		Required: []string{"status.phase"},
		Words:    wordTable{"Inconclusive": word.Failing},
		Neutral:  []string{"Progressing"},
	},
	{Group: "argoproj.io", Kind: "AnalysisRun"}: {Required: []string{"status.phase"}, Words: wordTable{"Inconclusive": word.Failing}},

	// The Applications that it makes are up to date once ResourcesUpToDate is True.
	{Group: "argoproj.io", Kind: "ApplicationSet"}: {Summary: []string{"ResourcesUpToDate"}},

	// An AppProject only limits what Applications may do.
	{Group: "argoproj.io", Kind: "AppProject"}: {Silent: true},

	// The operator's description of a whole Argo CD: its phase stands for its parts.
	{Group: "argoproj.io", Kind: "ArgoCD"}: {Required: []string{"status.phase"}},
}
