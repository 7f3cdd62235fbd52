package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/wiretest"
)

// crashingJob is a Job whose Pod crashes.
const crashingJob = `apiVersion: batch/v1
kind: Job
metadata: {name: retry, namespace: shop, uid: retry-uid, generation: 1, creationTimestamp: "2026-01-01T12:00:00Z"}
spec: {backoffLimit: 3, completions: 1, parallelism: 1, selector: {matchLabels: {job: retry}}, template: {metadata: {labels: {job: retry}}, spec: {restartPolicy: OnFailure, containers: [{name: main, image: "retry:1"}]}}}
status: {active: 1, ready: 0, startTime: "2026-01-01T12:00:00Z"}
---
apiVersion: v1
kind: Pod
metadata:
  name: retry-x
  namespace: shop
  uid: retry-pod
  labels: {job: retry}
  creationTimestamp: "2026-01-01T12:00:00Z"
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: retry, uid: retry-uid, controller: true}]
spec: {restartPolicy: OnFailure, nodeName: n1, containers: [{name: main, image: "retry:1"}]}
status:
  phase: Running
  conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}, {type: Initialized, status: "True"}]
  containerStatuses:
  - {name: main, ready: false, restartCount: 3, state: {waiting: {reason: CrashLoopBackOff, message: back-off}}, lastState: {terminated: {exitCode: 3, reason: Error, startedAt: "2026-01-01T12:00:00Z", finishedAt: "2026-01-01T12:00:01Z"}}}
`

// failedCrashingJob is the Job after it has failed and has deleted its Pod.
const failedCrashingJob = `apiVersion: batch/v1
kind: Job
metadata: {name: retry, namespace: shop, uid: retry-uid, generation: 1, creationTimestamp: "2026-01-01T12:00:00Z"}
spec: {backoffLimit: 3, completions: 1, parallelism: 1, selector: {matchLabels: {job: retry}}, template: {metadata: {labels: {job: retry}}, spec: {restartPolicy: OnFailure, containers: [{name: main, image: "retry:1"}]}}}
status:
  failed: 1
  startTime: "2026-01-01T12:00:00Z"
  conditions: [{type: FailureTarget, status: "True", reason: REASON, message: MESSAGE}, {type: Failed, status: "True", reason: REASON, message: MESSAGE}]
`

// A wait keeps the exit code and the log of a Pod that its Job has deleted. The replay of its record
// does too.
func TestWaitKeepsCrashOfDeletedPod(t *testing.T) {
	for _, row := range []struct{ reason, message, also string }{
		{"BackoffLimitExceeded", "Job has reached the specified backoff limit", "reason = BackoffLimitExceeded"},
		{"DeadlineExceeded", "Job was active longer than specified deadline", "it ran longer than activeDeadlineSeconds"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			t.Parallel()
			c := newMemoryCluster(t, crashingJob)
			const log = "/api/v1/namespaces/shop/pods/retry-x/log"
			c.On(wiretest.Rule{Match: wiretest.Match{Path: log}, Reply: wiretest.Reply{Body: `"no license in /etc/license"`}})
			record := filepath.Join(t.TempDir(), "run.ndjson")
			ended := make(chan answer, 1)
			go func() { ended <- c.run("", "wait", "job/retry", "--timeout", "1m", "--record", record) }()
			for hasRead := false; !hasRead; {
				select {
				case have := <-ended:
					t.Fatalf("it ends before it has read the log: %d\n%s%s", have.code, have.out, have.notes)
				case <-time.After(10 * time.Millisecond):
					hasRead = slices.ContainsFunc(c.Requests(), func(r wiretest.Request) bool { return r.Path == log })
				}
			}
			for _, o := range c.Objects() {
				if o.GetKind() == "Pod" {
					c.Delete(o)
				}
			}
			c.put(strings.NewReplacer("REASON", row.reason, "MESSAGE", row.message).Replace(failedCrashingJob))
			have := <-ended
			replay := c.run("", "wait", "--local", "-f", record)
			if have.code != exit.Failed || replay.code != have.code {
				t.Errorf("the wait exits with %d, and its replay with %d", have.code, replay.code)
			}
			for name, text := range map[string]string{"the wait": have.out, "the replay": replay.out} {
				_, text, _ := strings.Cut(text, "Failed")
				for _, want := range []string{row.message + "; Pod retry-x: CrashLoopBackOff: container main exits with code 3 (3 restarts)", `Cause     container "main" exits with code 3`, "no license in /etc/license", row.also, "kubectl -n shop get events"} {
					if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
						t.Errorf("%s lacks %q:\n%s", name, want, text)
					}
				}
				if strings.Contains(text, "kubectl -n shop logs") {
					t.Errorf("%s names a command that finds nothing:\n%s", name, text)
				}
			}
		})
	}
}

// The result of a wait has a warning if a controller has not reacted to a change.
func TestWaitWarnsAboutSilentController(t *testing.T) {
	const widget = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: %[1]s
  namespace: shop
  generation: 2
  managedFields:
  - {manager: kubectl, operation: Apply, time: "%[2]s", fieldsV1: {"f:spec": {}}}
  - {manager: c, operation: Update, subresource: status, time: "%[3]s", fieldsV1: {"f:status": {}}}
status: {conditions: [{type: Ready, status: "True"}]}
`
	ago := func(d time.Duration) string { return time.Now().Add(-d).UTC().Format(time.RFC3339) }
	c := newMemoryCluster(t)
	c.Serve(wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets", Status: true})
	c.put(fmt.Sprintf(widget, "silent", ago(30*time.Second), ago(time.Hour)))
	c.put(fmt.Sprintf(widget, "served", ago(time.Hour), ago(30*time.Second)))
	have := c.run("", "wait", "widgets", "--timeout", "1m")
	if n := strings.Count(have.out, "WARNING"); have.code != exit.OK || n != 1 || !strings.Contains(have.out, "Widget/shop/silent: current, but its controller has not written its status since its spec was changed") {
		t.Errorf("have %d\n%s%s", have.code, have.out, have.notes)
	}
}
