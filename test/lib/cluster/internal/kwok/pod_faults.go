package kwok

import (
	"fmt"
	"strconv"
	"strings"
)

// A podFault is a persistent fault of a Pod, which the annotation kstatus.dev/pod selects. It
// consists of what a kubelet writes to the status of one container, and of its events. The
// annotation kstatus.dev/container selects the container, which may be an init container;
// without it, it is the first one. All texts are those of the kubelet and of containerd, with
// placeholders. IMAGE, HOST and CONTAINER are about the container, ADDRESS and POD about the
// Pod. SAYS is the value of the annotation kstatus.dev/says, for texts that kwok cannot derive.
type podFault struct {
	name   string
	runs   bool   // the container runs, so the phase is Running
	ready  bool   // the container is ready, and the Pod is not
	state  string // template of fields of the container status
	events []kubeletEvent
}

// A kubeletEvent is an event of the kubelet.
type kubeletEvent struct {
	kind, reason, message string
	count                 int
}

var podFaults = []podFault{
	pull("image-not-found", "rpc error: code = NotFound desc = ", `failed to resolve image: IMAGE: not found`),
	pull("image-denied", "", `failed to resolve image: pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`),
	pull("image-no-host", "", `failed to resolve image: failed to do request: Head "https://HOST/v2/SAYS": dial tcp: lookup HOST on 10.96.0.10:53: no such host`),
	pull("image-rate-limited", "", `failed to resolve image: unexpected status from HEAD request to https://registry-1.docker.io/v2/SAYS: 429 Too Many Requests`),
	{
		name:  "image-never-pulled",
		state: waits("ErrImageNeverPull", `Container image "IMAGE" is not present with pull policy of Never`),
		events: []kubeletEvent{
			{"Warning", "ErrImageNeverPull", `Container image "IMAGE" is not present with pull policy of Never`, 4},
			{"Warning", "Failed", "Error: ErrImageNeverPull", 4},
		},
	},
	{
		name:  "image-name",
		state: waits("InvalidImageName", `Failed to apply default image tag "IMAGE": couldn't parse image name "IMAGE": invalid reference format: repository name (SAYS) must be lowercase`),
		events: []kubeletEvent{
			{"Warning", "InspectFailed", `Failed to apply default image tag "IMAGE": couldn't parse image name "IMAGE": invalid reference format: repository name (SAYS) must be lowercase`, 4},
			{"Warning", "Failed", "Error: InvalidImageName", 4},
		},
	},
	crash("crash", `{{ $code }}`, "Error", ""),
	crash("crash-signal", "139", "Error", ""),
	crash("crash-memory", "137", "OOMKilled", ""),
	crash("crash-start", "128", "StartError", `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "SAYS": executable file not found in $PATH`,
		kubeletEvent{"Warning", "Failed", `Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "SAYS": executable file not found in $PATH`, 4}),
	crash("crash-liveness", "137", "Error", "",
		kubeletEvent{"Warning", "Unhealthy", "Liveness probe failed: SAYS", 12},
		kubeletEvent{"Normal", "Killing", "Container CONTAINER failed liveness probe, will be restarted", 4}),
	{
		name:   "config-error",
		state:  waits("CreateContainerConfigError", "SAYS"),
		events: []kubeletEvent{{"Warning", "Failed", "Error: SAYS", 4}},
	},
	{
		name:   "mount-error",
		state:  waits("ContainerCreating", ""),
		events: []kubeletEvent{{"Warning", "FailedMount", "SAYS", 4}},
	},
	{
		name:  "never-created", // the reason is in the events of another component
		state: waits("ContainerCreating", ""),
	},
	{
		name: "unready", runs: true,
		state:  containerUnready,
		events: []kubeletEvent{{"Warning", "Unhealthy", "Readiness probe failed: SAYS", 7}},
	},
	{
		name: "unstarted", runs: true,
		state:  containerUnready,
		events: []kubeletEvent{{"Warning", "Unhealthy", "Startup probe failed: SAYS", 7}},
	},
	{name: "ungated", runs: true, ready: true, state: containerGated},
}

// The states of a container that runs. An unready one has started with its Pod: its probes fail later, and
// kwok writes their events before the status.
const (
	containerUnready = `
  restartCount: 0
  ready: false
  started: {{ not $c.startupProbe }}
  state: {running: {startedAt: {{ $root.metadata.creationTimestamp | Quote }}}}
`
	containerGated = `
  restartCount: 0
  ready: true
  started: true
  state: {running: {startedAt: {{ $time | Quote }}}}
`
)

// pull returns a fault whose image cannot be pulled, with a message of containerd 2. The kubelet
// writes the code of the error before the message only when the image was not found.
func pull(name, code, message string) podFault {
	reported := code + `failed to pull and unpack image "IMAGE": ` + message
	return podFault{
		name:  name,
		state: waits("ImagePullBackOff", `Back-off pulling image "IMAGE": ErrImagePull: `+reported),
		events: []kubeletEvent{
			{"Normal", "Pulling", `Pulling image "IMAGE"`, 3},
			{"Warning", "Failed", `Failed to pull image "IMAGE": ` + reported, 3},
			{"Warning", "Failed", "Error: ErrImagePull", 3},
			{"Normal", "BackOff", `Back-off pulling image "IMAGE"`, 5},
			{"Warning", "Failed", "Error: ImagePullBackOff", 5},
		},
	}
}

// crash returns a fault whose container has exited four times and waits for a restart. Its
// last run was short, unless a kubelet event happened during it.
func crash(name, code, reason, message string, before ...kubeletEvent) podFault {
	began := `{{ $time | Quote }}`
	if len(before) > 0 {
		began = `{{ now | date_modify "-30s" | date "2006-01-02T15:04:05Z07:00" | Quote }}`
	}
	if message != "" {
		message = ", message: " + quotedTemplate(message)
	}
	return podFault{
		name: name, runs: true,
		state: `
  restartCount: 4
  ready: false
  started: false
  state: {waiting: {reason: CrashLoopBackOff, message: ` + quotedTemplate("back-off 1m20s restarting failed container=CONTAINER pod=POD") + `}}
  lastState: {terminated: {exitCode: ` + code + `, reason: ` + reason + message + `, startedAt: ` + began + `, finishedAt: {{ $time | Quote }}}}
`,
		events: append(before, kubeletEvent{"Warning", "BackOff", "Back-off restarting failed container CONTAINER in pod POD", 9}),
	}
}

// waits returns a fault whose container has not started.
func waits(reason, message string) string {
	if message != "" {
		message = ", message: " + quotedTemplate(message)
	}
	return `
  restartCount: 0
  ready: false
  started: false
  state: {waiting: {reason: ` + reason + message + `}}
`
}

// quotedTemplate returns the template of a text with filled placeholders.
func quotedTemplate(text string) string { return `{{ ` + fillPlaceholders(text) + ` | Quote }}` }

func fillPlaceholders(text string) string {
	return fmt.Sprintf(`%q | replace "SAYS" $says | replace "IMAGE" $c.image | replace "HOST" ( regexFind "^[^/]+" $c.image ) | replace "CONTAINER" $c.name | replace "POD" $pod | replace "ADDRESS" $ip`, text)
}

// faultTemplate is the beginning of each template about such a Pod. $faulty is the name of the
// container, and $init whether it is an init container.
const faultTemplate = `
{{ $time := Now }}{{ $root := . }}
{{ $says := dig "metadata" "annotations" "kstatus.dev/says" "" . }}
{{ $faulty := dig "metadata" "annotations" "kstatus.dev/container" ( index .spec.containers 0 ).name . }}
{{ $init := false }}{{ range .spec.initContainers }}{{ if eq .name $faulty }}{{ $init = true }}{{ end }}{{ end }}
{{ $pod := printf "%s_%s(%s)" .metadata.name .metadata.namespace .metadata.uid }}
{{ $ip := index ( PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) ) 0 }}
`

// status returns the template of the status of such a Pod.
func (a podFault) status() string {
	phase := "Pending"
	if a.runs {
		phase = `{{ if $init }}Pending{{ else }}Running{{ end }}`
	}
	one := `
- name: {{ $c.name | Quote }}
  image: {{ $c.image | Quote }}
  imageID: ""
  {{ $exit := regexFind "exit [1-9][0-9]*" ( join " " ( concat ( default list $c.command ) ( default list $c.args ) ) ) }}
  {{ $code := default "1" ( regexFind "[0-9]+" $exit ) }}
{{ if eq $c.name $faulty }}` + a.state + `{{ else if $waits }}` + waits("PodInitializing", "") + `{{ else if $first }}` + containerEnded + `{{ else }}` + containerGated + `{{ end }}
`
	waiting := podWaits
	if a.ready {
		waiting = podGated
	}
	return faultTemplate + podTaken + `
phase: ` + phase + `
{{ $waits := false }}{{ $first := true }}
initContainerStatuses:
{{ range $c := .spec.initContainers }}` + one + `{{ if eq $c.name $faulty }}{{ $waits = true }}{{ end }}{{ end }}
{{ $first = false }}
containerStatuses:
{{ range $c := .spec.containers }}` + one + `{{ end }}
conditions:
- {type: PodReadyToStartContainers, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}}
{{ if $init }}` + podUninitialized + `{{ else }}
- {type: Initialized, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}}
{{ end }}` + waiting
}

// containerEnded is a completed init container; a sidecar keeps running.
const containerEnded = `
  restartCount: 0
  ready: true
  {{ if eq ( or $c.restartPolicy "" ) "Always" }}
  started: true
  state: {running: {startedAt: {{ $time | Quote }}}}
  {{ else }}
  state: {terminated: {exitCode: 0, reason: Completed, startedAt: {{ $time | Quote }}, finishedAt: {{ $time | Quote }}}}
  {{ end }}
`

// podUninitialized lists the init containers that have not completed.
const podUninitialized = `
{{ $open := list }}{{ $reached := false }}
{{ range .spec.initContainers }}{{ if eq .name $faulty }}{{ $reached = true }}{{ end }}{{ if $reached }}{{ $open = append $open .name }}{{ end }}{{ end }}
{{ $incomplete := printf "containers with incomplete status: [%s]" ( join " " $open ) }}
- {type: Initialized, status: "False", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: ContainersNotInitialized, message: {{ $incomplete | Quote }}}
`

// podGated are the conditions of a Pod with unmet readiness gates.
const podGated = `
{{ $gates := list }}{{ range .spec.readinessGates }}{{ $gates = append $gates ( printf "corresponding condition of pod readiness gate %q does not exist." .conditionType ) }}{{ end }}
- {type: Ready, status: "False", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}, reason: ReadinessGatesNotReady, message: {{ join ", " $gates | Quote }}}
- {type: ContainersReady, status: "True", observedGeneration: {{ or .metadata.generation 0 }}, lastTransitionTime: {{ Now | Quote }}}
`

// object returns the template of an event.
func (e kubeletEvent) object() string {
	return faultTemplate + `
{{ $c := dict }}{{ range concat ( default list .spec.initContainers ) .spec.containers }}{{ if eq .name $faulty }}{{ $c = . }}{{ end }}{{ end }}
{{ $message := ` + fillPlaceholders(e.message) + ` }}
apiVersion: v1
kind: Event
metadata:
  namespace: {{ .metadata.namespace | Quote }}
  name: {{ printf "%s.%s" .metadata.name ( trunc 16 ( sha1sum $message ) ) | Quote }}
involvedObject:
  apiVersion: v1
  kind: Pod
  namespace: {{ .metadata.namespace | Quote }}
  name: {{ .metadata.name | Quote }}
  uid: {{ .metadata.uid | Quote }}
  fieldPath: {{ printf "spec.%s{%s}" ( ternary "initContainers" "containers" $init ) $c.name | Quote }}
type: ` + e.kind + `
reason: ` + e.reason + `
message: {{ $message | Quote }}
count: ` + fmt.Sprint(e.count) + `
firstTimestamp: {{ now | date "2006-01-02T15:04:05Z07:00" | Quote }}
lastTimestamp: {{ now | date "2006-01-02T15:04:05Z07:00" | Quote }}
source: {component: kubelet, host: {{ .spec.nodeName | Quote }}}
reportingComponent: kubelet
reportingInstance: {{ .spec.nodeName | Quote }}
`
}

// words returns the functions for the conditions of stages.
func words() string {
	names := make([]string, len(podFaults))
	for i, a := range podFaults {
		names[i] = strconv.Quote(a.name)
	}
	return vocabulary + "def ails: asked as $name | any((" + strings.Join(names, ", ") + "); . == $name);\n"
}

// faultStages set the status of a Pod with a fault, which then stays.
func faultStages() (all []stage) {
	for _, a := range podFaults {
		s := stage{
			name: "pod-" + a.name, kind: "v1 Pod",
			when: fmt.Sprintf("isnew and asked == %q", a.name),
			step: step{status: a.status()},
		}
		for _, e := range a.events {
			s.eventTemplates = append(s.eventTemplates, e.object())
		}
		all = append(all, s)
	}
	return all
}
