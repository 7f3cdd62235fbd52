package management

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/connection"
)

// Labels and annotations of Cluster API, with what they mean here.
const (
	// InstalledLabel is on the definitions that clusterctl has installed.
	InstalledLabel = "clusterctl.cluster.x-k8s.io"
	// ProviderLabel is on the definitions of the components of a provider.
	ProviderLabel = "cluster.x-k8s.io/provider"
	// MoveLabel, on an object or a definition, moves objects that belong to no Cluster.
	MoveLabel = "clusterctl.cluster.x-k8s.io/move"
	// MoveHierarchyLabel does the same, and moves all objects that they own.
	MoveHierarchyLabel = "clusterctl.cluster.x-k8s.io/move-hierarchy"
	// ClusterNameLabel is on objects that belong to the Cluster of that name.
	ClusterNameLabel = "cluster.x-k8s.io/cluster-name"
	// BlockMoveAnnotation is on objects that must not be moved yet.
	BlockMoveAnnotation = "clusterctl.cluster.x-k8s.io/block-move"
	// DeleteForMoveAnnotation is on objects that are deleted because they have been moved.
	DeleteForMoveAnnotation = "clusterctl.cluster.x-k8s.io/delete-for-move"
	// PausedAnnotation pauses a single object.
	PausedAnnotation = "cluster.x-k8s.io/paused"
)

// Group is the API group of the core of Cluster API.
const Group = "cluster.x-k8s.io"

// The kinds that have a meaning of their own in a graph.
var (
	Cluster      = schema.GroupKind{Group: Group, Kind: "Cluster"}
	ClusterClass = schema.GroupKind{Group: Group, Kind: "ClusterClass"}
	Machine      = schema.GroupKind{Group: Group, Kind: "Machine"}
	Secret       = schema.GroupKind{Kind: "Secret"}
	ConfigMap    = schema.GroupKind{Kind: "ConfigMap"}

	resourceSetBinding = schema.GroupKind{Group: "addons." + Group, Kind: "ClusterResourceSetBinding"}
)

// A Kind is a kind whose objects belong to Cluster API. Kinds are compared by pointer.
type Kind struct {
	schema.GroupVersionKind // of the version in which the server stores it
	Resource                string
	Namespaced              bool
	Definition              string // the name of its CustomResourceDefinition; empty for Secret and ConfigMap
	HasStatus               bool   // it has a status, so a controller reports on its objects

	Labels, Annotations map[string]string // of the definition
	Versions            []string          // the served versions
}

// GroupVersionResource returns the resource of the kind.
func (k *Kind) GroupVersionResource() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// String returns the name of the resource as kubectl spells it.
func (k *Kind) String() string { return k.GroupVersionResource().GroupResource().String() }

// ReportsPaused reports whether the controllers of a kind are known to set the condition Paused.
// Core does so for all of its kinds, in each release that serves v1beta2. So a new object whose
// controller has not looked yet is not taken for one without the condition.
func (k *Kind) ReportsPaused() bool {
	return k.Group == Group && k.HasStatus && slices.Contains(k.Versions, "v1beta2")
}

// MetadataOnly reports whether only the metadata of its objects is read.
func (k *Kind) MetadataOnly() bool { return k.GroupKind() == Secret || k.GroupKind() == ConfigMap }

// builtIn are the kinds of Kubernetes whose objects belong to Clusters.
func builtIn() []*Kind {
	core := schema.GroupVersion{Version: "v1"}
	return []*Kind{
		{GroupVersionKind: core.WithKind("Secret"), Resource: "secrets", Namespaced: true, Versions: []string{"v1"}},
		{GroupVersionKind: core.WithKind("ConfigMap"), Resource: "configmaps", Namespaced: true, Versions: []string{"v1"}},
	}
}

// Definitions is the resource of CustomResourceDefinitions.
var Definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// concurrency is the number of requests that a Client sends at the same time.
const concurrency = 10

// Kinds returns the kinds of Cluster API in the cluster, sorted by group and resource. These are
// kinds of the groups of Cluster API, kinds whose definitions have [InstalledLabel],
// [ProviderLabel], [MoveLabel] or [MoveHierarchyLabel], Secret and ConfigMap.
//
// An error names the definitions that could not be read. The other kinds are returned with it.
func (c *Client) Kinds(ctx context.Context) ([]*Kind, error) {
	var names, versions []string
	err := connection.EachPage(ctx, metav1.ListOptions{}, c.Metadata.Resource(Definitions).List, func(page *metav1.PartialObjectMetadataList, isFirst bool) error {
		if isFirst {
			names, versions = nil, nil
		}
		for _, d := range page.Items {
			if isOfClusterAPI(d.Name, d.Labels) {
				names, versions = append(names, d.Name), append(versions, d.ResourceVersion)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list definitions: %w", err)
	}
	kinds, errs := make([]*Kind, len(names)), make([]error, len(names))
	crash.Each(len(names), concurrency, func(i int) {
		if kinds[i] = c.known(names[i], versions[i]); kinds[i] != nil {
			return
		}
		kinds[i], errs[i] = c.define(ctx, names[i])
	})
	all := append(builtIn(), slices.DeleteFunc(kinds, func(k *Kind) bool { return k == nil })...)
	slices.SortFunc(all, func(a, b *Kind) int {
		return strings.Compare(a.Group+"/"+a.Resource, b.Group+"/"+b.Resource)
	})
	return all, errors.Join(errs...)
}

// Kind returns the kind of a custom resource, also if it is not of Cluster API: see [Kind.IsForeign].
// It returns nil if the resource has no definition, like those of Kubernetes.
func (c *Client) Kind(ctx context.Context, r schema.GroupResource) (*Kind, error) {
	return c.define(ctx, r.String())
}

// define reads a definition and returns its kind, and nil if it does not exist.
func (c *Client) define(ctx context.Context, name string) (*Kind, error) {
	definition, err := c.Objects.Resource(Definitions).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read definition %s: %w", name, err)
	}
	k, err := kindOf(definition)
	c.learn(name, definition.GetResourceVersion(), k)
	return k, err
}

// A knownKind is the kind of a version of a definition.
type knownKind struct {
	version string
	kind    *Kind
}

// known returns the kind of a definition, if that version was read before.
func (c *Client) known(name, version string) *Kind {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.definitions[name]; k.version == version {
		return k.kind
	}
	return nil
}

// learn keeps the kind of a version of a definition.
func (c *Client) learn(name, version string, k *Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.definitions == nil {
		c.definitions = map[string]knownKind{}
	}
	c.definitions[name] = knownKind{version, k}
}

// isOfClusterAPI reports whether a definition is of Cluster API or of a provider.
func isOfClusterAPI(name string, labels map[string]string) bool {
	_, group, _ := strings.Cut(name, ".")
	if IsInventory(group) {
		return false
	}
	for _, label := range []string{InstalledLabel, ProviderLabel, MoveLabel, MoveHierarchyLabel} {
		if _, has := labels[label]; has {
			return true
		}
	}
	return group == Group || strings.HasSuffix(group, "."+Group)
}

// IsInventory reports whether a group is that of the inventory of clusterctl or of the operator. It
// describes one cluster, and stays there.
func IsInventory(group string) bool {
	return group == "clusterctl."+Group || group == "operator."+Group
}

// IsForeign reports whether nothing shows that the definition of a kind is of Cluster API. The
// objects of such a kind move only if they have a label for that themselves, or if those above them
// have.
func (k *Kind) IsForeign() bool {
	return k.Definition != "" && !isOfClusterAPI(k.Definition, k.Labels)
}

// kindOf returns the kind of a definition, and nil if no version is served.
func kindOf(definition *unstructured.Unstructured) (*Kind, error) {
	spec := decoded.Map(definition.Object, "spec")
	k := &Kind{
		GroupVersionKind: schema.GroupVersionKind{Group: decoded.Text(spec, "group"), Kind: decoded.Text(spec, "names", "kind")},
		Resource:         decoded.Text(spec, "names", "plural"),
		Namespaced:       decoded.Text(spec, "scope") == "Namespaced",
		Definition:       definition.GetName(),
		Labels:           definition.GetLabels(),
		Annotations:      definition.GetAnnotations(),
	}
	for _, v := range decoded.Maps(spec, "versions") {
		name := decoded.Text(v, "name")
		if v["served"] != true || name == "" {
			continue
		}
		k.Versions = append(k.Versions, name)
		if k.Version == "" || v["storage"] == true {
			k.Version = name
			k.HasStatus = decoded.Map(v, "subresources", "status") != nil
		}
	}
	switch {
	case k.Group == "" || k.Kind == "" || k.Resource == "":
		return nil, fmt.Errorf("definition %s: spec.group, spec.names.kind or spec.names.plural is missing", definition.GetName())
	case k.Version == "":
		return nil, nil
	}
	return k, nil
}

// Mappings returns the mappings of kinds.
func Mappings(kinds []*Kind) []*meta.RESTMapping {
	all := make([]*meta.RESTMapping, len(kinds))
	for i, k := range kinds {
		all[i] = &meta.RESTMapping{Resource: k.GroupVersionResource(), GroupVersionKind: k.GroupVersionKind, Scope: meta.RESTScopeRoot}
		if k.Namespaced {
			all[i].Scope = meta.RESTScopeNamespace
		}
	}
	return all
}
