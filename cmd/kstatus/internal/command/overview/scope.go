package overview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/internal/typo"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var (
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

const (
	pageSize = 500 // definitions in one answer
	maxPages = 100 // answers to one list
)

// terminating returns the namespace of a cluster if it is being deleted. The error is for one
// that does not exist. Users without the permission to read the namespace get neither.
func (c *Command) terminating(ctx context.Context, cluster *connection.Cluster) ([]selection.Object, error) {
	client, err := dynamic.NewForConfig(cluster.Config)
	if err != nil {
		return nil, err
	}
	namespace, err := client.Resource(namespaces).Get(ctx, cluster.Namespace, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, c.missingNamespace(ctx, cluster)
	case err != nil || namespace.GetDeletionTimestamp() == nil:
		return nil, nil // an error that matters is one of the lists as well
	}
	namespace.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"})
	t := observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: cluster.Namespace, Cluster: cluster.Name}
	return []selection.Object{{Target: t, Listed: namespace}}, nil
}

// missingNamespace returns the error for a namespace that does not exist.
func (c *Command) missingNamespace(ctx context.Context, cluster *connection.Cluster) error {
	found, _ := c.flags.Selection.List(ctx, cluster, selection.Request{Args: []string{"namespaces"}}) // without names there is no suggestion
	names := make([]string, len(found))
	for i, o := range found {
		names[i] = o.Target.Name
	}
	return noSuchNamespace(cluster.Namespace, names)
}

// noSuchNamespace returns the error for a name that is none of those of namespaces.
func noSuchNamespace(name string, names []string) error {
	text := fmt.Sprintf("namespace %q does not exist", name)
	if meant := typo.Find(name, names); meant != "" {
		text += "; did you mean " + meant + "?"
	}
	return &missingError{text}
}

// A missingError is the error for a namespace that does not exist.
type missingError struct{ text string }

// Error names the namespace.
func (e *missingError) Error() string { return e.text }

// clusterScoped returns the objects without a namespace that an overview of all namespaces has,
// and how many CustomResourceDefinitions are served. Definitions are large, and one that is
// served and not being deleted is Current: only the metadata of those is read.
func (c *Command) clusterScoped(ctx context.Context, cluster *connection.Cluster) (found []selection.Object, served int, err error) {
	found, unlisted := c.flags.Selection.List(ctx, cluster, selection.Request{Args: []string{strings.Join(selection.ClusterTypes, ",")}})
	errs := []error{unlisted}
	client, err := metadata.NewForConfig(cluster.Config)
	if err != nil {
		return found, 0, err
	}
	isServed := map[string]bool{}
	for _, t := range cluster.ServedTypes() {
		isServed[t.FullName()] = true
	}
	options := metav1.ListOptions{Limit: pageSize}
	for range maxPages {
		page, err := client.Resource(definitions).List(ctx, options)
		if err != nil {
			if !apierrors.IsNotFound(err) {
				errs = append(errs, err)
			}
			break
		}
		for _, d := range page.Items {
			if isServed[d.Name] && d.DeletionTimestamp == nil {
				served++
				continue
			}
			found = append(found, selection.Object{Target: observe.Target{
				Kind: status.Kind{Group: definitions.Group, Kind: "CustomResourceDefinition"}, Name: d.Name, Cluster: cluster.Name,
			}})
		}
		if options.Continue = page.Continue; options.Continue == "" {
			break
		}
	}
	return found, served, errors.Join(errs...)
}

// withoutDenied returns the types that may not be listed, and the errors that are not about
// these or about types that are not served.
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

// withNamespaceFirst moves the verdict on a namespace that is being deleted to the front: the
// other objects are deleted with it.
func withNamespaceFirst(namespace string, bad []output.Verdict) {
	i := slices.IndexFunc(bad, func(v output.Verdict) bool {
		return v.ID.Kind == "Namespace" && v.ID.Group == "" && v.ID.Name == namespace
	})
	if i > 0 {
		first := bad[i]
		copy(bad[1:i+1], bad[:i])
		bad[0] = first
	}
}
