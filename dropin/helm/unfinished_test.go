package helm

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"helm.sh/helm/v4/pkg/kube"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/resource"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var web = observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}

func ExampleWrap() {
	var configuration struct{ KubeClient kube.Interface } // that of package action
	configuration.KubeClient = Wrap(kube.New(genericclioptions.NewConfigFlags(true)))
	_, err := configuration.KubeClient.GetWaiter("often")
	fmt.Println(err != nil)
	// Output: true
}

func TestUnfinished(t *testing.T) {
	board := new(observe.Board)
	board.Add(observe.Update{
		Target: web, Progress: observe.ProgressFailed,
		Result: status.Result{Status: status.FailedStatus, Reason: "ProgressDeadlineExceeded", Message: "0/1 available"},
	})
	other := observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: "shop", Name: "conf"}
	err := unfinished(observe.OutcomeTimeout, board, context.DeadlineExceeded, []observe.Target{web, other})
	const want = "wait timed out: context deadline exceeded; 2 of 2 objects are not ready:\n" +
		"Deployment/shop/web is Failed (ProgressDeadlineExceeded): 0/1 available\n" +
		"ConfigMap/shop/conf has not been read"
	if err.Error() != want {
		t.Errorf("have\n%v\nwant\n%s", err, want)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the error does not match that of the context")
	}
}

// Each outcome has words.
func TestOutcomes(t *testing.T) {
	for _, o := range []observe.Outcome{
		observe.OutcomeFailure, observe.OutcomeForbidden, observe.OutcomeMissing, observe.OutcomeTimeout, observe.OutcomeInterrupted, observe.OutcomeUnknown,
	} {
		if outcomes[o] == "" {
			t.Errorf("the outcome %s has no words", o)
		}
	}
}

func TestHasCompleted(t *testing.T) {
	job, pod := observe.Target{Kind: jobKind}, observe.Target{Kind: podKind}
	complete := map[string]any{"conditions": []any{map[string]any{"type": "Complete", "status": "True"}}}
	for _, row := range []struct {
		it     string
		target observe.Target
		status status.Status
		obj    status.Object
		want   bool
	}{
		{"is a Job that has completed", job, status.CurrentStatus, status.Map{"status": complete}, true},
		{"is not a Job that is suspended", job, status.CurrentStatus, status.Map{"status": map[string]any{}}, false},
		{"is not a Job in progress", job, status.InProgressStatus, status.Map{"status": complete}, false},
		{"is not a Pod that runs", pod, status.CurrentStatus, status.Map{"status": map[string]any{"phase": "Running"}}, false},
		{"is a Pod that has succeeded", pod, status.CurrentStatus, status.Map{"status": map[string]any{"phase": "Succeeded"}}, true},
		{"is not a Pod without a status", pod, status.CurrentStatus, status.Map{}, false},
	} {
		have, _ := hasCompleted(observe.Update{Target: row.target, Result: status.Result{Status: row.status}}, row.obj)
		if have != row.want {
			t.Errorf("it %s: have %t", row.it, have)
		}
	}
}

// The target of an object has the namespace of its kind's scope.
func TestTargetOf(t *testing.T) {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment"}}
	namespaced := &meta.RESTMapping{GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Scope: meta.RESTScopeNamespace}
	global := &meta.RESTMapping{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Scope: meta.RESTScopeRoot}
	for _, row := range []struct {
		mapping *meta.RESTMapping
		want    observe.Target
	}{
		{namespaced, web},
		{nil, web},
		{global, observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: "web"}},
	} {
		if have := targetOf(&resource.Info{Mapping: row.mapping, Namespace: "shop", Name: "web", Object: u}); have != row.want {
			t.Errorf("have %v, want %v", have, row.want)
		}
	}
}
