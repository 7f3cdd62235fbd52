package sets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

// A discoveryCache holds the served kinds, each in its preferred version.
type discoveryCache struct {
	kinds       []resource           // those that can be listed, sorted.
	composites  map[status.Kind]bool // composite resources and claims of Crossplane.
	unavailable []string             // group/version of servers that do not answer.
}

// discover reads the served kinds of the cluster once per set, so that it sees
// new kinds.
func (f *finder) discover(ctx context.Context) (*discoveryCache, error) {
	end, err := f.discovery.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if f.discovered == nil && f.discoverErr == nil {
		f.discovered, f.discoverErr = f.requestDiscovery(ctx)
	}
	return f.discovered, f.discoverErr
}

func (f *finder) requestDiscovery(ctx context.Context) (*discoveryCache, error) {
	lists, err := connection.PreferredResources(ctx, f.server.Discovery)
	s := &discoveryCache{composites: map[status.Kind]bool{}}
	if failed, ok := discovery.GroupDiscoveryFailedErrorGroups(err); ok {
		for version := range maps.Keys(failed) {
			s.unavailable = append(s.unavailable, version.String())
		}
		slices.Sort(s.unavailable)
	} else if err != nil {
		return nil, fmt.Errorf("read the served kinds of %s: %w", f.Config.Host, err)
	}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, r := range list.APIResources {
			s.add(version, r)
		}
	}
	slices.SortFunc(s.kinds, func(a, b resource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.kind.Kind, b.kind.Kind), cmp.Compare(a.Resource, b.Resource))
	})
	return s, nil
}

func (s *discoveryCache) add(version schema.GroupVersion, r metav1.APIResource) {
	kind := status.Kind{Group: version.Group, Kind: r.Kind}
	if slices.Contains(r.Categories, "composite") || slices.Contains(r.Categories, "claim") {
		s.composites[kind] = true
	}
	if slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "get") && !strings.Contains(r.Name, "/") {
		s.kinds = append(s.kinds, resource{version.WithResource(r.Name), kind, r.Namespaced})
	}
}

// everyKind returns all kinds that objects of a set may have, if the set does
// not name its kinds.
func (f *finder) everyKind(ctx context.Context, of string) ([]resource, error) {
	s, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	if len(s.unavailable) > 0 {
		f.note("%s: not searched, because their API server does not answer: %s", of, strings.Join(s.unavailable, ", "))
	}
	return slices.DeleteFunc(slices.Clone(s.kinds), func(r resource) bool { return isRecord(r.kind) }), nil
}

// isRecord reports whether objects of a kind are records of the system, of
// which there may be many.
func isRecord(kind status.Kind) bool {
	switch kind.Group {
	case "metrics.k8s.io", "custom.metrics.k8s.io", "external.metrics.k8s.io", "events.k8s.io":
		return true
	case "":
		return kind.Kind == "Event" || kind.Kind == "ComponentStatus"
	}
	return false
}
