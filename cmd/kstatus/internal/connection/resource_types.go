package connection

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/kube/sets"
)

// Types returns the resources that a TYPE matches. As in kubectl, a TYPE is a resource, a kind,
// a short name, or a category such as all. Resources and kinds may have a version and a group.
// If the server does not serve the TYPE, the error is a [TypeError], and later calls call the
// server again.
func (c *Cluster) Types(name string) ([]*meta.RESTMapping, error) {
	found, err := c.types(name)
	if err == nil || !meta.IsNoMatchError(err) {
		return found, err
	}
	if c.unknownTypes {
		c.forgetTypes()
		if found, err = c.types(name); err == nil || !meta.IsNoMatchError(err) {
			return found, err
		}
	}
	c.unknownTypes = true
	if lower := strings.ToLower(name); slices.Contains(sets.Types(), sets.Type(lower)) {
		return nil, &TypeError{Type: name, Similar: "the set " + lower + "/NAME"}
	}
	served, err := c.servedTypes()
	return nil, &TypeError{Type: name, Similar: similarType(name, served), Err: err}
}

func (c *Cluster) types(name string) ([]*meta.RESTMapping, error) {
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
	return c.category(name, err)
}

// forgetTypes makes the next lookup call the server again.
func (c *Cluster) forgetTypes() {
	if known, err := c.Flags.ToDiscoveryClient(); err == nil { // otherwise the lookup has the same error
		known.Invalidate()
	}
	meta.MaybeResetRESTMapper(c.Mapper)
}

func (c *Cluster) mapping(kind schema.GroupKind) ([]*meta.RESTMapping, error) {
	m, err := c.Mapper.RESTMapping(kind)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", kind, err)
	}
	return []*meta.RESTMapping{m}, nil
}

// category returns the types of a category. It returns the error unknown if the category does
// not exist.
func (c *Cluster) category(name string, unknown error) (all []*meta.RESTMapping, err error) {
	known, err := c.Flags.ToDiscoveryClient()
	if err != nil {
		return nil, fmt.Errorf("look up %q: %w", name, err)
	}
	resources, ok := restmapper.NewDiscoveryCategoryExpander(known).Expand(name)
	if !ok {
		return nil, unknown
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

// A ServedType is a type whose objects the server lists.
type ServedType struct {
	Group, Plural, Kind string
	names               []string // the singular and the short names
}

// FullName returns the type in the form of arguments: the plural, with its group unless the
// group is empty.
func (t ServedType) FullName() string {
	if t.Group == "" {
		return t.Plural
	}
	return t.Plural + "." + t.Group
}

// ServedTypes returns the types whose objects the server can list. It omits groups that do not
// respond.
func (c *Cluster) ServedTypes() []ServedType {
	all, _ := c.servedTypes() // of the groups that respond
	return all
}

// servedTypes is like ServedTypes, and also returns the error for missing types.
func (c *Cluster) servedTypes() (all []ServedType, err error) {
	known, err := c.Flags.ToDiscoveryClient()
	if err != nil {
		return nil, err
	}
	lists, err := discovery.ServerPreferredResources(known)
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, r := range list.APIResources {
			if isListed(r) {
				all = append(all, ServedType{Group: version.Group, Plural: r.Name, Kind: r.Kind, names: append([]string{r.SingularName}, r.ShortNames...)})
			}
		}
	}
	return all, err
}

// isListed reports whether the objects of a resource can be listed.
func isListed(r metav1.APIResource) bool {
	return !strings.Contains(r.Name, "/") && slices.Contains(r.Verbs, "list")
}
