package main

import (
	"strings"
	"testing"
)

// webDeployment is a Deployment that is Current, as a server returns it.
const webDeployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: u1, generation: 2, resourceVersion: "1"}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:2"}]}}
status:
  observedGeneration: 2
  replicas: 1
  updatedReplicas: 1
  readyReplicas: 1
  availableReplicas: 1
  conditions: [{type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}]
`

// All types of a category have one minimum.
func TestWaitForCategory(t *testing.T) {
	for _, row := range []struct {
		it      string
		objects []string
		args    []string
		want    answer // its texts are parts
	}{
		{"succeeds if one type has an object", []string{webDeployment}, nil, answer{0, "ok: 1 current", ""}},
		{"requires more objects with --min", []string{webDeployment}, []string{"--min", "2"}, answer{5, "1 of 2 objects of 8 types match", ""}},
		{"requires one object", nil, nil, answer{5, "no object of 8 types matches; at least 1 must exist", ""}},
		{"requires an object of a TYPE", []string{webDeployment}, []string{"job"}, answer{5, "no object matches; at least 1 must exist", ""}},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			args := []string{"wait", "all", "--timeout", "0"}
			if len(row.args) == 1 {
				args[1] = row.args[0]
			} else {
				args = append(args, row.args...)
			}
			have := newMemoryCluster(t, row.objects...).run("", args...)
			if all := have.out + have.notes; have.code != row.want.code || !strings.Contains(all, row.want.out) || strings.Count(all, "NOT MET") > 1 {
				t.Errorf("have %d\n%s", have.code, all)
			}
		})
	}
}

// A wait for what was applied notices what runs instead.
func TestWaitForApplied(t *testing.T) {
	later := strings.NewReplacer("generation: 2", "generation: 3", "observedGeneration: 2", "observedGeneration: 3")
	for _, row := range []struct {
		it, live string
		code     int
		want     string
	}{
		{"accepts what was applied", webDeployment, 0, "ok: 1 current"},
		{"accepts other replicas", later.Replace(strings.NewReplacer("eplicas: 1", "eplicas: 3").Replace(webDeployment)), 0, "ok: 1 current"},
		{"fails if another image runs", strings.Replace(later.Replace(webDeployment), "web:2", "web:1", 1), 3,
			"another change has replaced generation 2, which was applied, by generation 3: spec.template.spec.containers[0].image is web:1, and web:2 was applied"},
	} {
		for _, format := range []string{"text", "json"} {
			t.Run(row.it+" as "+format, func(t *testing.T) {
				t.Parallel()
				c := newMemoryCluster(t, row.live)
				have := c.run(strings.Replace(webDeployment, `resourceVersion: "1"`, "a: b", 1), "wait", "-f", "-", "--timeout", "20s", "-o", format)
				want := row.want
				if format == "json" && row.code == 0 {
					want = `"Current"`
				}
				if int(have.code) != row.code || !strings.Contains(have.out+have.notes, want) {
					t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
				}
			})
		}
	}
}
