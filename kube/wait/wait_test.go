package wait_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// unreachableConfig has the address of a server that does not run.
var unreachableConfig = &rest.Config{Host: "https://127.0.0.1:1"}

func typedObject(name string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
}

func metadataObject(kind, name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": kind, "metadata": map[string]any{"namespace": "shop", "name": name}}}
}

func TestObjectsWithoutKind(t *testing.T) {
	rows := []struct {
		it     string
		object runtime.Object
		scheme *runtime.Scheme
		want   string
	}{
		{"is nil", nil, nil, "identify an object: it is nil"},
		{"is a nil pointer", (*appsv1.Deployment)(nil), nil, "identify an object: it is nil"},
		{"is a list", &appsv1.DeploymentList{}, scheme.Scheme,
			"identify a *v1.DeploymentList: it has no metadata of an object; of a list, give the items"},
		{"is typed, without a scheme", typedObject("web"), nil,
			`identify *v1.Deployment "web": apiVersion and kind are not set, and no Scheme knows the type; ` +
				"set one, such as Resolver.Scheme, for built-in kinds to scheme.Scheme of k8s.io/client-go/kubernetes/scheme"},
		{"is typed, with a type that is not in the scheme", typedObject("web"), runtime.NewScheme(),
			`identify *v1.Deployment "web": apiVersion and kind are not set, and the Scheme does not know the type: ` +
				"no kind is registered for the type v1.Deployment in scheme "},
		{"has no kind", metadataObject("", "web"), scheme.Scheme, `identify *unstructured.Unstructured "web": kind: want a string, have none`},
		{"has no name", metadataObject("Deployment", ""), nil,
			"identify Deployment: metadata.name: want a name, have none; the object that the API server returned has one"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			r := wait.Resolver{Config: unreachableConfig, Scheme: row.scheme}
			results, err := r.FetchAndResolveObjects(t.Context(), row.object)
			if err != nil || len(results) != 1 || results[0].Err == nil || !strings.HasPrefix(results[0].Err.Error(), row.want) ||
				results[0].Result.Status != status.UnknownStatus || results[0].Result.Reason != "Malformed" {
				t.Errorf("have %+v, %v\nwant %s", results, err, row.want)
			}
			var errs []error
			for e, err := range r.WaitForStatusOfObjects(t.Context(), row.object) {
				if errs = append(errs, err); err == nil {
					t.Errorf("have an event for %s", e.Target)
				}
			}
			if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), "wait: "+row.want) {
				t.Errorf("the wait has %v", errs)
			}
		})
	}
}

// An object without an identity does not prevent others from being read.
func TestResultsKeepTheOrderOfTheObjects(t *testing.T) {
	r := wait.Resolver{Config: unreachableConfig, Scheme: scheme.Scheme}
	results, err := r.FetchAndResolveObjects(t.Context(), metadataObject("", "a"), typedObject("b"), metadataObject("Deployment", ""), metadataObject("Job", "d"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, r := range results {
		have = append(have, r.Target.Kind.Kind+" "+r.Target.Name+" "+r.Result.Reason)
	}
	want := " a Malformed,Deployment b Transport,Deployment  Malformed,Job d Transport"
	if got := strings.Join(have, ","); got != want {
		t.Errorf("have %s\nwant %s", got, want)
	}
}

func TestTargetsWithoutAKind(t *testing.T) {
	r := wait.Resolver{Config: unreachableConfig}
	results, err := r.FetchAndResolve(t.Context(), observe.Target{Name: "web"})
	if err != nil || len(results) != 1 || results[0].Result.Reason != "Malformed" || results[0].Err == nil {
		t.Errorf("have %+v, %v", results, err)
	}
	n := 0
	for _, err := range r.WaitForStatus(t.Context(), observe.Target{}) {
		if n++; err == nil || err.Error() != `wait: identify target "": it has no kind` {
			t.Errorf("have %v", err)
		}
	}
	if n != 1 {
		t.Errorf("the wait yields %d times, want once", n)
	}
}

func TestNoTargets(t *testing.T) {
	r := wait.Resolver{Config: unreachableConfig}
	for _, err := range r.WaitForStatus(t.Context()) {
		end, ok := errors.AsType[*wait.Unfinished](err)
		if !ok || end.Outcome != observe.OutcomeMissing || err.Error() != "wait: missing: there is nothing to wait for" {
			t.Errorf("have %v", err)
		}
	}
	if results, err := r.FetchAndResolve(t.Context()); err != nil || len(results) != 0 {
		t.Errorf("have %v, %v, want nothing", results, err)
	}
}

// The error of a wait matches the error of its context, and the cause of that.
func TestCanceledContext(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, enough)
	defer cancel()
	target := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	r := wait.Resolver{Config: unreachableConfig}
	var last error
	for _, err := range r.WaitForStatus(ctx, target) {
		last = err
	}
	if !errors.Is(last, enough) || !errors.Is(last, context.DeadlineExceeded) {
		t.Errorf("the wait ends with %v", last)
	}
	results, err := r.FetchAndResolve(ctx, target)
	if !errors.Is(err, enough) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the look ends with %v", err)
	}
	if len(results) != 1 || results[0].Target != target || results[0].Result.Status != status.UnknownStatus || !errors.Is(results[0].Err, enough) {
		t.Errorf("have %+v", results)
	}
}
