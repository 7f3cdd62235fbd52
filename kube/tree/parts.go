package tree

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// planParts returns the requests for parts of objects: one list for each kind and
// namespace, narrowed by labels if all their owners select their parts by the same.
func (c *collection) planParts(wishes []explain.Wish) (requests []request) {
	type place struct {
		kind      status.Kind
		namespace string
	}
	owners := map[place][]status.Map{}
	var places []place
	for _, w := range wishes {
		i, known := c.things[w.ID]
		if !known || c.facts.Things[i].Object == nil {
			continue
		}
		at := place{w.Kind, w.ID.Namespace}
		if owners[at] == nil {
			places = append(places, at)
		}
		owners[at] = append(owners[at], c.facts.Things[i].Object)
	}
	for _, at := range places {
		m, err := c.mapping(at.kind)
		if err != nil {
			c.unserved(at.kind, err)
			continue
		}
		s := scope{mapping: m, namespace: at.namespace, labels: common(owners[at])}
		s.lean = leanKinds[s.kind()]
		if !s.namespaced() {
			s.namespace = ""
		}
		requests = append(requests, c.listParts(s, owners[at]))
	}
	return requests
}

// listParts returns the request for the parts of some owners.
func (c *collection) listParts(s scope, owners []status.Map) request {
	of := map[types.UID]bool{}
	for _, owner := range owners {
		of[(&unstructured.Unstructured{Object: owner}).GetUID()] = true
	}
	return request{
		what: s.String(),
		of:   s.kind(),
		ask:  func(ctx context.Context) (answer, error) { return c.link.list(ctx, s) },
		take: func(a answer, err error) []request {
			if err != nil {
				c.failed(err, "list", s.resource(), s.String())
				return nil
			}
			for _, o := range a.objects {
				if slices.ContainsFunc(o.GetOwnerReferences(), func(ref metaOwner) bool { return of[ref.UID] }) {
					c.keep(s, o)
				}
			}
			return nil
		},
	}
}

// common returns a selector that the parts of all owners match; empty if that is
// not known of one of them.
func common(owners []status.Map) string {
	var values map[string]map[string]bool
	for _, owner := range owners {
		these := selected(owner)
		if values == nil {
			values = map[string]map[string]bool{}
			for key := range these {
				values[key] = map[string]bool{}
			}
		}
		for key := range values {
			if value, ok := these[key]; ok {
				values[key][value] = true
			} else {
				delete(values, key)
			}
		}
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		of := slices.Sorted(maps.Keys(values[key]))
		if len(of) == 1 {
			all = append(all, key+"="+of[0])
		} else {
			all = append(all, key+" in ("+strings.Join(of, ",")+")")
		}
	}
	text := strings.Join(all, ",")
	if _, err := labels.Parse(text); err != nil || len(text) > longestSelector {
		return ""
	}
	return text
}

// Selectors stand in URLs, which servers accept up to a length.
const longestSelector = 2000

// selected returns the labels that the parts of an owner are known to have.
func selected(owner status.Map) map[string]string {
	of, _, _ := unstructured.NestedStringMap(owner, "spec", "selector", "matchLabels")
	if of == nil {
		of, _, _ = unstructured.NestedStringMap(owner, "spec", "selector")
	}
	return of
}
