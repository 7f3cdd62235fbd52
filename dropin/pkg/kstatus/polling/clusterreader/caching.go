package clusterreader

import (
	"context"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin/internal/children"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/object"
)

// NewCachingClusterReader returns a [CachingClusterReader] for the identifiers. It sends no
// request.
func NewCachingClusterReader(reader client.Reader, mapper meta.RESTMapper, identifiers object.ObjMetadataSet) (engine.ClusterReader, error) {
	return newCaching(reader, mapper, identifiers), nil
}

func newCaching(reader client.Reader, mapper meta.RESTMapper, identifiers object.ObjMetadataSet) *CachingClusterReader {
	c := &CachingClusterReader{reader: reader, mapper: mapper, plans: map[place]*plan{}}
	for _, id := range identifiers {
		c.plan(place{id.GroupKind, id.Namespace}).names[id.Name] = true
		for _, kind := range children.Kinds(id.GroupKind) {
			c.plan(place{kind, id.Namespace}).children = true
		}
	}
	return c
}

// A CachingClusterReader reads once per call of Sync: a few objects by their names, more with a
// list per kind and namespace. If a list would take more requests than the names that it has not
// found yet, it ends, and they are read by name. It keeps only the objects of the identifiers, and the ReplicaSets
// and Pods of workloads among them. It reads other objects of these kinds when they are needed.
type CachingClusterReader struct {
	reader client.Reader
	mapper meta.RESTMapper
	plans  map[place]*plan
	order  []place // parents before their children

	mu        sync.RWMutex // guards the fields below
	rounds    map[place]*round
	workloads *children.Workloads // of the last Sync
}

// A place is a kind in a namespace, which is empty for kinds without namespaces.
type place struct {
	kind      schema.GroupKind
	namespace string
}

// A plan is what is read in a place.
type plan struct {
	names    map[string]bool
	children bool // of workloads in the namespace
}

// maxGets is the number of objects that are read by their names.
const maxGets = 5

func (c *CachingClusterReader) plan(p place) *plan {
	if c.plans[p] == nil {
		c.plans[p] = &plan{names: map[string]bool{}}
		c.order = append(c.order, p)
	}
	return c.plans[p]
}

// A round is what one Sync has read in a place.
type round struct {
	objects  map[string][]byte   // as JSON, which takes a fraction of the memory
	children map[string][]string // the names of the children of workloads, by the workload's selector
	err      error               // of the place
	size     int                 // mean of the listed objects, as JSON
}

func newRound(err error) *round {
	return &round{objects: map[string][]byte{}, children: map[string][]string{}, err: err}
}

// get decodes an object of the round. ok is false if there is none.
func (r *round) get(name string, obj *unstructured.Unstructured) (ok bool, err error) {
	data, ok := r.objects[name]
	if !ok {
		return false, nil
	}
	return true, obj.UnmarshalJSON(data)
}

// listChildren decodes the children of workloads with a selector.
func (r *round) listChildren(list *unstructured.UnstructuredList, selector labels.Selector) error {
	list.Items = nil
	for _, name := range r.children[selector.String()] {
		var u unstructured.Unstructured
		if _, err := r.get(name, &u); err != nil {
			return err
		}
		list.Items = append(list.Items, u)
	}
	return nil
}

// Sync reads the objects. An error of one kind is returned when that kind is read.
func (c *CachingClusterReader) Sync(ctx context.Context) error {
	sizes := c.forget() // before the new round takes memory too
	rounds := map[place]*round{}
	workloads := children.NewWorkloads()
	for _, p := range c.inOrder() {
		mapping, err := c.mapper.RESTMapping(p.kind)
		if err != nil && !meta.IsNoMatchError(err) {
			return err
		}
		r := newRound(err)
		r.size = sizes[p]
		rounds[p] = r
		if err != nil {
			continue
		}
		r.err = c.read(ctx, p, mapping, r, workloads)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	workloads.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rounds, c.workloads = rounds, workloads
	return nil
}

// inOrder returns the places so that a workload is read before its children.
func (c *CachingClusterReader) inOrder() []place {
	var first, sets, last []place
	for _, p := range c.order {
		switch kinds := children.Kinds(p.kind); {
		case len(kinds) == 1 && c.plans[p].children: // ReplicaSets of Deployments
			sets = append(sets, p)
		case c.plans[p].children:
			last = append(last, p)
		default:
			first = append(first, p)
		}
	}
	return append(append(first, sets...), last...)
}

// read reads a place.
func (c *CachingClusterReader) read(ctx context.Context, p place, mapping *meta.RESTMapping, r *round, w *children.Workloads) error {
	pl := c.plans[p]
	keep := func(u *unstructured.Unstructured) error {
		name := u.GetName()
		var selectors []string
		if pl.children {
			selectors = w.Matching(p.kind, p.namespace, u.GetLabels())
		}
		if !pl.names[name] && len(selectors) == 0 {
			return nil
		}
		data, err := u.MarshalJSON()
		if err != nil {
			return err
		}
		if _, again := r.objects[name]; !again { // a list that is repeated has objects twice
			for _, selector := range selectors {
				r.children[selector] = append(r.children[selector], name)
			}
		}
		r.objects[name] = data
		w.Add(u)
		return nil
	}
	if !pl.children && len(pl.names) <= maxGets {
		return c.getMissing(ctx, p, mapping.GroupVersionKind, r, keep)
	}
	l := &lister{reader: c.reader, kind: mapping.GroupVersionKind, selector: labels.Everything(), size: r.size, keep: keep}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		l.namespace = p.namespace
	}
	if pl.children && len(pl.names) == 0 {
		if !w.Any(p.kind, p.namespace) {
			return nil
		}
		l.selector = w.Selector(p.kind, p.namespace)
	}
	left := false
	l.enough = func(requests int64) bool {
		left = !pl.children && int64(len(pl.missing(r))) < requests
		return left
	}
	err := l.list(ctx)
	r.size = l.size
	if err == nil && left {
		err = c.getMissing(ctx, p, mapping.GroupVersionKind, r, keep)
	}
	return err
}

// missing returns the names that a round does not have.
func (pl *plan) missing(r *round) (names []string) {
	for name := range pl.names {
		if _, ok := r.objects[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// getMissing reads the objects that a round does not have, by their names.
func (c *CachingClusterReader) getMissing(
	ctx context.Context, p place, kind schema.GroupVersionKind, r *round, keep func(*unstructured.Unstructured) error,
) error {
	for _, name := range c.plans[p].missing(r) {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(kind)
		err := c.reader.Get(ctx, client.ObjectKey{Namespace: p.namespace, Name: name}, u)
		if err == nil {
			err = keep(u)
		}
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// Get returns an object of the last Sync. An object of a planned kind that is no identifier is
// read from the server.
func (c *CachingClusterReader) Get(ctx context.Context, key client.ObjectKey, obj *unstructured.Unstructured) error {
	gvk := obj.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(gvk.GroupKind())
	if err != nil {
		return err
	}
	p := place{gvk.GroupKind(), key.Namespace}
	r, err := c.round(p, gvk)
	if err != nil {
		return err
	}
	if ok, err := r.get(key.Name, obj); ok {
		return err
	}
	if !c.plans[p].names[key.Name] {
		return c.reader.Get(ctx, key, obj)
	}
	return apierrors.NewNotFound(mapping.Resource.GroupResource(), key.Name)
}

func (c *CachingClusterReader) round(p place, gvk schema.GroupVersionKind) (*round, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	r := c.rounds[p]
	if r == nil {
		return nil, fmt.Errorf("GVK %s and Namespace %s not found in cache", gvk.String(), p.namespace)
	}
	return r, r.err
}

// ListNamespaceScoped returns the objects of the last Sync that selector matches. Only the
// children of workloads among the identifiers are complete; other objects are listed live.
func (c *CachingClusterReader) ListNamespaceScoped(ctx context.Context, list *unstructured.UnstructuredList, namespace string, selector labels.Selector) error {
	gvk := list.GroupVersionKind()
	p := place{gvk.GroupKind(), namespace}
	r, err := c.round(p, gvk)
	if err != nil {
		return err
	}
	if !c.hasSelector(p, selector) {
		return c.reader.List(ctx, list, client.InNamespace(namespace), client.MatchingLabelsSelector{Selector: selector})
	}
	return r.listChildren(list, selector)
}

// hasSelector reports whether a selector is that of a workload of the last Sync.
func (c *CachingClusterReader) hasSelector(p place, selector labels.Selector) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	pl := c.plans[p]
	return pl != nil && pl.children && c.workloads != nil && selector != nil && c.workloads.HasSelector(p.kind, p.namespace, selector)
}

// ListClusterScoped is [CachingClusterReader.ListNamespaceScoped] for kinds without namespaces.
func (c *CachingClusterReader) ListClusterScoped(ctx context.Context, list *unstructured.UnstructuredList, selector labels.Selector) error {
	return c.ListNamespaceScoped(ctx, list, "", selector)
}

// forget drops what the last Sync has read. It returns the mean size of the listed objects.
func (c *CachingClusterReader) forget() (sizes map[place]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sizes = map[place]int{}
	for p, r := range c.rounds {
		sizes[p] = r.size
	}
	c.rounds, c.workloads = nil, nil
	return sizes
}

// known returns what the last Sync has read in a place, or nil if it could not read it.
func (c *CachingClusterReader) known(p place) *round {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if r := c.rounds[p]; r != nil && r.err == nil {
		return r
	}
	return nil
}
