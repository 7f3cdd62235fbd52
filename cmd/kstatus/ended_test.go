package main

import (
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/wiretest"
)

// completedJob is a Job that has completed.
const completedJob = `apiVersion: batch/v1
kind: Job
metadata: {name: done, namespace: shop, uid: done-uid, generation: 1}
spec: {completions: 1, parallelism: 1, selector: {matchLabels: {job: done}}, template: {metadata: {labels: {job: done}}, spec: {restartPolicy: Never, containers: [{name: main, image: "done:1"}]}}}
status: {succeeded: 1, startTime: "2026-01-01T12:00:00Z", completionTime: "2026-01-01T12:00:05Z", conditions: [{type: SuccessCriteriaMet, status: "True"}, {type: Complete, status: "True"}]}
`

// A wait for a condition ends if the object has completed without it.
func TestWaitForConditionOfCompleted(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: done, namespace: shop}\nspec: {restartPolicy: Never, containers: [{name: main}]}\nstatus: {phase: Succeeded, conditions: [{type: Ready, status: \"False\", reason: PodCompleted}]}\n"
	for _, row := range []struct {
		args []string
		code exit.Code
		want string
	}{
		{[]string{"job/done", "--for=condition=Failed"}, exit.Failed, "it has no condition Failed; it has Complete and SuccessCriteriaMet, and it has completed"},
		{[]string{"jobs", "--for=condition=Failed"}, exit.Failed, "it has no condition Failed; it has Complete and SuccessCriteriaMet, and it has completed"},
		{[]string{"job/done", "--for=condition=Complete=False"}, exit.Failed, "condition Complete is True, and it has completed"},
		{[]string{"pod/done", "--for=condition=Ready"}, exit.Failed, "condition Ready is False: PodCompleted, and it has completed"},
		{[]string{"job/done", "--for=condition=Complete"}, exit.OK, "ok: 1 current"},
		{[]string{"job/done", "--for=condition=Failed", "--for=condition=Complete", "--any"}, exit.OK, "ok: "},
		{[]string{"job/done", "--for=delete", "--timeout", "10ms"}, exit.Timeout, "timeout: "},
	} {
		t.Run(strings.Join(row.args, " "), func(t *testing.T) {
			t.Parallel()
			args := append([]string{"wait", "--timeout", "1h"}, row.args...)
			have := newMemoryCluster(t, completedJob, pod).run("", args...)
			if have.code != row.code || !strings.Contains(have.out+have.notes, row.want) {
				t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
			}
		})
	}
}

// A command that reads once has no notes about reading again.
func TestNoNotesAboutReadingAgain(t *testing.T) {
	c := newMemoryCluster(t, brokenWorkloads())
	c.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch", "list"}, Resource: "pods"}, Reply: wiretest.Forbidden})
	if have := c.run("", "get", "pod/web-x"); strings.Contains(have.notes, "every few seconds") || !strings.Contains(have.out, "exits with code 3") {
		t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
	}
}

// A command that reads once has no notes about watching.
func TestNoNotesAboutWatching(t *testing.T) {
	for _, args := range [][]string{{"get", "pod/web-x"}, {"get", "deployment/web", "pod/web-x"}, {"explain", "pod/web-x"}, {"get", "pods"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			c := newMemoryCluster(t, brokenWorkloads())
			c.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Forbidden})
			have := c.run("", args...)
			if strings.Contains(have.notes, "note:") || !strings.Contains(have.out, "exits with code 3") {
				t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
			}
		})
	}
}

// A server that answers slowly has answered before the deadline of a wait: the explanation does not
// begin with the deadline.
func TestExplanationBeginsBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	c := newMemoryCluster(t, `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: web-uid}
spec: {containers: [{name: main, image: "web:1"}], volumes: [{name: keys, secret: {secretName: web-keys}}]}
status: {phase: Pending, containerStatuses: [{name: main, ready: false, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]}
---
apiVersion: v1
kind: Event
metadata: {name: web.1, namespace: shop}
involvedObject: {apiVersion: v1, kind: Pod, namespace: shop, name: web, uid: web-uid}
type: Warning
reason: FailedMount
message: 'MountVolume.SetUp failed for volume "keys" : the disk of the node is read-only'
`)
	c.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}, Resource: "events"}, Reply: wiretest.Reply{Delay: time.Hour}})
	c.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}, Resource: "events"}, Times: 1})
	have := c.run("", "wait", "pod/web", "--timeout", "10s")
	if have.code != exit.Timeout || !strings.Contains(have.out, "the disk of the node is read-only") {
		t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
	}
}
