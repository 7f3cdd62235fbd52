package rack

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	finalizer         = "rack.kstatus.dev"
	clusterNameLabel  = "cluster.x-k8s.io/cluster-name"
	controlPlaneLabel = "cluster.x-k8s.io/control-plane"
	pausedAnnotation  = "cluster.x-k8s.io/paused"
)

var (
	clusterKind      = schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Cluster"}
	machineKind      = schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Machine"}
	controlPlaneKind = schema.GroupVersionKind{Group: "controlplane.cluster.x-k8s.io", Version: "v1", Kind: "RackControlPlane"}
	configKind       = schema.GroupVersionKind{Group: "bootstrap.cluster.x-k8s.io", Version: "v1", Kind: "RackConfig"}
)

type object = unstructured.Unstructured

// empty returns an empty object of a kind.
func empty(kind schema.GroupVersionKind) *object {
	o := &object{}
	o.SetGroupVersionKind(kind)
	return o
}

// field returns a value of an object, and nil if it is missing.
func field(o *object, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(o.Object, path...)
	return v
}

// text returns a text of an object, empty if it is missing.
func text(o *object, path ...string) string {
	s, _ := field(o, path...).(string)
	return s
}

// ownedBy returns the owner reference to an object.
func ownedBy(o *object) metav1.OwnerReference {
	controls := true
	return metav1.OwnerReference{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Name: o.GetName(), UID: o.GetUID(), Controller: &controls}
}

// get reads an object. It returns nil if it does not exist.
func get(ctx context.Context, c client.Client, kind schema.GroupVersionKind, namespace, name string) (*object, error) {
	o := empty(kind)
	err := c.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, o)
	if client.IgnoreNotFound(err) != nil {
		return nil, err
	}
	if err != nil {
		return nil, nil
	}
	return o, nil
}

// isPaused reports whether an object or its Cluster is paused. cluster may be nil.
func isPaused(cluster, o *object) bool {
	_, annotated := o.GetAnnotations()[pausedAnnotation]
	return annotated || cluster != nil && field(cluster, "spec", "paused") == true
}

// condition returns a condition. It keeps the time of a stored one with the same status.
func condition(o *object, typ string, is bool, reason string) map[string]any {
	status := map[bool]string{true: "True", false: "False"}[is]
	c := map[string]any{"type": typ, "status": status, "reason": reason, "message": "",
		"observedGeneration": o.GetGeneration(), "lastTransitionTime": time.Now().UTC().Format(time.RFC3339)}
	list, _ := field(o, "status", "conditions").([]any)
	for _, item := range list {
		if stored, _ := item.(map[string]any); stored["type"] == typ && stored["status"] == status {
			c["lastTransitionTime"] = stored["lastTransitionTime"]
		}
	}
	return c
}

// writePaused reports a pause in the condition Paused, and changes no other field.
func writePaused(ctx context.Context, c client.Client, o *object) error {
	conditions := []any{condition(o, "Paused", true, "Paused")}
	list, _ := field(o, "status", "conditions").([]any)
	for _, item := range list {
		if stored, _ := item.(map[string]any); stored["type"] != "Paused" {
			conditions = append(conditions, stored)
		}
	}
	return writeStatus(ctx, c, o, map[string]any{"conditions": conditions})
}

// writeStatus merges fields into the status, unless they have these values. The API server
// rejects the write if the object has changed since it was read.
func writeStatus(ctx context.Context, c client.Client, o *object, status map[string]any) error {
	same := true
	for name, value := range status {
		same = same && reflect.DeepEqual(field(o, "status", name), value)
	}
	if same {
		return nil
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{"resourceVersion": o.GetResourceVersion()}, "status": status})
	if err != nil {
		return err
	}
	return c.Status().Patch(ctx, o, client.RawPatch(types.MergePatchType, data))
}
