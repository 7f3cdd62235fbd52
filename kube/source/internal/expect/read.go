package expect

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
	statusschema "kstatus.dev/status/schema"
)

// Definitions is the resource of the definitions of custom kinds.
var Definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// The interval and the number of the attempts to find a kind in its OpenAPI document. The
// server writes the document a moment after it begins to serve the kind.
const (
	publishPause = time.Second
	attempts     = 3
)

// peersTimeout is how long the list of other objects of a kind may delay its objects.
const peersTimeout = 5 * time.Second

// A Reader reads the expectations of kinds from one cluster.
type Reader struct {
	Kinds        *Kinds              // receives the results
	OnDefinition func(status.Object) // called with each definition
	Objects      dynamic.Interface
	Server       rest.Interface // for documents that are not objects; nil: they are not read

	turn turn.Turn // belongs to the caller that reads a document, so that none is read twice
}

// Read reads the expectation of a kind from its definition, else from its OpenAPI document, else
// from discovery. Discovery shows only whether a status subresource exists. If the observed
// generation remains open, other objects of the kind are read. Forbidden sources are no error.
//
// It returns the resourceVersion of the definition, empty if it is not readable.
func (r *Reader) Read(ctx context.Context, m *meta.RESTMapping) (version string, err error) {
	definition, err := r.Objects.Resource(Definitions).Get(ctx, m.Resource.GroupResource().String(), metav1.GetOptions{})
	switch {
	case err == nil:
		version = definition.GetResourceVersion()
		r.OnDefinition(definition)
	case !isAbsent(err):
		return "", err
	case r.Server != nil:
		if err := r.readPublished(ctx, m); err != nil {
			return "", err
		}
	}
	if r.expectation(m).ObservedGeneration != statusschema.TristateUnknown || r.expectation(m).Status == statusschema.TristateNo {
		return version, nil
	}
	limited, cancel := context.WithTimeout(ctx, peersTimeout)
	defer cancel()
	if r.ReadPeers(limited, m) != nil {
		return version, ctx.Err() // it is read again if objects without a report are waited for
	}
	return version, nil
}

// isAbsent reports whether a resource does not exist for this user.
func isAbsent(err error) bool {
	return apierrors.IsNotFound(err) || connection.IsRefused(err)
}

func (r *Reader) expectation(m *meta.RESTMapping) statusschema.Expectation {
	return r.Kinds.Of(m.GroupVersionKind.GroupVersion().String(), m.GroupVersionKind.Kind)
}

// KindOf returns the kind of a mapping.
func KindOf(m *meta.RESTMapping) status.Kind {
	return status.Kind(m.GroupVersionKind.GroupKind())
}

// readPublished reads the published schema of a kind. A kind with a status subresource also has
// a schema, which may be published later. A server may also fail to publish what another one
// serves.
func (r *Reader) readPublished(ctx context.Context, m *meta.RESTMapping) error {
	var listed *statusschema.Expectation
	for try := 1; ; try++ {
		e, found, err := r.document(ctx, m)
		if apierrors.IsUnauthorized(err) || ctx.Err() != nil {
			return err
		}
		if found {
			r.Kinds.setExpectation(KindOf(m), m.GroupVersionKind.Version, e)
			return nil
		}
		if listed == nil {
			if listed, err = r.readDiscovery(ctx, m); err != nil {
				return err
			}
		}
		if try == attempts || listed.Subresource != statusschema.TristateYes {
			if r.expectation(m).Status == statusschema.TristateUnknown { // otherwise a file has set it
				r.Kinds.setExpectation(KindOf(m), m.GroupVersionKind.Version, *listed)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(publishPause):
		}
	}
}

// readDiscovery reads from the list of resources whether a kind has a status subresource.
func (r *Reader) readDiscovery(ctx context.Context, m *meta.RESTMapping) (*statusschema.Expectation, error) {
	var resources metav1.APIResourceList
	err := Get(ctx, r.Server, Path(m.GroupVersionKind.Group)+"/"+m.GroupVersionKind.Version, &resources)
	switch {
	case isAbsent(err):
		return &statusschema.Expectation{}, nil
	case err != nil:
		return nil, err
	}
	e := &statusschema.Expectation{Subresource: statusschema.TristateNo, Source: m.Resource.GroupResource().String()}
	for _, resource := range resources.APIResources {
		if resource.Name == m.Resource.Resource+"/status" {
			e.Subresource = statusschema.TristateYes
		}
	}
	return e, nil
}

// Path returns the path of the versions of a group on a server.
func Path(group string) string {
	if group == "" {
		return "/api"
	}
	return "/apis/" + group
}

// Get reads a document of a server by its path, relative to the URL of the server, and its
// query. Servers name groups, versions and OpenAPI documents, and client-go would resolve dots
// in a path.
func Get(ctx context.Context, server rest.Interface, uri string, into any) error {
	path, _, _ := strings.Cut(strings.TrimPrefix(uri, "/"), "?")
	if err := guard.CheckPath(path); err != nil {
		return fmt.Errorf("request to %q rejected: %w", uri, err)
	}
	data, err := server.Get().RequestURI(uri).SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read %s: %w", uri, err)
	}
	return nil
}
