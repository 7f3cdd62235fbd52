package witness

import (
	"context"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Version is a version of an object, with the verdict on it alone.
type Version struct {
	UID                  string
	Resource             int64 // the resourceVersion; zero: the object does not exist
	Generation, Observed int64
	Result               status.Result
}

// A Live reads objects from an API server, one by one.
type Live struct {
	objects   dynamic.Interface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
	evaluator status.Evaluator
}

// NewLive returns a Live that judges with an evaluator.
func NewLive(config *rest.Config, evaluator status.Evaluator) (*Live, error) {
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	known, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Live{objects, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known)), evaluator}, nil
}

// Get returns the present version of a target. For a kind that is not served, the object does
// not exist.
func (l *Live) Get(ctx context.Context, t observe.Target) (Version, error) {
	mapping, err := l.mapper.RESTMapping(schema.GroupKind(t.Kind))
	if meta.IsNoMatchError(err) {
		l.mapper.Reset()
		return Version{}, nil
	}
	if err != nil {
		return Version{}, err
	}
	obj, err := l.objects.Resource(mapping.Resource).Namespace(t.Namespace).Get(ctx, t.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		l.mapper.Reset() // the kind may have been removed
		return Version{}, nil
	}
	if err != nil {
		return Version{}, err
	}
	return judged(obj, l.evaluator)
}

// judged returns the Version of an object.
func judged(obj *unstructured.Unstructured, evaluator status.Evaluator) (Version, error) {
	resource, err := strconv.ParseInt(obj.GetResourceVersion(), 10, 64)
	if err != nil {
		return Version{}, fmt.Errorf("%s %s: resourceVersion: %w", obj.GetKind(), obj.GetName(), err)
	}
	v := Version{UID: string(obj.GetUID()), Resource: resource, Generation: obj.GetGeneration()}
	v.Observed, _, _ = unstructured.NestedInt64(obj.Object, "status", "observedGeneration") // another type counts as missing
	result, err := evaluator.Compute(obj)
	if err != nil {
		return Version{}, fmt.Errorf("%s %s: %w", obj.GetKind(), obj.GetName(), err)
	}
	v.Result = *result
	return v, nil
}
