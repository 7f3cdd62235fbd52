package kwok

import "strings"

// vocabulary defines the functions for the conditions of stages. They derive the behavior of a
// Pod from its manifest, like a kubelet:
//
//   - an image from registry.invalid cannot be pulled, because no name under .invalid resolves;
//   - a container whose command contains "exit 3" exits with 3: repeatedly if it is
//     restarted, and only once under restartPolicy Never;
//   - a Pod that is not always restarted is a task: it succeeds when its command's
//     "sleep 5" is over, at once without one;
//   - any other Pod becomes ready, initialDelaySeconds of its probes later;
//   - a deleted Pod ends after preStop.sleep.
//
// The annotation kstatus.dev/pod sets the behavior explicitly: ready, slow (ready after 8 s),
// never-ready, crash-loop, unpullable, complete or fail, or the name of a fault. The annotation
// kstatus.dev/retries holds the container of a crash loop in CrashLoopBackOff after that many
// restarts, and an image that cannot be pulled in ImagePullBackOff.
const vocabulary = `
def words: ((.command // []) + (.args // [])) | join(" ");
def asked: .metadata.annotations["kstatus.dev/pod"] // "";
def unpullable: any(.spec.containers[]; .image | startswith("registry.invalid/"));
def failing: any(.spec.containers[]; words | test("exit [1-9]"));
def fate:
	if asked != "" then asked
	elif unpullable then "unpullable"
	elif failing and .spec.restartPolicy == "Never" then "fail"
	elif failing then "crash-loop"
	elif .spec.restartPolicy != "Always" then "complete"
	else "ready" end;
def seconds: tostring + "s";
def sleep: [.spec.containers[] | words | capture("sleep (?<n>[0-9]+)") | .n | tonumber] | max // 0;
def delay: [.spec.containers[] | .readinessProbe.initialDelaySeconds, .startupProbe.initialDelaySeconds | values] | max // 0;
def start: if asked == "slow" then 8 else delay end;
def linger: [.spec.containers[].lifecycle.preStop.sleep.seconds | values] | max // 0.3;
def gates: all(.spec.readinessGates[]?.conditionType as $t | any(.status.conditions[]?; .type == $t and .status == "True"); .);
def ready: any(.status.conditions[]?; .type == "Ready" and .status == "True");
def waiting: [.status.containerStatuses[]?.state.waiting.reason | values] | first // "";
def gone: .metadata.deletionTimestamp != null;
def restarts: [.status.containerStatuses[]?.restartCount] | max // 0;
def retries: .metadata.annotations["kstatus.dev/retries"];
def held: retries != null and restarts >= (retries | tonumber);
def isnew: .status.phase == "Pending" and waiting == "" and (gone | not);
def runs: .status.phase == "Running" and (gone | not);
`

// podStages are the stages of a Pod from its scheduling on.
var podStages = []stage{
	{
		name: "pod-ready-at-once", kind: "v1 Pod",
		when: `isnew and fate == "ready" and start == 0 and gates`,
		step: step{status: podStarted + conditions(podAccepted, podReady) + podPhase("Running") + containers(`true`, containerRuns, containerRuns)},
	},
	{
		name: "pod-start", kind: "v1 Pod",
		when: `isnew and fate != "unpullable" and (ails | not) and (fate == "ready" and start == 0 and gates | not)`,
		step: step{status: podStarted + conditions(podAccepted, podWaits) + podPhase("Running") + containers(`false`, containerRuns, containerRuns)},
	},
	{
		name: "pod-ready", kind: "v1 Pod",
		when:  `runs and (ready | not) and (fate == "ready" or fate == "slow") and gates`,
		after: `start | seconds`,
		step:  step{status: conditions(podReady) + containers(`true`, containerRuns, containerRuns)},
	},
	{
		name: "pod-complete", kind: "v1 Pod",
		when:  `runs and fate == "complete"`,
		after: `sleep + 0.5 | seconds`,
		step:  step{status: conditions(podEnded("PodCompleted")) + podPhase("Succeeded") + containers(`false`, containerCompleted, containerCompleted)},
	},
	{
		name: "pod-fail", kind: "v1 Pod",
		when:  `runs and fate == "fail"`,
		after: `sleep + 0.5 | seconds`,
		step:  step{status: conditions(podEnded("PodFailed")) + podPhase("Failed") + containers(`false`, containerFailed, containerCompleted)},
	},
	{
		name: "pod-crash", kind: "v1 Pod",
		when:  `runs and fate == "crash-loop" and waiting == ""`,
		after: `sleep + 0.5 | seconds`,
		event: &event{"Warning", "BackOff", "Back-off restarting failed container"},
		step:  step{status: containers(`true`, containerCrashed, containerRuns)},
	},
	{
		name: "pod-restart", kind: "v1 Pod",
		when:  `runs and fate == "crash-loop" and waiting == "CrashLoopBackOff" and (held | not)`,
		after: `"5s"`,
		step:  step{status: containers(`false`, containerRestarted, containerRuns)},
	},
	{
		name: "pod-pull", kind: "v1 Pod",
		when:  `isnew and fate == "unpullable"`,
		event: &event{"Warning", "Failed", "Error: ErrImagePull"},
		step:  step{status: podStarted + conditions(podAccepted, podWaits) + containers(`true`, containerUnpulled, containerRuns)},
	},
	{
		name: "pod-pull-back-off", kind: "v1 Pod",
		when:  `fate == "unpullable" and .status.phase == "Pending" and waiting == "ErrImagePull" and (gone | not)`,
		after: `"1s"`,
		event: &event{"Warning", "Failed", "Error: ImagePullBackOff"},
		step:  step{status: containers(`true`, containerBacksOff, containerRuns)},
	},
	{
		name: "pod-pull-again", kind: "v1 Pod",
		when:  `fate == "unpullable" and .status.phase == "Pending" and waiting == "ImagePullBackOff" and retries == null and (gone | not)`,
		after: `"10s"`,
		step:  step{status: containers(`true`, containerUnpulled, containerRuns)},
	},
	{
		name: "pod-delete", kind: "v1 Pod",
		when:  `gone`,
		after: `linger | seconds`,
		step:  step{remove: true},
	},
}

// podTaken is the first status that a kubelet writes for a Pod.
const podTaken = `
{{ $now := Now }}
observedGeneration: {{ or .metadata.generation 0 }}
startTime: {{ $now | Quote }}
{{ with NodeIPsWith .spec.nodeName }}
hostIP: {{ index . 0 | Quote }}
hostIPs: [{ip: {{ index . 0 | Quote }}}]
{{ end }}
{{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
podIP: {{ index . 0 | Quote }}
podIPs: [{ip: {{ index . 0 | Quote }}}]
{{ end }}
`

// podStarted is the status once the init containers have succeeded.
const podStarted = podTaken + `
{{ with .spec.initContainers }}
initContainerStatuses:
{{ range . }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  {{ if eq ( or .restartPolicy "" ) "Always" }}
  started: true
  state: {running: {startedAt: {{ $now | Quote }}}}
  {{ else }}
  state: {terminated: {exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }}}}
  {{ end }}
{{ end }}
{{ end }}
`

func podPhase(phase string) string { return "\nphase: " + phase + "\n" }

// podAccepted are the conditions that a Pod keeps from its start on.
const podAccepted = `
- {type: PodReadyToStartContainers, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}}
- {type: Initialized, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}}
`

// podReady are the conditions of a ready Pod.
const podReady = `
- {type: Ready, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: null, message: null}
- {type: ContainersReady, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: null, message: null}
`

// podWaits are the conditions of a Pod whose containers are not ready yet.
const podWaits = `
{{ $names := list }}{{ range .spec.containers }}{{ $names = append $names .name }}{{ end }}
{{ $unready := printf "containers with unready status: [%s]" ( join " " $names ) }}
- {type: Ready, status: "False", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: ContainersNotReady, message: {{ $unready | Quote }}}
- {type: ContainersReady, status: "False", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: ContainersNotReady, message: {{ $unready | Quote }}}
`

// podEnded returns the conditions of a Pod that has ended, with a reason.
func podEnded(reason string) string {
	return `
- {type: Ready, status: "False", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: ` + reason + `, message: null}
- {type: ContainersReady, status: "False", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: ` + reason + `, message: null}
`
}

// conditions sets conditions, and keeps those without a new value.
func conditions(parts ...string) string { return "\nconditions:\n" + strings.Join(parts, "") }

// containers sets the states of all containers. Containers selected by the annotation, or by
// their own image and command, get the state bad, the others good. runReady is whether running
// containers are ready.
func containers(runReady, bad, good string) string {
	return `
{{ $asked := dig "metadata" "annotations" "kstatus.dev/pod" "" . }}{{ $runReady := ` + runReady + ` }}{{ $time := Now }}{{ $root := . }}
containerStatuses:
{{ range $i, $c := .spec.containers }}
{{ $words := join " " ( concat ( default list $c.command ) ( default list $c.args ) ) }}
{{ $exit := regexFind "exit [1-9][0-9]*" $words }}
{{ $code := default "1" ( regexFind "[0-9]+" $exit ) }}
{{ $bad := or ( has $asked ( list "crash-loop" "fail" "unpullable" ) ) ( hasPrefix "registry.invalid/" $c.image ) ( ne $exit "" ) }}
{{ $old := dict }}{{ $statuses := default list $root.status.containerStatuses }}{{ if lt $i ( len $statuses ) }}{{ $old = index $statuses $i }}{{ end }}
{{ $restarts := int64 ( toString ( dig "restartCount" 0 $old ) ) }}
{{ $began := dig "state" "running" "startedAt" $time $old }}
{{ $ran := default "0" ( regexFind "[0-9]+" ( regexFind "sleep [0-9]+" $words ) ) }}
{{ $ended := toDate "2006-01-02T15:04:05Z07:00" $began | date_modify ( printf "+%ss" $ran ) | date "2006-01-02T15:04:05Z07:00" }}
- name: {{ $c.name | Quote }}
  image: {{ $c.image | Quote }}
  imageID: ""
{{ if $bad }}` + bad + `{{ else }}` + good + `{{ end }}
{{ end }}
`
}

// The states of containers. Their templates read the old status, the start time, the restart
// count and the exit code. A container ran for the seconds of its command, however late kwok is.
const (
	containerRuns = `
  restartCount: {{ $restarts }}
  ready: {{ $runReady }}
  started: {{ or $runReady ( not $c.startupProbe ) }}
  state: {running: {startedAt: {{ $began | Quote }}}}
`
	containerCompleted = `
  restartCount: {{ $restarts }}
  ready: false
  started: false
  state: {terminated: {exitCode: 0, reason: Completed, startedAt: {{ $began | Quote }}, finishedAt: {{ $ended | Quote }}}}
`
	containerFailed = `
  restartCount: {{ $restarts }}
  ready: false
  started: false
  state: {terminated: {exitCode: {{ $code }}, reason: Error, startedAt: {{ $began | Quote }}, finishedAt: {{ $ended | Quote }}}}
`
	containerCrashed = `
  restartCount: {{ $restarts }}
  ready: false
  started: false
  state: {waiting: {reason: CrashLoopBackOff, message: {{ printf "back-off 5s restarting failed container=%s pod=%s_%s(%s)" $c.name $root.metadata.name $root.metadata.namespace $root.metadata.uid | Quote }}}}
  lastState: {terminated: {exitCode: {{ $code }}, reason: Error, startedAt: {{ $began | Quote }}, finishedAt: {{ $ended | Quote }}}}
`
	containerRestarted = `
  restartCount: {{ add1 $restarts }}
  ready: false
  started: {{ not $c.startupProbe }}
  state: {running: {startedAt: {{ $time | Quote }}}}
  {{ with $old.lastState }}lastState: {{ toJson . }}{{ end }}
`
	containerUnpulled = `
  restartCount: 0
  ready: false
  started: false
  state: {waiting: {reason: ErrImagePull, message: {{ printf "failed to pull and unpack image %q: failed to resolve image: failed to do request: dial tcp: lookup %s: no such host" $c.image ( regexFind "^[^/]+" $c.image ) | Quote }}}}
`
	containerBacksOff = `
  restartCount: 0
  ready: false
  started: false
  state: {waiting: {reason: ImagePullBackOff, message: {{ printf "Back-off pulling image %q" $c.image | Quote }}}}
`
)
