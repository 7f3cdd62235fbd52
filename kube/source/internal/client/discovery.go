package client

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/status"
)

// rediscovery is the minimum time between two discoveries of a group.
const rediscovery = 500 * time.Millisecond

// Discovery finds out how a kind is served. It reads only the group of the kind, so other groups
// may be unavailable.
type Discovery struct {
	server  rest.Interface    // nil: only the mapper is used, or without one the definitions
	mapper  meta.RESTMapper   // may be nil
	objects dynamic.Interface // for definitions; nil if there is a server

	mu     sync.Mutex // guards the fields below
	known  map[status.Kind]*meta.RESTMapping
	stale  map[status.Kind]bool // kinds for which the mapper is out of date
	groups map[string]*group
}

func newDiscovery(server rest.Interface, mapper meta.RESTMapper, objects dynamic.Interface) *Discovery {
	return &Discovery{
		server: server, mapper: mapper, objects: objects,
		known: map[status.Kind]*meta.RESTMapping{}, stale: map[status.Kind]bool{}, groups: map[string]*group{},
	}
}

// A group is the discovery of an API group.
type group struct {
	turn      turn.Turn // owns the fields below
	requested time.Time
	kinds     map[string]*meta.RESTMapping
	err       error
}

// Find returns the mapping of a kind.
func (d *Discovery) Find(ctx context.Context, kind status.Kind) (*meta.RESTMapping, error) {
	if err := guard.CheckName("group", kind.Group); err != nil {
		return nil, err
	}
	d.mu.Lock()
	mapping, stale, g := d.known[kind], d.stale[kind], d.groups[kind.Group]
	if g == nil {
		g = &group{}
		d.groups[kind.Group] = g
	}
	d.mu.Unlock()
	if mapping != nil {
		return mapping, nil
	}
	if d.mapper != nil && !stale {
		mapping, _ = d.mapper.RESTMapping(schema.GroupKind(kind))
	}
	if mapping == nil {
		var err error
		if mapping, err = d.discover(ctx, g, kind); err != nil {
			return nil, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[kind] = mapping
	return mapping, nil
}

// Forget makes the next Find call the server again.
func (d *Discovery) Forget(kind status.Kind) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.known, kind)
	d.stale[kind] = true
}

// discover finds a kind in its group.
func (d *Discovery) discover(ctx context.Context, g *group, kind status.Kind) (*meta.RESTMapping, error) {
	end, err := g.turn.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if d.server == nil {
		return d.withoutServer(ctx, g, kind)
	}
	if time.Since(g.requested) >= rediscovery {
		g.kinds, g.err = d.read(ctx, kind.Group)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.requested = time.Now()
	}
	if m := g.kinds[kind.Kind]; m != nil {
		return m, nil
	}
	if g.err != nil {
		return nil, g.err
	}
	return nil, &meta.NoKindMatchError{GroupKind: schema.GroupKind(kind)}
}

// withoutServer finds a kind only with the clients of the caller. It tries the mapper, also after a
// reset if the mapper supports that, and then the built-in kinds. Without a mapper it also reads
// the definition with the regular plural of the kind. The caller has the turn of g.
func (d *Discovery) withoutServer(ctx context.Context, g *group, kind status.Kind) (*meta.RESTMapping, error) {
	if d.mapper != nil {
		if time.Since(g.requested) >= rediscovery {
			meta.MaybeResetRESTMapper(d.mapper)
			g.requested = time.Now()
		}
		m, err := d.mapper.RESTMapping(schema.GroupKind(kind))
		if known := builtinMapping(kind); meta.IsNoMatchError(err) && known != nil {
			return known, nil
		}
		return m, err
	}
	if m := builtinMapping(kind); m != nil {
		return m, nil
	}
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: kind.Group, Kind: kind.Kind})
	definition, err := d.objects.Resource(expect.Definitions).Get(ctx, plural.GroupResource().String(), metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, err
	}
	if err == nil {
		if m := definedMapping(definition.Object, kind); m != nil {
			return m, nil
		}
	}
	return nil, &meta.NoKindMatchError{GroupKind: schema.GroupKind(kind)}
}

// definedMapping returns the mapping of a kind by its definition, in the storage version
// or else in the first served one. It returns nil if the definition is for another kind.
func definedMapping(definition map[string]any, kind status.Kind) *meta.RESTMapping {
	names, served := decoded.Map(definition, "spec", "names"), ""
	for _, v := range decoded.Maps(definition, "spec", "versions") {
		if v["served"] == true && (served == "" || v["storage"] == true) {
			served = decoded.Text(v, "name")
		}
	}
	if names["kind"] != kind.Kind || served == "" {
		return nil
	}
	return mappingOf(schema.GroupVersionKind{Group: kind.Group, Version: served, Kind: kind.Kind}, decoded.Text(names, "plural"), decoded.Text(definition, "spec", "scope") != "Cluster")
}

// read returns the readable kinds of a group, each in the preferred version that has the kind.
// If a version does not respond, that is an error for the kinds that no other version has.
func (d *Discovery) read(ctx context.Context, name string) (map[string]*meta.RESTMapping, error) {
	versions, err := d.versions(ctx, name)
	if err != nil {
		return nil, err
	}
	all := map[string]*meta.RESTMapping{}
	for _, v := range versions {
		gv := schema.GroupVersion{Group: name, Version: v}
		var resources metav1.APIResourceList
		switch e := expect.Get(ctx, d.server, expect.Path(gv.Group)+"/"+v, &resources); {
		case apierrors.IsNotFound(e):
		case e != nil:
			err = e
		}
		for _, r := range resources.APIResources {
			if strings.Contains(r.Name, "/") || all[r.Kind] != nil || !slices.Contains(r.Verbs, "get") && !slices.Contains(r.Verbs, "list") {
				continue
			}
			all[r.Kind] = mappingOf(gv.WithKind(r.Kind), r.Name, r.Namespaced)
		}
	}
	return all, err
}

// versions returns the versions of a group, the preferred one first. A group that
// does not exist has none.
func (d *Discovery) versions(ctx context.Context, name string) ([]string, error) {
	if name == "" {
		return []string{"v1"}, nil
	}
	var g metav1.APIGroup
	err := expect.Get(ctx, d.server, expect.Path(name), &g)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	versions := []string{g.PreferredVersion.Version}
	for _, v := range g.Versions {
		if v.Version != g.PreferredVersion.Version {
			versions = append(versions, v.Version)
		}
	}
	return versions, nil
}
