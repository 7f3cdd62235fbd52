package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// crashingPod returns a Pod whose containers crash.
func crashingPod(name string, owner string, containers int) map[string]any {
	metadata := map[string]any{"name": name, "namespace": "shop", "uid": name, "resourceVersion": "7", "generation": 1}
	if owner != "" {
		metadata["ownerReferences"] = []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": owner, "uid": owner, "controller": true}}
	}
	var specs, states []any
	for i := range containers {
		container := fmt.Sprintf("c%d", i)
		specs = append(specs, map[string]any{"name": container, "image": "x", "env": []any{map[string]any{
			"name": "A", "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": fmt.Sprintf("s%d", i), "key": "k"}}}}})
		states = append(states, map[string]any{"name": container, "ready": false, "restartCount": 3,
			"state":     map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff", "message": "again"}},
			"lastState": map[string]any{"terminated": map[string]any{"exitCode": 1 + i%200, "reason": "Error"}}})
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": map[string]any{"containers": specs},
		"status": map[string]any{"phase": "Running", "containerStatuses": states}}
}

// widgetDefinition returns a definition whose spec has a schema.
func widgetDefinition(spec map[string]any) map[string]any {
	return map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "widgets.example.com"},
		"spec": map[string]any{"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Widget", "plural": "widgets"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{"spec": spec}}}}}}}
}

// hostileInputs are files that take long if their cost grows faster than their size.
func hostileInputs() map[string][]any {
	var chain, missing []any
	for i := range 2000 {
		owner := ""
		if i > 0 {
			owner = fmt.Sprintf("p%d", i-1)
		}
		chain = append(chain, crashingPod(fmt.Sprintf("p%d", i), owner, 1))
		for j := range 5 {
			missing = append(missing, map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": fmt.Sprintf("m%d-%d", i, j), "namespace": "shop"}})
		}
	}
	terms := make([]string, 3000)
	for i := range terms {
		terms[i] = fmt.Sprintf("self.a == %d", i)
	}
	rule := map[string]any{"rule": strings.Join(terms, " || ")}
	deep := map[string]any{"type": "string"}
	nested := any("end")
	for range 300 {
		deep = map[string]any{"type": "object", "properties": map[string]any{"a": deep}}
	}
	for range 3000 {
		nested = []any{nested}
	}
	return map[string][]any{
		"a chain of 2,000 owners":         chain,
		"a Pod with 3,000 containers":     {crashingPod("many", "", 3000)},
		"10,000 objects that are missing": missing,
		"8 rules with 3,000 terms":        {widgetDefinition(map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "integer"}}, "x-kubernetes-validations": []any{rule, rule, rule, rule, rule, rule, rule, rule}})},
		"a schema of 300 levels":          {widgetDefinition(deep)},
		"an object of 3,000 levels":       {map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w", "namespace": "shop"}, "spec": nested}},
	}
}

// maxInput is how much of a processor a command may use for a file. Costs that grew faster than the
// files took minutes.
const maxInput = 5 * time.Second

// Each command ends soon for each file, whatever is in it. A wait ends at its timeout.
// With -v, the test prints what each uses.
func TestHostileInputs(t *testing.T) {
	t.Parallel()
	for it, objects := range hostileInputs() {
		var live []string
		file := filepath.Join(t.TempDir(), "input.yaml")
		var text strings.Builder
		for _, o := range objects {
			data, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			live = append(live, string(data))
			fmt.Fprintf(&text, "%s\n---\n", data)
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(it, "missing") {
			live = nil
		}
		for _, command := range []string{
			"get --local -f FILE", "get --local --tree -f FILE", "explain --local -f FILE", "lint FILE", "capi check FILE", "rbac -f FILE",
			"wait -f FILE --timeout 3s", "wait pods --timeout 3s", "explain pods", "get pods --tree",
		} {
			t.Run(command+"/"+it, func(t *testing.T) {
				t.Parallel()
				s := serve(t, live...)
				args := append(strings.Fields(strings.ReplaceAll(command, "FILE", file)), "--kubeconfig", s.kubeconfig(), "--cache-dir", t.TempDir())
				u := usage(t, args...)
				t.Logf("| %s | %s | %.1f s | %.2f s of a processor |", command, it, u.took.Seconds(), u.processor.Seconds())
				if u.code == 2 || strings.Contains(u.out, "has a bug") {
					t.Errorf("have %d\n%.3000s", u.code, u.out)
				}
				if u.processor > maxInput {
					t.Errorf("the command uses %s of a processor, want %s at most", u.processor, maxInput)
				}
			})
		}
	}
}
