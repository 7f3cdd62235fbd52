package connection

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"
)

// Types returns the resources that a TYPE means, as for kubectl: a resource or a kind, with
// or without version and group, a short name, or a category such as all.
func (c *Cluster) Types(name string) ([]*meta.RESTMapping, error) {
	full, short := schema.ParseResourceArg(name)
	err := error(nil)
	for _, resource := range []*schema.GroupVersionResource{full, new(short.WithVersion(""))} {
		if resource == nil {
			continue
		}
		var kind schema.GroupVersionKind
		if kind, err = c.Mapper.KindFor(*resource); err == nil {
			return c.mapping(kind.GroupKind())
		}
	}
	if !meta.IsNoMatchError(err) {
		return nil, fmt.Errorf("look up %q: %w", name, err)
	}
	if _, kind := schema.ParseKindArg(name); kind.Kind != "" {
		if mappings, err := c.mapping(kind); err == nil {
			return mappings, nil
		}
	}
	return c.category(name)
}

func (c *Cluster) mapping(kind schema.GroupKind) ([]*meta.RESTMapping, error) {
	m, err := c.Mapper.RESTMapping(kind)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", kind, err)
	}
	return []*meta.RESTMapping{m}, nil
}

// category returns the types of a category.
func (c *Cluster) category(name string) (all []*meta.RESTMapping, err error) {
	known, err := c.Flags.ToDiscoveryClient()
	if err != nil {
		return nil, fmt.Errorf("look up %q: %w", name, err)
	}
	resources, ok := restmapper.NewDiscoveryCategoryExpander(known).Expand(name)
	if !ok {
		return nil, fmt.Errorf("the server doesn't have a resource type %q", name)
	}
	for _, r := range resources {
		kind, err := c.Mapper.KindFor(r.WithVersion(""))
		if err != nil {
			return nil, fmt.Errorf("look up %s: %w", r, err)
		}
		mappings, err := c.mapping(kind.GroupKind())
		if err != nil {
			return nil, err
		}
		all = append(all, mappings...)
	}
	return all, nil
}
