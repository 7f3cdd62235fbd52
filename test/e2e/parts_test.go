package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The manifests of workloads whose Pods fare as a command, an image or a request asks for.
const (
	fine        = "image: registry.example.com/c"
	crashing    = "image: registry.example.com/c, command: [sh, -c, exit 3]"
	unpullable  = "image: registry.invalid/c"
	huge        = `image: registry.example.com/c, resources: {requests: {cpu: "1000"}}`
	anyPatience = 2 * time.Minute // for what takes seconds
)

// workload returns the manifest of an object whose Pods have one container.
func workload(kind, name, labels, spec, container string) string {
	version := "apps/v1"
	if kind == "ReplicationController" {
		version = "v1"
	}
	selector := "matchLabels: {" + labels + "}"
	if kind == "ReplicationController" {
		selector = labels
	}
	return fmt.Sprintf(`apiVersion: %s
kind: %s
metadata: {name: %s}
spec:
  %s
  selector: {%s}
  template:
    metadata: {labels: {%s}}
    spec: {containers: [{name: c, %s}]}
`, version, kind, name, spec, selector, labels, container)
}

// An act is something to do once an update is as wished.
type act struct {
	when func(observe.Update) bool
	then func()
}

func is(word status.Status, reason string) func(observe.Update) bool {
	return func(u observe.Update) bool {
		return u.Result.Status == word && (reason == "" || u.Result.Reason == reason)
	}
}

func says(reason string) func(observe.Update) bool {
	return func(u observe.Update) bool { return u.Result.Reason == reason }
}

// play watches until the acts are done, in their order, and returns all updates.
func play(t *testing.T, config *rest.Config, target observe.Target, acts ...act) (all []observe.Update) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), anyPatience)
	defer cancel()
	done := 0
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: config}}).Updates(ctx, target) {
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("generation %d/%d: %s %s, %s: %s", u.Version.Observed, u.Version.Generation, u.Result.Status, u.Result.Reason, u.Standing, u.Result.Message)
		all = append(all, u)
		if !acts[done].when(u) {
			continue
		}
		if acts[done].then != nil {
			acts[done].then()
		}
		if done++; done == len(acts) {
			return all
		}
	}
	t.Fatalf("act %d of %d has not come", done+1, len(acts))
	return nil
}

func TestPodsOfANewRevisionExplainADeployment(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	web := func(container string) string {
		return workload("Deployment", "web", "app: web", "replicas: 2", container)
	}
	applied(t, c, ns, web(fine))
	all := play(t, c.Config(), named("apps", "Deployment", ns, "web"),
		act{is(status.CurrentStatus, ""), func() { applied(t, c, ns, web(crashing)) }},
		act{says("CrashLoop"), func() { applied(t, c, ns, web(unpullable)) }},
		act{says("ImagePullBackOff"), func() { applied(t, c, ns, web(fine)) }},
		act{is(status.CurrentStatus, ""), nil})
	reasons := map[int64]string{2: "CrashLoop", 3: "ImagePullBackOff"}
	for _, u := range all {
		if f := u.Result.Failure; f != status.NoFailure && u.Result.Reason != reasons[u.Version.Generation] {
			t.Errorf("generation %d is told to have %s: %s", u.Version.Generation, u.Result.Reason, u.Result.Message)
		}
		if reason := reasons[u.Version.Generation]; u.Result.Reason == reason && !strings.Contains(u.Result.Message, "Pod web-") {
			t.Errorf("it does not name the Pod: %s", u.Result.Message)
		}
	}
}
