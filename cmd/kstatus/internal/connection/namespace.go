package connection

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"kstatus.dev/internal/typo"
)

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// A NamespaceError is the error for a namespace that does not exist.
type NamespaceError struct {
	Name    string
	Similar string // an existing namespace with a similar name; may be empty
}

// Error returns the text with the similar name.
func (e *NamespaceError) Error() string {
	text := fmt.Sprintf("namespace %q does not exist", e.Name)
	if e.Similar != "" {
		text += "; did you mean " + e.Similar + "?"
	}
	return text
}

// GetNamespace returns the namespace of the cluster, or a [NamespaceError] if it does not exist.
// It returns nil without an error if the namespace cannot be read. If that matters, other
// requests fail too.
func (c *Cluster) GetNamespace(ctx context.Context) (*unstructured.Unstructured, error) {
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return nil, err
	}
	namespace, err := client.Resource(namespaces).Get(ctx, c.Namespace, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, &NamespaceError{Name: c.Namespace, Similar: typo.Find(c.Namespace, c.namespaceNames(ctx))}
	case err != nil:
		return nil, nil
	}
	namespace.SetGroupVersionKind(namespaces.GroupVersion().WithKind("Namespace"))
	return namespace, nil
}

// NoteMissingNamespace prints a note if the namespace of the cluster does not exist.
func (c *Cluster) NoteMissingNamespace(ctx context.Context) {
	_, err := c.GetNamespace(ctx)
	if missing, ok := errors.AsType[*NamespaceError](err); ok {
		c.Note(missing.Error())
	}
}

// namespaceNames returns the names of the namespaces, or nil if they cannot be listed.
func (c *Cluster) namespaceNames(ctx context.Context) (names []string) {
	const most = 1000
	client, err := metadata.NewForConfig(c.Config)
	if err != nil {
		return nil
	}
	list, err := client.Resource(namespaces).List(ctx, metav1.ListOptions{Limit: most})
	if err != nil {
		return nil
	}
	for _, item := range list.Items {
		names = append(names, item.Name)
	}
	return names
}
