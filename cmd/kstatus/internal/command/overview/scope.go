package overview

import (
	"context"
	"errors"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	kubeconnection "kstatus.dev/kube/connection"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// terminating returns the namespace of a cluster if it is being deleted. It returns an error if
// the namespace does not exist.
func terminating(ctx context.Context, cluster *connection.Cluster) ([]selection.Object, error) {
	namespace, err := cluster.GetNamespace(ctx)
	if namespace == nil || namespace.GetDeletionTimestamp() == nil {
		return nil, err
	}
	t := observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: cluster.Namespace, Cluster: cluster.Name}
	return []selection.Object{{Target: t, Listed: namespace}}, nil
}

// clusterScoped returns the cluster-scoped objects of an overview of all namespaces, and the
// number of served CustomResourceDefinitions. Definitions are large, and a definition that is
// served and not being deleted is Current. So it reads only the metadata of definitions.
func (c *Command) clusterScoped(ctx context.Context, cluster *connection.Cluster) (found []selection.Object, served int, err error) {
	listed, unlisted := c.flags.Selection.List(ctx, cluster, selection.Request{Args: []string{strings.Join(selection.ClusterTypes, ",")}})
	found = listed.Objects
	errs := []error{unlisted}
	isServed := map[string]bool{}
	for _, t := range cluster.ServedTypes() {
		isServed[t.FullName()] = true
	}
	all, err := kubeconnection.AllMetadata(ctx, metav1.ListOptions{}, cluster.Client.Interfaces().Metadata.Resource(definitions).List)
	if !apierrors.IsNotFound(err) {
		errs = append(errs, err)
	}
	for _, d := range all {
		if isServed[d.Name] && d.DeletionTimestamp == nil {
			served++
			continue
		}
		found = append(found, selection.Object{Target: observe.Target{
			Kind: status.Kind{Group: definitions.Group, Kind: "CustomResourceDefinition"}, Name: d.Name, Cluster: cluster.Name,
		}})
	}
	return found, served, errors.Join(errs...)
}

// withoutDenied returns the types that the user may not list, and all other errors. It drops
// errors about types that are not served.
func withoutDenied(err error) (denied []string, other error) {
	var others []error
	for _, err := range connection.FlattenErrors(err) {
		var answer apierrors.APIStatus
		_, isUnserved := errors.AsType[*connection.TypeError](err)
		switch {
		case err == nil, isUnserved:
		case apierrors.IsForbidden(err) && errors.As(err, &answer) && answer.Status().Details != nil:
			denied = append(denied, schema.GroupResource{Group: answer.Status().Details.Group, Resource: answer.Status().Details.Kind}.String())
		default:
			others = append(others, err)
		}
	}
	slices.Sort(denied)
	return denied, errors.Join(others...)
}

// withNamespaceFirst moves the verdict on a terminating namespace to the front, since its
// deletion is why the other objects are deleted.
func withNamespaceFirst(namespace string, bad []output.Verdict) {
	i := slices.IndexFunc(bad, func(v output.Verdict) bool {
		return v.ID.Kind.Kind == "Namespace" && v.ID.Group == "" && v.ID.Name == namespace
	})
	if i > 0 {
		first := bad[i]
		copy(bad[1:i+1], bad[:i])
		bad[0] = first
	}
}
