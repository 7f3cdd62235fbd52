package contract

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cluster-api/util/conditions"
	corecontract "sigs.k8s.io/cluster-api/util/contract"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/clusterapi/check"
)

// The findings about conditions match the behavior of core's own code. It panics for
// conditions-panic, rejects the list for conditions-rejected, and has no condition to mirror
// for without-summary.
func TestConditionsAsCoreReadsThem(t *testing.T) {
	const rounds = 20000
	seen := map[string]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		o := machine(r)
		found := map[string]bool{}
		for _, f := range lint.Run(lint.Bundle{Objects: []map[string]any{o}}, lint.Options{Checks: check.ObjectChecks(check.Options{})}) {
			found[f.Check] = true
		}
		outcome := core(o)
		seen[outcome]++
		var agree bool
		switch outcome {
		case "panics":
			agree = found["conditions-panic"]
		case "rejects":
			agree = found["conditions-rejected"]
		case "finds none":
			agree = !found["conditions-panic"] && !found["conditions-rejected"] && (found["without-summary"] || found["hidden-conditions"] || len(o["status"].(map[string]any)) == 0)
		default:
			agree = !found["conditions-panic"] && !found["conditions-rejected"] && !found["without-summary"]
		}
		if !agree {
			t.Fatalf("core %s; the checks found %v of\n%v", outcome, found, o)
		}
	}
	for _, outcome := range []string{"panics", "rejects", "finds none", "mirrors"} {
		if seen[outcome] < rounds/50 {
			t.Errorf("core %s %d of %d times; the objects are too much alike", outcome, seen[outcome], rounds)
		}
	}
}

// core describes what core's code does with the condition Ready of an object.
func core(o map[string]any) (outcome string) {
	defer func() {
		if recover() != nil {
			outcome = "panics"
		}
	}()
	c, err := conditions.UnstructuredGet(&unstructured.Unstructured{Object: o}, "Ready")
	switch {
	case err != nil:
		return "rejects"
	case c == nil:
		return "finds none"
	}
	return "mirrors"
}

// machine returns a machine with valid or invalid conditions.
func machine(r *rand.Rand) map[string]any {
	status := map[string]any{}
	if list := conditionList(r); list != nil {
		status["conditions"] = list
	}
	if r.IntN(4) == 0 {
		status["v1beta2"] = map[string]any{"conditions": conditionList(r)}
	}
	return map[string]any{"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta2", "kind": "FooMachine",
		"metadata": map[string]any{"name": "m", "namespace": "prod", "generation": int64(2)}, "status": status}
}

func conditionList(r *rand.Rand) any {
	if r.IntN(12) == 0 {
		return pick(r, nil, "Ready", map[string]any{"Ready": "True"}, int64(1))
	}
	list := []any{}
	for range r.IntN(4) {
		if r.IntN(20) == 0 {
			list = append(list, pick(r, nil, "Ready", true, []any{}))
			continue
		}
		c := map[string]any{"type": pick(r, "Ready", "Ready", "Paused", "Disk"), "status": pick(r, "True", "False", "Unknown"), "reason": "Because"}
		for _, odd := range []struct {
			name   string
			values []any
		}{
			{"type", []any{"", nil, int64(1)}},
			{"status", []any{"true", "", nil, true}},
			{"reason", []any{"", nil, 1.5}},
			{"message", []any{"words", nil, []any{}}},
			{"observedGeneration", []any{int64(1), int64(2), nil, "2", 1.5}},
			{"lastTransitionTime", []any{"2026-11-01T10:00:00Z", "2026-11-01T10:00:00.5+01:00", "", "null", "yesterday", nil, int64(0)}},
		} {
			if r.IntN(12) == 0 {
				c[odd.name] = pick(r, odd.values...)
			}
			if r.IntN(40) == 0 {
				delete(c, odd.name)
			}
		}
		list = append(list, c)
	}
	return list
}

func pick(r *rand.Rand, values ...any) any { return values[r.IntN(len(values))] }

func TestDefinitionNamesAsCoreComputesThem(t *testing.T) {
	for _, kind := range []string{"FooMachine", "FooProxy", "FooSwitch", "FooCactus", "FooStatus", "FooData", "OpenStackIdentity", "K0sWorkerConfig", "FooMouse", "FooInfrastructure"} {
		t.Run(kind, func(t *testing.T) {
			if have, want := crd.Plural(kind)+".example.com", corecontract.CalculateCRDName("example.com", kind); have != want {
				t.Errorf("have %s; core computes %s", have, want)
			}
		})
	}
	if have := fmt.Sprint(check.Contracts()); have != "[v1beta2 v1beta1]" {
		t.Errorf("contracts %s; core reads v1beta2, then v1beta1", have)
	}
}
