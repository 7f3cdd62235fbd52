package wait_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	"sigs.k8s.io/yaml"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Deployment whose only Pod has an image name that is not valid.
const badImage = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: web, uid: d, generation: 1, annotations: {deployment.kubernetes.io/revision: "1"}}
spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}
status:
  observedGeneration: 1
  replicas: 1
  updatedReplicas: 1
  unavailableReplicas: 1
  conditions: [{type: Available, status: "False"}, {type: Progressing, status: "True", reason: ReplicaSetUpdated}]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  namespace: shop
  name: web-1
  uid: r
  labels: {app: web, pod-template-hash: "1"}
  annotations: {deployment.kubernetes.io/revision: "1"}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d, controller: true}]
spec: {replicas: 1, selector: {matchLabels: {app: web, pod-template-hash: "1"}}, template: {metadata: {labels: {app: web, pod-template-hash: "1"}}}}
---
apiVersion: v1
kind: Pod
metadata:
  namespace: shop
  name: web-1-x
  uid: p
  labels: {app: web, pod-template-hash: "1"}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: r, controller: true}]
spec: {containers: [{name: api}]}
status:
  phase: Pending
  conditions: [{type: PodScheduled, status: "True"}]
  containerStatuses: [{name: api, state: {waiting: {reason: InvalidImageName, message: "couldn't parse image"}}}]
`

// A wait that looks once counts the Pods of a workload too.
func TestFetchReadsPods(t *testing.T) {
	var objects []runtime.Object
	for _, text := range strings.Split(badImage, "\n---\n") {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, u)
	}
	client := source.NewClientFor(source.Interfaces{Dynamic: fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
		{Group: "apps", Version: "v1", Resource: "deployments"}: "DeploymentList",
		{Group: "apps", Version: "v1", Resource: "replicasets"}: "ReplicaSetList",
		{Version: "v1", Resource: "pods"}:                       "PodList",
	}, objects...)}, source.Options{})
	target := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	r := wait.Resolver{Client: client}
	results, err := r.FetchAndResolve(t.Context(), target)
	if err != nil || len(results) != 1 {
		t.Fatalf("have %v, %v", results, err)
	}
	fetched := results[0]
	if fetched.Parts == nil || fetched.Result.Status != status.FailedStatus {
		t.Errorf("a look says %s %s, with the Pods %v; want Failed", fetched.Result.Status, fetched.Result.Reason, fetched.Parts)
	}
	r.Policy.Once = true
	for e, err := range r.WaitForStatus(t.Context(), target) {
		if err == nil && (e.Result.Status != fetched.Result.Status || e.Result.Reason != fetched.Result.Reason) {
			t.Errorf("a wait says %s %s, a look %s %s", e.Result.Status, e.Result.Reason, fetched.Result.Status, fetched.Result.Reason)
		}
	}
}
