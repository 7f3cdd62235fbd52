package expect

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/guard"
	"kstatus.dev/status"
	statusschema "kstatus.dev/status/schema"
)

// Definitions is where the definitions of custom kinds are.
var Definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// How often, and how many times, it is tried to find a kind in its OpenAPI
// document, which the server writes a moment after it begins to serve the kind.
const (
	publishPause = time.Second
	attempts     = 3
)

// How long objects are not read because others of their kind cannot be listed.
const askLimit = 5 * time.Second

// A Reader reads what kinds promise from one cluster.
type Reader struct {
	Kinds   *Kinds              // what is read goes there
	Learn   func(status.Object) // given each definition
	Objects dynamic.Interface
	Server  rest.Interface // for what is not an object; nil: that is not read

	mu sync.Mutex // held while a document is read, so that none is read twice
}

// Read reads what a kind promises: from its definition, else from its OpenAPI
// document, else from the list of what the server serves, which tells no more
// than whether there is a status subresource. If that leaves open whether an
// observed generation is to be expected, other objects of the kind are looked
// at. That something may not be read is no error.
//
// It returns the resourceVersion of the definition, empty if there is none to read.
func (r *Reader) Read(ctx context.Context, m *meta.RESTMapping) (version string, err error) {
	definition, err := r.Objects.Resource(Definitions).Get(ctx, m.Resource.GroupResource().String(), metav1.GetOptions{})
	switch {
	case err == nil:
		version = definition.GetResourceVersion()
		r.Learn(definition)
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
	limited, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	if r.Ask(limited, m) != nil {
		return version, ctx.Err() // it is asked again if objects are waited for on which nothing is reported
	}
	return version, nil
}

// isAbsent reports whether something does not exist for this user.
func isAbsent(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}

func (r *Reader) expectation(m *meta.RESTMapping) statusschema.Expectation {
	return r.Kinds.Of(m.GroupVersionKind.GroupVersion().String(), m.GroupVersionKind.Kind)
}

// KindOf returns the kind that a mapping is of.
func KindOf(m *meta.RESTMapping) status.Kind {
	return status.Kind{Group: m.GroupVersionKind.Group, Kind: m.GroupVersionKind.Kind}
}

// readPublished reads what is published of the API of a kind. A kind that has a
// status subresource has a schema as well, though it may be published later, and
// a server may fail to publish what another one serves.
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
			if r.expectation(m).Status == statusschema.TristateUnknown { // else a file has told more
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

// Path returns under which path of a server the versions of a group are.
func Path(group string) string {
	if group == "" {
		return "/api"
	}
	return "/apis/" + group
}

// Get reads a document of a server, given by its path, below that of the server
// itself, and its query. Groups, versions and OpenAPI documents are named by servers, and
// client-go would follow dots in a path.
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
