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
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/expect"
	"kstatus.dev/status"
)

// How often the cluster is asked anew which kinds a group has.
const rediscovery = 500 * time.Millisecond

// A kinds finds out how a kind is served. Only its group is asked for, so that
// it does not matter whether the other groups answer.
type Discovery struct {
	server rest.Interface
	mapper meta.RESTMapper // nil if there is none

	mu     sync.Mutex // guards what follows
	known  map[status.Kind]*meta.RESTMapping
	stale  map[status.Kind]bool // those that the mapper is not asked for any more
	groups map[string]*group
}

func newDiscovery(server rest.Interface, mapper meta.RESTMapper) *Discovery {
	return &Discovery{
		server: server, mapper: mapper,
		known: map[status.Kind]*meta.RESTMapping{}, stale: map[status.Kind]bool{}, groups: map[string]*group{},
	}
}

// A group is what the cluster says of a group.
type group struct {
	mu    sync.Mutex // guards what follows, so that one look at a time is taken
	asked time.Time
	kinds map[string]*meta.RESTMapping
	err   error
}

// find returns how a kind is served. A kind that is not known is looked up.
func (k *Discovery) Find(ctx context.Context, kind status.Kind) (*meta.RESTMapping, error) {
	k.mu.Lock()
	mapping, doubt, g := k.known[kind], k.stale[kind], k.groups[kind.Group]
	if g == nil {
		g = &group{}
		k.groups[kind.Group] = g
	}
	k.mu.Unlock()
	if mapping != nil {
		return mapping, nil
	}
	if k.mapper != nil && !doubt {
		mapping, _ = k.mapper.RESTMapping(schema.GroupKind{Group: kind.Group, Kind: kind.Kind})
	}
	if mapping == nil {
		var err error
		if mapping, err = k.discover(ctx, g, kind); err != nil {
			return nil, err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known[kind] = mapping
	return mapping, nil
}

// forget makes the next look ask the cluster anew.
func (k *Discovery) Forget(kind status.Kind) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, kind)
	k.stale[kind] = true
}

// ask looks a kind up in what the cluster says of its group.
func (k *Discovery) discover(ctx context.Context, g *group, kind status.Kind) (*meta.RESTMapping, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.asked) >= rediscovery {
		g.kinds, g.err = k.read(ctx, kind.Group)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.asked = time.Now()
	}
	if m := g.kinds[kind.Kind]; m != nil {
		return m, nil
	}
	if g.err != nil {
		return nil, g.err
	}
	return nil, &meta.NoKindMatchError{GroupKind: schema.GroupKind{Group: kind.Group, Kind: kind.Kind}}
}

// read asks for the kinds of a group that can be read, each in the version that the group
// prefers among those that have it. A version that does not answer is an error
// for those kinds only that no other version has.
func (k *Discovery) read(ctx context.Context, name string) (map[string]*meta.RESTMapping, error) {
	versions, err := k.versions(ctx, name)
	if err != nil {
		return nil, err
	}
	all := map[string]*meta.RESTMapping{}
	for _, v := range versions {
		gv := schema.GroupVersion{Group: name, Version: v}
		var resources metav1.APIResourceList
		switch e := expect.Get(ctx, k.server, expect.Path(gv.Group)+"/"+v, &resources); {
		case apierrors.IsNotFound(e):
		case e != nil:
			err = e
		}
		for _, r := range resources.APIResources {
			if strings.Contains(r.Name, "/") || all[r.Kind] != nil || !slices.Contains(r.Verbs, "get") && !slices.Contains(r.Verbs, "list") {
				continue
			}
			m := &meta.RESTMapping{Resource: gv.WithResource(r.Name), GroupVersionKind: gv.WithKind(r.Kind), Scope: meta.RESTScopeRoot}
			if r.Namespaced {
				m.Scope = meta.RESTScopeNamespace
			}
			all[r.Kind] = m
		}
	}
	return all, err
}

// versions asks for the versions of a group, the preferred one first. A group
// that does not exist has none.
func (k *Discovery) versions(ctx context.Context, name string) ([]string, error) {
	if name == "" {
		return []string{"v1"}, nil
	}
	var g metav1.APIGroup
	err := expect.Get(ctx, k.server, expect.Path(name), &g)
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
