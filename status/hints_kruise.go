package status

import "kstatus.dev/status/internal/word"

// OpenKruise, without its workloads, which have rules: https://openkruise.io/docs/,
// https://openkruise.io/rollouts/introduction and https://openkruise.io/kruisegame/introduction
var hintsKruise = hintTable{
	{Group: "apps.kruise.io", Kind: "BroadcastJob"}:    {Required: []string{"status.phase"}},
	{Group: "apps.kruise.io", Kind: "EphemeralJob"}:    {Required: []string{"status.phase"}},
	{Group: "apps.kruise.io", Kind: "AdvancedCronJob"}: {StatusOptional: true},

	// It also completes if a container could not be recreated.
	{Group: "apps.kruise.io", Kind: "ContainerRecreateRequest"}: {Required: []string{"status.phase"}, Finite: conditionTrue},

	// The nodes that have finished the pull, with success or not, must reach the desired number.
	{Group: "apps.kruise.io", Kind: "ImagePullJob"}: {
		Required: []string{"status.startTime"}, Counts: []goal{{"status.completed", "status.desired"}}, Errors: []string{"status.failed"},
	},
	{Group: "apps.kruise.io", Kind: "ImageListPullJob"}: {
		Required: []string{"status.startTime"}, Counts: []goal{{"status.completed", "status.desired"}},
	},
	{Group: "apps.kruise.io", Kind: "ResourceDistribution"}: {
		Required: []string{"status.desired"}, Counts: []goal{{"status.succeeded", "status.desired"}},
	},

	// A release that is paused at a step waits for approval or for a duration.
	{Group: "rollouts.kruise.io", Kind: "Rollout"}: {
		Required: []string{"status.phase"}, Words: wordTable{"Initial": word.Progressing}, Ignore: []string{"currentStepState"},
	},
	{Group: "rollouts.kruise.io", Kind: "TrafficRouting"}: {Required: []string{"status.phase"}, Words: wordTable{"Initial": word.Progressing}},
	{Group: "rollouts.kruise.io", Kind: "BatchRelease"}:   {Required: []string{"status.phase"}, Finite: conditionTrue},

	{Group: "game.kruise.io", Kind: "GameServer"}: {Required: []string{"status.currentState"}},
}
