package wait_test

import (
	"errors"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
)

const liveDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: web, uid: d, generation: 3}
spec:
  replicas: 1
  minReadySeconds: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {newer: field, containers: [{name: app, image: "web:1", resources: {}, newer: field}]}
status:
  observedGeneration: 3
  replicas: 1
  updatedReplicas: 1
  readyReplicas: 1
  availableReplicas: 1
  conditions: [{type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}]
`

// A wait for an object that an apply has returned fails if another program runs instead.
func TestAppliedObjects(t *testing.T) {
	plain := func(edits ...string) runtime.Object {
		u := &unstructured.Unstructured{}
		data, err := yaml.YAMLToJSON([]byte(strings.NewReplacer(edits...).Replace(liveDeployment)))
		if err == nil {
			err = u.UnmarshalJSON(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	typed := func(edits ...string) runtime.Object {
		d := &appsv1.Deployment{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(plain(edits...).(runtime.Unstructured).UnstructuredContent(), d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	const before, older, fast = "generation: 3", "generation: 2", "minReadySeconds: 0"
	for _, row := range []struct {
		it      string
		applied runtime.Object
		fails   bool
		caveat  bool
	}{
		{it: "accepts what was applied", applied: plain()},
		{it: "accepts what was applied, as a Go type", applied: typed()},
		{it: "accepts a later generation with the same template", applied: plain(before, older)},
		{it: "accepts a later generation with the same template, as a Go type", applied: typed(before, older)},
		{it: "fails if another image runs", applied: plain(before, older, "web:1", "web:2"), fails: true},
		{it: "fails if another image runs, as a Go type", applied: typed(before, older, "web:1", "web:2"), fails: true},
		{it: "warns of another field", applied: plain(before, older, fast, "minReadySeconds: 5"), caveat: true},
		{it: "warns of another field, as a Go type", applied: typed(before, older, fast, "minReadySeconds: 5"), caveat: true},
		{it: "compares nothing with a file", applied: plain(before, "", "uid: d, ", "", "web:1", "web:2")},
	} {
		t.Run(row.it, func(t *testing.T) {
			client := source.NewClientFor(source.Interfaces{Dynamic: fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
				{Group: "apps", Version: "v1", Resource: "deployments"}: "DeploymentList",
				{Group: "apps", Version: "v1", Resource: "replicasets"}: "ReplicaSetList",
				{Version: "v1", Resource: "pods"}:                       "PodList",
			}, plain())}, source.Options{})
			var failed error
			var last observe.Update
			for e, err := range (wait.Resolver{Client: client, Scheme: scheme.Scheme}).WaitForStatusOfObjects(t.Context(), row.applied) {
				if failed = err; err == nil {
					last = e.Update
				}
			}
			var unfinished *wait.Unfinished
			if fails := errors.As(failed, &unfinished); fails != row.fails || fails && last.Result.Reason != "Superseded" {
				t.Errorf("have %v with %s %s", failed, last.Result.Reason, last.Result.Message)
			}
			if caveat := last.Result.Caveat != ""; caveat != row.caveat {
				t.Errorf("have the caveat %q", last.Result.Caveat)
			}
		})
	}
}
