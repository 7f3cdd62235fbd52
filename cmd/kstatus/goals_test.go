package main

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/exit"
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

// A tenant chooses how many objects fail. The explanation after a wait is about the first of them.
func TestExplanationOfManyObjects(t *testing.T) {
	t.Parallel()
	c := newMemoryCluster(t)
	for i := range 1002 {
		c.put(fmt.Sprintf("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c%d, uid: c%d}\nstatus: {phase: Lost}\n", i, i))
	}
	have := c.run("", "wait", "persistentvolumeclaims", "--timeout", "0", "-o", "json")
	if want := `"what":"2 more objects"`; have.code != 3 || strings.Count(have.out, want) != 1 {
		t.Errorf("have %d, want 3 and %s once in\n%.2000s%s", have.code, want, have.out, have.notes)
	}
}

// A wait for applied versions notices other ones.
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

// With --missing=fail a wait ends when an object is deleted.
func TestWaitEndsAtDeletion(t *testing.T) {
	t.Parallel()
	c := newMemoryCluster(t, strings.Replace(webDeployment, "availableReplicas: 1", "availableReplicas: 0", 1))
	have := c.during([]string{"wait", "deployment/web", "--missing", "fail", "--timeout", "5m"}, func() {
		c.Delete(c.Find(schema.GroupKind{Group: "apps", Kind: "Deployment"}, "shop", "web"))
	})
	if have.code != exit.Missing {
		t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
	}
}

// All commands print one word for an object that fails and may recover, and count it by that word.
func TestFailingIsOneWord(t *testing.T) {
	t.Parallel()
	c := newMemoryCluster(t, `apiVersion: v1
kind: Pod
metadata: {name: big, namespace: shop, uid: u1, creationTimestamp: "2026-01-01T12:00:00Z"}
spec: {containers: [{name: app, image: "a:1"}]}
status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: no node fits}]}
`)
	for _, args := range [][]string{{"get", "pod/big"}, {"wait", "pod/big", "--timeout", "1s"}, {"explain", "pod/big"}} {
		have := c.run("", append(args, "-o", "json")...)
		if !strings.Contains(have.out, `"status":"InProgress"`) && !strings.Contains(have.out, `"status":"Failed"`) {
			t.Errorf("%s: have %s", args, have.out)
		}
		if strings.Contains(have.out, `"status":"InProgress"`) && !strings.Contains(have.out, `"failing":true`) || strings.Contains(have.out, `"counts":{"InProgress"`) {
			t.Errorf("%s: have %s", args, have.out)
		}
	}
}
