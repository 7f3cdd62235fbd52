package explain

import (
	"fmt"
	"testing"

	"kstatus.dev/status"
)

// A tenant chooses the owners and the references of its objects. The work grows with their number, and
// not with the number of ways from one to another.
func TestCostOfChains(t *testing.T) {
	rows := []struct {
		it    string
		facts func(t *testing.T, n int) *Facts
	}{
		{"counts a chain of owners", func(t *testing.T, n int) *Facts {
			return factsOf(t, n, func(i int) status.Map {
				p := crashing(i)
				if i > 0 {
					p["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{"uid": fmt.Sprint("p", i-1), "controller": true}}
				}
				return p
			})
		}},
		{"counts a chain of references", func(t *testing.T, n int) *Facts {
			return factsOf(t, n, func(i int) status.Map { return notReady(i, i+1) })
		}},
		{"counts layers of ten objects, each of which names the ten below", func(t *testing.T, n int) *Facts {
			return factsOf(t, n, func(i int) status.Map {
				var below []int
				for j := range 10 {
					below = append(below, (i/10+1)*10+j)
				}
				return notReady(i, below...)
			})
		}},
		{"counts objects with the same references", func(t *testing.T, n int) *Facts {
			return factsOf(t, n, func(i int) status.Map { return notReady(i+10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9) })
		}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			small, large := visited(row.facts(t, 100)), visited(row.facts(t, 400))
			if large > 5*small {
				t.Errorf("100 objects have %d findings, 400 have %d", small, large)
			}
		})
	}
}

// A tenant chooses how many containers a Pod has, and what they refer to.
func TestCostOfContainers(t *testing.T) {
	cost := func(n int) float64 {
		var containers, states []any
		for i := range n {
			name := fmt.Sprint("c", i)
			containers = append(containers, map[string]any{"name": name, "image": "x", "env": []any{map[string]any{"name": "A", "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": "s-" + name, "key": "k"}}}}})
			states = append(states, map[string]any{"name": name, "state": map[string]any{"waiting": map[string]any{"reason": "CreateContainerConfigError", "message": fmt.Sprintf("secret %q not found", "s-"+name)}}})
		}
		f := factsOf(t, 1, func(int) status.Map {
			return status.Map{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p", "namespace": "shop", "uid": "p"},
				"spec":   map[string]any{"nodeName": "n", "containers": containers},
				"status": map[string]any{"phase": "Pending", "conditions": []any{map[string]any{"type": "PodScheduled", "status": "True"}}, "containerStatuses": states}}
		})
		for i := range n {
			f.Events = append(f.Events, Event{About: f.Objects[0].ID, UID: "p", Type: "Warning", Reason: "Failed", Path: fmt.Sprintf("spec.containers{c%d}", i), Message: "Error: it fails"})
		}
		return testing.AllocsPerRun(1, func() { Explain(f, f.Objects[0].ID) })
	}
	if small, large := cost(200), cost(800); large > 5*small {
		t.Errorf("200 containers cost %.0f allocations, 800 cost %.0f", small, large)
	}
}

// visited returns the number of findings and of their links that an explanation of all objects makes.
func visited(f *Facts) (n int) {
	var requested []status.ID
	for _, o := range f.Objects {
		requested = append(requested, o.ID)
	}
	e := Explain(f, requested...)
	for _, c := range e.Causes {
		n += len(c.Chain) + len(c.Blocks)
	}
	tr := newTraversal(f, requested)
	tr.groups()
	for _, all := range tr.findings {
		n += len(all)
	}
	return n
}

func factsOf(t *testing.T, n int, object func(i int) status.Map) *Facts {
	f := &Facts{Now: caseNow}
	for i := range n {
		f.Objects = append(f.Objects, judged(t, object(i)))
	}
	return f
}

// crashing returns a Pod whose container crashes for a reason of its own.
func crashing(i int) status.Map {
	name := fmt.Sprint("p", i)
	return status.Map{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name, "namespace": "shop", "uid": name},
		"spec": map[string]any{"containers": []any{map[string]any{"name": "c", "image": "x"}}},
		"status": map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}},
			"containerStatuses": []any{map[string]any{"name": "c", "ready": false, "restartCount": 5.0,
				"state":     map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
				"lastState": map[string]any{"terminated": map[string]any{"exitCode": float64(i%200 + 1), "reason": "Error", "message": "unique " + name}}}}}}
}

// notReady returns a custom object that is not ready, and names others.
func notReady(i int, others ...int) status.Map {
	name, spec := fmt.Sprint("w", i), map[string]any{}
	for _, other := range others {
		spec[fmt.Sprint("ref", other)] = map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "name": fmt.Sprint("w", other)}
	}
	return status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": name, "namespace": "shop", "uid": name, "generation": 1.0},
		"spec": spec,
		"status": map[string]any{"observedGeneration": 1.0,
			"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": fmt.Sprint("R", i), "message": fmt.Sprintf("number %d is bad", i)}}}}
}
