// Package endpoint connects to the source and the target of a move, and reads and deletes the
// objects of a plan there.
package endpoint

import (
	"context"
	"fmt"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/plan"
)

// An ID identifies a cluster or a folder.
type ID struct {
	Server string `json:"server"`        // the URL of the API server, or the path of the folder
	UID    string `json:"uid,omitempty"` // of the namespace kube-system; empty for a folder
}

// Is reports whether both are the same cluster or folder. A cluster may have several URLs.
func (id ID) Is(other ID) bool {
	return id.UID == other.UID && (id.UID != "" || id.Server == other.Server)
}

// A Cluster is the source or the target.
type Cluster struct {
	*management.Client                    // refuses writes once a lock is lost, as Config does
	Locking            *management.Client // for the locks themselves
	Config             *rest.Config
	Role               string // source or target
	Server             string // the URL of its API server
	UID                string // of its namespace kube-system
	shared             Shared
}

// Shared is what both clusters of a move use.
type Shared struct {
	Requests    *atomic.Int64  // counts the requests with [Cluster.Config]
	Locks       *journal.Locks // without them, writes are refused
	Concurrency int            // the number of requests at the same time
	// Retry calls do until it succeeds, or fails for good. what names the operation in errors.
	Retry func(ctx context.Context, what string, do func(context.Context) error) error
}

// ID identifies the cluster, or the folder if c is nil.
func (c *Cluster) ID(folder string) ID {
	if c == nil {
		return ID{Server: folder}
	}
	return ID{c.Server, c.UID}
}

// Kinds returns the kinds of Cluster API in clusters, and other custom kinds that a plan names. A nil
// cluster is a folder and has none.
func Kinds(ctx context.Context, p *plan.Plan, clusters ...*Cluster) (all []*management.Kind, err error) {
	for _, c := range clusters {
		if c == nil {
			continue
		}
		kinds, err := c.Kinds(ctx)
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", c.Role, err)
		}
		asked := map[schema.GroupResource]bool{}
		for _, i := range p.Selected() {
			r := schema.GroupResource{Group: i.Group, Resource: i.Resource}
			if asked[r] || management.Find(kinds, schema.GroupKind{Group: i.Group, Kind: i.Kind}) != nil {
				continue
			}
			asked[r] = true
			foreign, err := c.Kind(ctx, r)
			if err != nil {
				return nil, fmt.Errorf("the %s: %w", c.Role, err)
			}
			if foreign != nil {
				kinds = append(kinds, foreign)
			}
		}
		all = append(all, kinds...)
	}
	return all, nil
}

// Journals returns how the journal of a move reaches clusters. A nil cluster is a folder and has no
// journal.
func Journals(clusters ...*Cluster) (all []journal.Cluster) {
	for _, c := range clusters {
		if c != nil {
			all = append(all, journal.Cluster{Name: "the " + c.Role, Client: c.Client, Locking: c.Locking})
		}
	}
	return all
}

// Close closes idle connections.
func (c *Cluster) Close() {
	c.Client.Close()
	c.Locking.Close()
}

// Connect connects to the cluster of config. A nil config means a folder: the result is nil.
func Connect(ctx context.Context, config *rest.Config, role string, shared Shared) (*Cluster, error) {
	if config == nil {
		return nil, nil
	}
	counted := management.Counted(config, shared.Requests)
	fenced := shared.Locks.Config(counted)
	client, err := management.NewClient(fenced)
	if err != nil {
		return nil, fmt.Errorf("the %s: %w", role, err)
	}
	locking, err := management.NewClient(counted)
	if err != nil {
		client.Close()
		return nil, fmt.Errorf("the %s: %w", role, err)
	}
	c := &Cluster{Client: client, Locking: locking, Config: fenced, Role: role, Server: config.Host, shared: shared}
	system, err := client.Metadata.Resource(namespaces).Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("the %s: read Namespace kube-system, which identifies the cluster: %w", role, err)
	}
	c.UID = string(system.UID)
	return c, nil
}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// CreateNamespace creates a namespace if it does not exist, with the labels and annotations that
// it has in the source. source may be nil.
func (c *Cluster) CreateNamespace(ctx context.Context, name string, source *Cluster) (created bool, err error) {
	_, err = c.Metadata.Resource(namespaces).Get(ctx, name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return false, err
	}
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
	if source != nil {
		if in, err := source.Metadata.Resource(namespaces).Get(ctx, name, metav1.GetOptions{}); err == nil {
			o.SetLabels(in.Labels)
			o.SetAnnotations(in.Annotations)
		}
	}
	_, err = c.Objects.Resource(namespaces).Create(ctx, o, metav1.CreateOptions{FieldManager: management.FieldManager})
	if apierrors.IsAlreadyExists(err) {
		return false, nil
	}
	return err == nil, err
}
