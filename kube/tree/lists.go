package tree

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// A listing is a search in a list.
type listing struct {
	scope
	names  map[string]bool                 // the names of the wanted objects; nil: all
	handle func([]object, error) []request // gets at least the objects of the scope, and returns further requests
}

// A listResult is a list that was read.
type listResult struct {
	scope
	objects []object
}

// A listKey identifies the objects of a kind in a namespace.
type listKey struct {
	kind      status.Kind
	namespace string
}

// A groups collects values by keys, and keeps the order of the keys.
type groups[K comparable, V any] struct {
	keys   []K
	values map[K][]V
}

func (g *groups[K, V]) add(key K, value V) {
	if g.values == nil {
		g.values = map[K][]V{}
	}
	if _, found := g.values[key]; !found {
		g.keys = append(g.keys, key)
	}
	g.values[key] = append(g.values[key], value)
}

func (s scope) key() listKey { return listKey{s.kind(), s.namespace} }

// A listPlace is the kind of a list, its namespace or "" for all, and its fields or "" for any. A list
// contains another only if their places agree.
type listPlace struct {
	resource          schema.GroupVersionResource
	metadataOnly      bool
	namespace, fields string
}

// A listIndex finds lists by their place.
type listIndex[L any] map[listPlace][]L

func (x listIndex[L]) add(s scope, l L) {
	place := listPlace{s.mapping.Resource, s.metadataOnly, s.namespace, s.fields}
	x[place] = append(x[place], l)
}

// candidates yields the lists that may contain all objects of a scope.
func (x listIndex[L]) candidates(s scope) iter.Seq[L] {
	return func(yield func(L) bool) {
		for _, namespace := range slices.Compact([]string{s.namespace, ""}) {
			for _, selected := range slices.Compact([]string{s.fields, ""}) {
				for _, l := range x[listPlace{s.mapping.Resource, s.metadataOnly, namespace, selected}] {
					if !yield(l) {
						return
					}
				}
			}
		}
	}
}

// planLists returns the requests for searches. A search in a list that was
// already read needs none, and one list may serve several searches. If a
// namespace would need more than a few lists of a kind, it is read as a whole.
func (c *collection) planLists(ctx context.Context, all []listing) (requests []request) {
	all = slices.DeleteFunc(all, func(l listing) bool {
		for r := range c.lists.candidates(l.scope) {
			if r.covers(l.scope) {
				requests = append(requests, l.handle(r.objects, nil)...)
				return true
			}
		}
		return false
	})
	labelsByList := map[listKey]map[string]bool{}
	for _, l := range all {
		if labelsByList[l.key()] == nil {
			labelsByList[l.key()] = map[string]bool{}
		}
		labelsByList[l.key()][l.labels] = true
	}
	for i, l := range all {
		if len(labelsByList[l.key()]) > listThreshold {
			all[i].labels = ""
		}
	}
	for _, these := range groupLists(all) {
		requests = append(requests, c.list(ctx, these[0].scope, these))
	}
	return requests
}

// groupLists groups searches that one list serves. The first of a group has the scope of the list.
func groupLists(all []listing) [][]listing {
	// Put wide lists first, so that each narrow list finds one that covers it.
	width := map[string]int{}
	for _, l := range all {
		if _, known := width[l.labels]; !known {
			width[l.labels] = len(terms(l.labels))
		}
	}
	slices.SortStableFunc(all, func(a, b listing) int { return width[a.labels] - width[b.labels] })
	var grouped [][]listing
	wide := listIndex[int]{} // positions in grouped
	for _, l := range all {
		first := len(grouped)
		for i := range wide.candidates(l.scope) {
			if i < first && grouped[i][0].covers(l.scope) {
				first = i
			}
		}
		if first == len(grouped) {
			wide.add(l.scope, first)
			grouped = append(grouped, nil)
		}
		grouped[first] = append(grouped[first], l)
	}
	return grouped
}

// list returns the request for a list that serves several searches. If it lists
// only metadata, the status of its objects is not computed.
func (c *collection) list(ctx context.Context, s scope, all []listing) request {
	judged := s.kind()
	if s.metadataOnly {
		judged = status.Kind{}
	}
	return request{
		what: s.String(),
		kind: judged,
		send: func(ctx context.Context) (answer, error) {
			if names := namesOf(all); names != nil {
				return c.client.named(ctx, s, names)
			}
			return c.client.page(ctx, s, metav1.ListOptions{Limit: s.limit})
		},
		handle: func(a answer, err error) (instead []request) {
			switch {
			case err != nil:
			case a.more == "":
				c.lists.add(s, listResult{s, a.objects})
			case s.limit == maxClusterObjects:
				c.addGap(s.String(), fmt.Sprintf("only the first %d were read", s.limit))
				err = errIncomplete
			case s.limit == 0:
				err = errIncomplete
			}
			for _, l := range all {
				if ctx.Err() != nil {
					break
				}
				instead = append(instead, l.handle(a.objects, err)...)
			}
			return instead
		},
	}
}

// namesOf returns the names that all searches want; nil if one wants all objects.
func namesOf(all []listing) map[string]bool {
	names := map[string]bool{}
	for _, l := range all {
		if l.names == nil {
			return nil
		}
		maps.Copy(names, l.names)
	}
	return names
}

// maxClusterObjects is the number of nodes, volumes and ResourceSlices that are listed.
const maxClusterObjects = 500

// errIncomplete reports that only the first objects of a list were read.
var errIncomplete = errors.New("the list is incomplete")

// searchLimit returns how many objects a search in a list reads. Zero means all.
func searchLimit(l explain.List) int64 {
	switch {
	case l.Namespace == "" && l.Name != "":
		return maxNamesakes
	case slices.Contains([]string{"Node", "PersistentVolume", "ResourceSlice"}, l.Kind):
		return maxClusterObjects
	}
	return 0
}

// covers reports whether a list contains all objects of another.
func (s scope) covers(other scope) bool {
	return (s.limit == 0 || other.limit > 0) && s.mapping.Resource == other.mapping.Resource && s.metadataOnly == other.metadataOnly && s.name == "" &&
		(s.namespace == "" || s.namespace == other.namespace) && (s.fields == "" || s.fields == other.fields) &&
		(s.labels == "" || s.labels == other.labels || containsAll(terms(other.labels), terms(s.labels)))
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(term string) bool { return !slices.Contains(all, term) })
}

// terms returns the requirements of a selector.
func terms(selector string) []string {
	if selector == "" {
		return nil
	}
	requirements, err := labels.ParseToRequirements(selector)
	if err != nil {
		return []string{selector}
	}
	all := make([]string, len(requirements))
	for i, r := range requirements {
		all[i] = r.String()
	}
	return all
}

// maxNamesakes is the number of objects with one name, in all namespaces, that
// are listed.
const maxNamesakes = 11

// planSelected returns the lists of objects that are selected by labels,
// namespace or name.
func (c *collection) planSelected(ctx context.Context, queries []explain.Query) (all []listing) {
	seen := map[explain.List]bool{}
	for _, q := range queries {
		if seen[q.List] {
			continue
		}
		seen[q.List] = true
		m, err := c.mappingOf(ctx, q.List)
		if err != nil {
			c.addUnservedKind(status.Kind{Group: q.List.Group, Kind: q.List.Kind + q.List.Resource}, err)
			continue
		}
		s := newScope(m, q.List.Namespace)
		s.labels, s.limit = q.List.Selector, searchLimit(q.List)
		if q.List.Name != "" {
			s.fields = fields.OneTermEqualSelector("metadata.name", q.List.Name).String()
		}
		all = append(all, listing{scope: s, handle: func(objects []object, err error) []request {
			if err != nil && q.List.Name != "" {
				return nil // it is only a hint, which does not justify a permission
			}
			isComplete := !errors.Is(err, errIncomplete)
			if err != nil && isComplete {
				c.addFailure(err, "list", s.resource(), s.String())
				return nil
			}
			selector, err := labels.Parse(s.labels)
			if err != nil {
				c.addGap(s.String(), err.Error())
				return nil
			}
			for _, o := range objects {
				if (s.namespace == "" || o.GetNamespace() == s.namespace) && (q.List.Name == "" || o.GetName() == q.List.Name) && selector.Matches(labels.Set(o.GetLabels())) {
					c.addObject(s, status.ID{}, o)
				}
			}
			if isComplete {
				c.facts.Lists = append(c.facts.Lists, q.List)
			}
			return nil
		}})
	}
	return all
}

// mappingOf returns the mapping for the kind of a list.
func (c *collection) mappingOf(ctx context.Context, l explain.List) (*meta.RESTMapping, error) {
	if l.Resource == "" {
		return c.mapping(ctx, status.Kind{Group: l.Group, Kind: l.Kind})
	}
	ctx, cancel := c.withTimeout(ctx)
	defer cancel()
	kind, err := c.client.mapper.KindFor(ctx, schema.GroupVersionResource{Group: l.Group, Resource: l.Resource})
	if err != nil {
		return nil, err
	}
	return c.client.mapper.RESTMapping(ctx, kind.GroupKind())
}

// commonSelector returns a selector that matches the parts of all owners. It is
// empty if an owner has no known selector.
func commonSelector(owners []status.Map) string {
	var values map[string]map[string]bool
	for _, owner := range owners {
		these := selectorLabels(owner)
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
	if _, err := labels.Parse(text); err != nil || len(text) > maxSelectorLength {
		return ""
	}
	return text
}

// maxSelectorLength limits selectors, because servers limit the length of URLs.
const maxSelectorLength = 2000
