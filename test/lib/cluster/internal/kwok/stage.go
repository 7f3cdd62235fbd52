// Package kwok writes the configuration with which kwok simulates kubelets, disks and a cloud.
package kwok

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/yaml"
)

// stage is one step in the life of an object: when an object of a kind meets a condition, it
// changes after a delay. At most one stage may match an object at any time, because kwok would
// choose one of two at random.
type stage struct {
	name           string
	kind           string   // "v1 Pod"
	when           string   // jq: true if this is the next step
	after          string   // jq: the delay, such as "2s"; empty: none
	event          *event   // the kubelet's event about it
	eventTemplates []string // templates of events about a container
	step           step
}

// step is the change of a stage: one of these.
type step struct {
	status string // template of a status patch
	apply  string // template of another object to apply
	remove bool   // the object is deleted
}

// An event is an event of the kubelet about a Pod. Its count is that of the runs of a container.
type event struct{ kind, reason, message string }

// object returns the template of the event. The step of kwok for events would send them some time
// after the status.
func (e event) object() string {
	return `
{{ $restarts := 0 }}{{ range .status.containerStatuses }}{{ $restarts = max $restarts ( int64 ( toString ( default 0 .restartCount ) ) ) }}{{ end }}
{{ $now := now | date "2006-01-02T15:04:05Z07:00" }}
apiVersion: v1
kind: Event
metadata:
  namespace: {{ .metadata.namespace | Quote }}
  name: {{ printf "%s.%s" .metadata.name ( trunc 16 ( sha1sum ` + fmt.Sprintf("%q", e.message) + ` ) ) | Quote }}
involvedObject:
  apiVersion: v1
  kind: Pod
  namespace: {{ .metadata.namespace | Quote }}
  name: {{ .metadata.name | Quote }}
  uid: {{ .metadata.uid | Quote }}
type: ` + e.kind + `
reason: ` + e.reason + `
message: ` + fmt.Sprintf("%q", e.message) + `
count: {{ add1 $restarts }}
firstTimestamp: {{ default $now .status.startTime | Quote }}
lastTimestamp: {{ $now | Quote }}
source: {component: kubelet, host: {{ .spec.nodeName | Quote }}}
reportingComponent: kubelet
reportingInstance: {{ .spec.nodeName | Quote }}
`
}

// Config returns the configuration file of kwok. The port of the kubelet serves the logs of
// Pods.
func Config(kubelet int) ([]byte, error) {
	var out bytes.Buffer
	for _, s := range stages(kubelet) {
		data, err := yaml.Marshal(s.manifest())
		if err != nil {
			return nil, err
		}
		out.WriteString("---\n")
		out.Write(data)
	}
	return out.Bytes(), nil
}

// manifest is a stage in the format of kwok.
func (s stage) manifest() map[string]any {
	spec := map[string]any{
		"resourceRef": kinds[s.kind],
		"selector": map[string]any{"matchExpressions": []any{
			map[string]any{"jq": map[string]any{"key": words() + s.when, "operator": "In", "values": []any{"true"}}},
		}},
		"steps": s.steps(),
	}
	if s.after != "" {
		spec["delay"] = map[string]any{
			"durationMilliseconds": 0,
			"durationFrom":         map[string]any{"jq": map[string]any{"expression": words() + s.after}},
		}
	}
	return map[string]any{
		"apiVersion": "kwok.x-k8s.io/v1alpha1",
		"kind":       "Stage",
		"metadata":   map[string]any{"name": s.name},
		"spec":       spec,
	}
}

// steps returns the steps in the format of kwok. Events come first: an object never has a status
// whose event does not exist yet.
func (s stage) steps() []any {
	events := s.eventTemplates
	if s.event != nil {
		events = append(slices.Clone(events), s.event.object())
	}
	var steps []any
	for _, template := range events {
		steps = append(steps, map[string]any{"apply": map[string]any{"template": template}})
	}
	switch {
	case s.step.remove:
		return append(steps, map[string]any{"delete": true})
	case s.step.apply != "":
		return append(steps, map[string]any{"apply": map[string]any{"template": s.step.apply}})
	}
	return append(steps, map[string]any{"patch": map[string]any{
		"subresource": "status", "root": "status", "template": s.step.status,
	}})
}

// kinds are the kinds that kwok plays, spelled as kwok requires.
var kinds = map[string]map[string]any{
	"v1 Node":                            {"apiGroup": "v1", "kind": "Node"},
	"v1 Pod":                             {"apiGroup": "v1", "kind": "Pod"},
	"v1 PersistentVolumeClaim":           {"apiGroup": "v1", "kind": "PersistentVolumeClaim"},
	"v1 PersistentVolume":                {"apiGroup": "v1", "kind": "PersistentVolume"},
	"v1 Service":                         {"apiGroup": "v1", "kind": "Service"},
	"storage.k8s.io/v1 VolumeAttachment": {"apiGroup": "storage.k8s.io/v1", "kind": "VolumeAttachment"},
	"networking.k8s.io/v1 Ingress":       {"apiGroup": "networking.k8s.io/v1", "kind": "Ingress"},
}

// stages returns all stages.
func stages(logs int) []stage {
	var all []stage
	for _, part := range [][]stage{nodeStages(logs), podStages, faultStages(), volumeStages, attachStages, networkStages} {
		all = append(all, part...)
	}
	return all
}
