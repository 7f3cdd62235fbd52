package source_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	refusedSet = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: x, namespace: shop, uid: u}
spec: {replicas: 2}
status: {replicas: 1}
`
	refusedDaemon = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: x, namespace: shop, uid: u}
status: {desiredNumberScheduled: 3, currentNumberScheduled: 0}
`
	refusedJob = `
apiVersion: batch/v1
kind: Job
metadata: {name: x, namespace: shop, uid: u}
spec: {parallelism: 1}
`
	refusal = `
apiVersion: v1
kind: Event
metadata: {name: x.1, namespace: shop}
reason: FailedCreate
message: exceeded quota
firstTimestamp: "2026-01-01T12:00:00Z"
lastTimestamp: "2026-01-01T12:01:00Z"
involvedObject: {kind: KIND, name: x, uid: u}
`
	creation = `
apiVersion: v1
kind: Event
metadata: {name: x.2, namespace: shop}
reason: SuccessfulCreate
lastTimestamp: "2026-01-01T12:01:01Z"
involvedObject: {kind: KIND, name: x, uid: u}
`
)

// An event that the creation of Pods fails is a part of a workload whose status does not say so.
func TestRefusedPods(t *testing.T) {
	const failed = "Event/KIND/x Failed QuotaOrAdmissionDenied: exceeded quota"
	for _, row := range []struct {
		it       string
		object   string
		events   string
		want     []string
		requests []string
	}{
		{"reports the refusal to a StatefulSet", refusedSet, refusal, []string{failed}, []string{"list pods", "list events"}},
		{"reports the refusal to a DaemonSet", refusedDaemon, refusal, []string{failed}, []string{"list pods", "list events"}},
		{"reports the refusal to a Job", refusedJob, refusal, []string{failed}, []string{"list pods", "list events"}},
		{"ignores a refusal before a success", refusedSet, refusal + "---\n" + creation, nil, []string{"list pods", "list events"}},
		{"ignores a success before a refusal", refusedSet, strings.Replace(creation, "12:01:01", "12:00:59", 1) + "---\n" + refusal, []string{failed}, []string{"list pods", "list events"}},
		{"ignores the refusal to a former object", refusedSet, strings.Replace(refusal, "uid: u", "uid: v", 1), nil, []string{"list pods", "list events"}},
		{"reads no events about a StatefulSet with all Pods", strings.Replace(refusedSet, "replicas: 1", "replicas: 2", 1), refusal, nil, []string{"list pods"}},
		{"reads no events about a suspended Job", strings.Replace(refusedJob, "parallelism: 1", "suspend: true", 1), refusal, nil, []string{"list pods"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			u := parse(t, row.object)[0]
			target := observe.Target{Kind: status.Kind{Group: u.GroupVersionKind().Group, Kind: u.GetKind()}, Namespace: "shop", Name: "x"}
			cluster := eventCluster(t, strings.ReplaceAll(row.events, "KIND", u.GetKind()))
			c := source.Cluster{Client: source.NewClientFor(source.Interfaces{Dynamic: cluster}, source.Options{})}
			var have, requests []string
			err := c.ReadParts(t.Context(), map[observe.Target]*unstructured.Unstructured{target: u}, func(e observe.Event) {
				result, err := e.Evaluator.Compute(e.Object)
				if err != nil || e.Of != target {
					t.Errorf("the verdict on a part of %v is %v", e.Of, err)
					return
				}
				have = append(have, e.Target.Kind.Kind+"/"+e.Target.Name+" "+string(result.Status)+" "+result.Reason+": "+result.Message)
			})
			if want := strings.ReplaceAll(strings.Join(row.want, "\n"), "KIND", u.GetKind()); err != nil || strings.Join(have, "\n") != want {
				t.Errorf("the parts are %q, %v, want %q", have, err, want)
			}
			for _, a := range cluster.Actions() {
				requests = append(requests, a.GetVerb()+" "+a.GetResource().Resource)
			}
			if !slices.Equal(requests, row.requests) {
				t.Errorf("the requests are %q, want %q", requests, row.requests)
			}
		})
	}
}
