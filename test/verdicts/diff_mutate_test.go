package test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// mutated returns a changed copy of an object. The same seed gives the same object, except for
// times.
func mutated(obj map[string]any, seed uint64) map[string]any {
	m := mutator{rand.New(rand.NewPCG(20260101, seed))}
	obj = runtime.DeepCopyJSON(obj)
	for range 1 + m.IntN(4) {
		mutations[m.IntN(len(mutations))](m, obj)
	}
	return obj
}

type mutator struct{ *rand.Rand }

// The mutations, all equally likely.
var mutations = []func(mutator, map[string]any){
	mutator.drop, mutator.null, mutator.retype, mutator.retype, mutator.renumber, mutator.renumber,
	mutator.plausible, mutator.plausible, mutator.plausible, mutator.implausible,
	mutator.condition, mutator.condition, mutator.condition, mutator.brokenCondition, mutator.shuffle,
	mutator.repeat, mutator.generations, mutator.rekind, mutator.containers, mutator.delete,
}

func pick[T any](m mutator, of []T) T { return of[m.IntN(len(of))] }

// place picks a place. It mostly keeps the name of the kind, because an object without a kind
// is invalid.
func (m mutator) place(obj map[string]any) (place, bool) {
	all := places(obj)
	if m.IntN(50) > 0 {
		all = slices.DeleteFunc(all, func(p place) bool { return p.key == "kind" || p.key == "apiVersion" })
	}
	if len(all) == 0 {
		return place{}, false
	}
	return pick(m, all), true
}

func (m mutator) drop(obj map[string]any) {
	p, ok := m.place(obj)
	if ok && p.m != nil {
		delete(p.m, p.key)
	}
}

func (m mutator) null(obj map[string]any) {
	if p, ok := m.place(obj); ok {
		p.set(nil)
	}
}

func (m mutator) retype(obj map[string]any) {
	if p, ok := m.place(obj); ok {
		p.set(m.odd())
	}
}

// odd returns a value of any type.
func (m mutator) odd() any {
	return pick(m, []any{
		"", "text", "3", "True", "null", true, false, int64(0), int64(3), 3.0, 1.5, -1.0, nil,
		[]any{}, []any{nil}, []any{"text"}, []any{map[string]any{}}, map[string]any{}, map[string]any{"type": "Ready"},
	})
}

func (m mutator) renumber(obj map[string]any) {
	var numbers []place
	for _, p := range places(obj) {
		if _, ok := p.get().(int64); ok {
			numbers = append(numbers, p)
		}
	}
	if len(numbers) == 0 {
		return
	}
	p := pick(m, numbers)
	n, _ := p.get().(int64)
	p.set(pick(m, []any{n + 1, n - 1, -n, int64(0), int64(-1), int64(1) << 40, int64(2147483647), float64(n), float64(n) + 0.5}))
}

// The fields that decide verdicts, with their possible values.
var counts = strings.Fields(`spec.replicas status.replicas status.readyReplicas status.availableReplicas status.updatedReplicas
	status.currentReplicas status.fullyLabeledReplicas status.desiredNumberScheduled status.currentNumberScheduled
	status.updatedNumberScheduled status.numberAvailable status.numberReady spec.updateStrategy.rollingUpdate.partition
	spec.parallelism spec.completions status.succeeded status.failed status.active spec.progressDeadlineSeconds
	metadata.generation status.observedGeneration`)

var words = map[string][]any{
	"status.phase":               {"Pending", "Running", "Succeeded", "Failed", "Unknown", "Bound", "Lost", ""},
	"spec.type":                  {"ClusterIP", "LoadBalancer", "NodePort", "ExternalName"},
	"spec.clusterIP":             {"", "None", "10.0.0.1"},
	"spec.updateStrategy.type":   {"OnDelete", "RollingUpdate"},
	"status.currentRevision":     {"a", "b", ""},
	"status.updateRevision":      {"a", "b", ""},
	"status.startTime":           {"", "2026-01-01T00:00:00Z"},
	"spec.suspend":               {true, false, "true"},
	"metadata.creationTimestamp": {"2026-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "yesterday", "null", ""},
}

func (m mutator) plausible(obj map[string]any) {
	n := m.IntN(len(counts) + len(words))
	if n < len(counts) {
		put(obj, counts[n], int64(m.IntN(4)))
		return
	}
	path := wordPaths()[n-len(counts)]
	put(obj, path, pick(m, words[path]))
	if path == "metadata.creationTimestamp" && m.IntN(3) == 0 {
		put(obj, path, time.Now().Add(-2*time.Second).UTC().Format(time.RFC3339))
	}
}

func (m mutator) implausible(obj map[string]any) {
	put(obj, pick(m, append(wordPaths(), counts...)), m.odd())
}

func wordPaths() (all []string) {
	for path := range words {
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

// put sets a field and creates its parents, unless a value of another type is in the way.
func put(obj map[string]any, path string, v any) {
	for {
		name, rest, more := strings.Cut(path, ".")
		if !more {
			obj[name] = v
			return
		}
		next, ok := obj[name].(map[string]any)
		if !ok && obj[name] != nil {
			return
		}
		if !ok {
			next = map[string]any{}
			obj[name] = next
		}
		obj, path = next, rest
	}
}

var (
	conditionTypes = strings.Fields(`Ready Reconciling Stalled InProgress Failed Complete Suspended Progressing Available
		ReplicaFailure PodScheduled NamesAccepted Established Synced`)
	conditionReasons = []any{"ProgressDeadlineExceeded", "NewReplicaSetAvailable", "Unschedulable", "Installing", "PodCompleted", "Other", "", nil}
)

// condition adds or changes a condition whose type some rule knows.
func (m mutator) condition(obj map[string]any) {
	c := map[string]any{
		"type":    pick(m, conditionTypes),
		"status":  pick(m, []any{"True", "True", "False", "Unknown", "true", ""}),
		"reason":  pick(m, conditionReasons),
		"message": fmt.Sprintf("message %d%%", m.IntN(9)),
	}
	m.insert(obj, c)
}

// brokenCondition adds a condition of another shape.
func (m mutator) brokenCondition(obj map[string]any) {
	c := map[string]any{"type": pick(m, conditionTypes), "status": "True"}
	c[pick(m, []string{"type", "status", "reason", "message", "lastTransitionTime"})] = m.odd()
	m.insert(obj, pick(m, []any{c, c, c, nil, "text", map[string]any{}}))
}

func (m mutator) insert(obj map[string]any, c any) {
	status, _ := obj["status"].(map[string]any)
	list, _ := status["conditions"].([]any)
	if len(list) > 0 && m.IntN(3) == 0 {
		list[m.IntN(len(list))] = c
		return
	}
	put(obj, "status.conditions", slices.Insert(slices.Clone(list), m.IntN(len(list)+1), c))
}

// lists returns the lists that are not empty.
func lists(obj map[string]any) (all []place) {
	for _, p := range places(obj) {
		if list, _ := p.get().([]any); len(list) > 0 {
			all = append(all, p)
		}
	}
	return all
}

func (m mutator) shuffle(obj map[string]any) {
	for _, p := range lists(obj) {
		list, _ := p.get().([]any)
		m.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

func (m mutator) repeat(obj map[string]any) {
	if all := lists(obj); len(all) > 0 {
		p := pick(m, all)
		list, _ := p.get().([]any)
		p.set(slices.Insert(slices.Clone(list), m.IntN(len(list)+1), runtime.DeepCopyJSONValue(pick(m, list))))
	}
}

func (m mutator) generations(obj map[string]any) {
	numbers := []any{int64(0), int64(1), int64(1), int64(2), int64(2), int64(-1), 2.0, "2", nil}
	put(obj, "metadata.generation", pick(m, numbers))
	put(obj, "status.observedGeneration", pick(m, numbers))
}

func (m mutator) rekind(obj map[string]any) {
	version, kind, _ := strings.Cut(pick(m, []string{
		"apps/v1 Deployment", "apps/v1 StatefulSet", "apps/v1 DaemonSet", "apps/v1 ReplicaSet", "extensions/v1beta1 Deployment",
		"extensions/v1beta1 DaemonSet", "extensions/v1beta1 ReplicaSet", "v1 Pod", "v1 Service", "v1 PersistentVolumeClaim", "v1 ConfigMap",
		"v1 Secret", "batch/v1 Job", "batch/v1 CronJob", "policy/v1 PodDisruptionBudget", "apiextensions.k8s.io/v1 CustomResourceDefinition",
		"example.com/v1 Widget", "apps/v1 Pod", "example.com/v1 Deployment", "v1 List", "apps/v1/beta Deployment", "/v1 Pod",
	}), " ")
	obj["apiVersion"], obj["kind"] = version, kind
	if kind == "List" {
		obj["items"] = []any{}
	}
}

// containers sets containers of all shapes in a running Pod.
func (m mutator) containers(obj map[string]any) {
	if m.IntN(2) == 0 {
		obj["apiVersion"], obj["kind"] = "v1", "Pod"
	}
	put(obj, "status.phase", "Running")
	m.containerStatuses(obj)
}

// containerStatuses sets containers of all shapes.
func (m mutator) containerStatuses(obj map[string]any) {
	var list []any
	for i := range m.IntN(4) {
		c := map[string]any{"name": fmt.Sprint("c", i), "state": pick(m, []any{
			map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
			map[string]any{"waiting": map[string]any{"reason": "ContainerCreating"}},
			map[string]any{"waiting": map[string]any{}},
			map[string]any{"running": map[string]any{}},
		})}
		if m.IntN(6) == 0 {
			pick(m, places(c)).set(m.odd())
		}
		if m.IntN(8) == 0 {
			delete(c, pick(m, []string{"name", "state"}))
		}
		list = append(list, c)
	}
	put(obj, "status.containerStatuses", list)
}

func (m mutator) delete(obj map[string]any) {
	if m.IntN(4) == 0 {
		put(obj, "metadata.deletionTimestamp", pick(m, []any{"2026-01-01T00:00:00Z", "", nil, true}))
	}
}
