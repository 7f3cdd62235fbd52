package test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// ruleFields are the fields that the rules of kstatus read, by kind. They follow the names of
// the values in fieldValues.
var ruleFields = map[string]string{
	"v1 ConfigMap":                  "",
	"v1 Secret":                     "",
	"batch/v1 CronJob":              "",
	"policy/v1 PodDisruptionBudget": "",
	"v1 PersistentVolumeClaim":      "status.phase:phase",
	"v1 Service":                    "spec.type:service spec.clusterIP:address",
	"v1 Pod":                        "status.phase:phase status.phase:phase status.containerStatuses:containers metadata.creationTimestamp:time",
	"batch/v1 Job":                  "spec.suspend:flag spec.parallelism:count spec.completions:count status.succeeded:count status.failed:count status.active:count status.startTime:time",
	"apps/v1 StatefulSet": "spec.replicas:count status.replicas:count status.readyReplicas:count status.currentReplicas:count status.updatedReplicas:count " +
		"spec.updateStrategy.type:strategy spec.updateStrategy.rollingUpdate.partition:count status.currentRevision:revision status.updateRevision:revision",
	"apps/v1 Deployment": "spec.replicas:count spec.progressDeadlineSeconds:deadline status.replicas:count status.updatedReplicas:count status.readyReplicas:count status.availableReplicas:count",
	"apps/v1 ReplicaSet": "spec.replicas:count status.replicas:count status.readyReplicas:count status.availableReplicas:count status.fullyLabeledReplicas:count",
	"apps/v1 DaemonSet":  "status.desiredNumberScheduled:count status.currentNumberScheduled:count status.updatedNumberScheduled:count status.numberAvailable:count status.numberReady:count",
	"apiextensions.k8s.io/v1 CustomResourceDefinition": "",
	"example.com/v1 Widget":                            "status.phase:phase spec.replicas:count status.replicas:count",
}

// kindsOfRules are the kinds of generated objects, with the kind whose fields they have.
var kindsOfRules = func() (all [][2]string) {
	for _, kind := range strings.Split("extensions/v1beta1 Deployment;extensions/v1beta1 ReplicaSet;extensions/v1beta1 DaemonSet;apps/v1beta2 StatefulSet;batch/v1beta1 CronJob;"+
		"apps/v1 Pod;v1 Deployment;/v1 Pod;/ Pod;apps/v1/beta Deployment;v1 List;apps/ Deployment; Pod;v1 ; ", ";") {
		_, name, _ := strings.Cut(kind, " ")
		fields := "example.com/v1 Widget"
		for of := range ruleFields {
			if strings.HasSuffix(of, " "+name) {
				fields = of
			}
		}
		all = append(all, [2]string{kind, fields})
	}
	for kind := range ruleFields {
		for range 4 { // the kinds with a rule are the most frequent
			all = append(all, [2]string{kind, kind})
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) }) // a seed means the same in every run
	return all
}()

// fieldValues are the values of a field that rules read, without the odd ones.
var fieldValues = map[string][]any{
	"phase":    {"Pending", "Running", "Running", "Succeeded", "Failed", "Unknown", "Bound", "Lost", "", "running"},
	"service":  {"ClusterIP", "LoadBalancer", "LoadBalancer", "NodePort", "ExternalName", ""},
	"address":  {"", "None", "10.0.0.1"},
	"time":     {"", "2026-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "yesterday", "null"},
	"flag":     {true, false},
	"count":    {int64(0), int64(1), int64(2), int64(3), int64(3), int64(3)},
	"deadline": {int64(600), int64(math.MaxInt32), int64(math.MaxInt32 - 1)},
	"strategy": {"OnDelete", "RollingUpdate", ""},
	"revision": {"a", "b", ""},
}

// extremes are numbers at the ends of their types, and floats.
var extremes = []any{
	int64(math.MinInt64), int64(math.MinInt64 + 1), int64(math.MaxInt64), int64(math.MaxInt64 - 1), int64(-1), int64(-2), int64(math.MaxInt32), int64(math.MinInt32), int64(1) << 32,
	3.0, 1.0, 0.0, -1.0, 1.5, 1e300, -1e300, float64(1 << 53), float64(1 << 63),
}

// generated returns an object with fields that are present, absent, of the wrong type or extreme. The
// same seed gives the same object.
func generated(seed uint64) map[string]any {
	m := mutator{rand.New(rand.NewPCG(20260202, seed))}
	kind := pick(m, kindsOfRules)
	obj := map[string]any{"metadata": map[string]any{"name": "a", "namespace": "b"}}
	version, name, _ := strings.Cut(kind[0], " ")
	put(obj, "apiVersion", version)
	put(obj, "kind", name)
	if name == "List" {
		obj["items"] = []any{}
	}
	oddness := pick(m, []int{0, 0, 0, 2, 20}) // of a hundred fields
	for field := range strings.FieldsSeq(ruleFields[kind[1]]) {
		path, values, _ := strings.Cut(field, ":")
		m.field(obj, path, values, oddness)
	}
	if m.IntN(3) > 0 {
		m.field(obj, "metadata.generation", "count", oddness)
		m.field(obj, "status.observedGeneration", "count", oddness)
	}
	if m.IntN(3) > 0 {
		put(obj, "metadata.generation", int64(2))
		put(obj, "status.observedGeneration", int64(2))
	}
	for range m.IntN(4) {
		m.condition(obj)
	}
	if m.IntN(100) < oddness {
		m.brokenCondition(obj)
	}
	if m.IntN(100) < oddness {
		m.delete(obj)
	}
	if m.IntN(400) < oddness {
		obj[pick(m, []string{"metadata", "spec", "status", "kind", "apiVersion"})] = m.odd()
	}
	return obj
}

// field sets a field, or leaves it out.
func (m mutator) field(obj map[string]any, path, values string, oddness int) {
	switch n := m.IntN(100); {
	case n < oddness && m.IntN(2) == 0:
		put(obj, path, m.odd())
	case n < oddness+oddness/2+1:
		put(obj, path, pick(m, extremes))
	case n > 85:
	case values == "containers":
		m.containerStatuses(obj)
	default:
		put(obj, path, pick(m, fieldValues[values]))
	}
}
