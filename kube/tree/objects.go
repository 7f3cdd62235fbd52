package tree

import (
	"context"
	"slices"

	"kstatus.dev/explain"
)

// How many objects of a kind and namespace are rather got one by one than listed.
const few = 3

// How many are got one by one where they may not be listed.
const mostNamed = 10

// planNamed returns the requests for objects whose names are known: a get for
// each, or one list where there are many of a kind in a namespace.
func (c *collection) planNamed(ctx context.Context, wishes []explain.Wish) (requests []request, lists []listing) {
	names := map[place][]explain.ID{}
	var places []place
	for _, w := range wishes {
		at := place{w.ID.GroupKind(), w.ID.Namespace}
		if names[at] == nil {
			places = append(places, at)
		}
		names[at] = append(names[at], w.ID)
	}
	for _, at := range places {
		m, err := c.mapping(ctx, at.kind)
		if err != nil {
			for _, id := range names[at] {
				c.unreadable(id, id.String(), troubleOf(err, "get", at.kind.String()))
			}
			continue
		}
		s := scope{mapping: m, namespace: at.namespace}
		s.lean = leanKinds[s.kind()]
		if !s.namespaced() {
			s.namespace = ""
		} else if s.namespace == "" {
			s.namespace = c.Namespace
		}
		if len(names[at]) > few {
			lists = append(lists, c.named(s, names[at]))
			continue
		}
		for _, id := range names[at] {
			requests = append(requests, c.get(s, id, true))
		}
	}
	return requests, lists
}

// get returns the request for one object. Where it may not be got, it is looked
// for in a list.
func (c *collection) get(s scope, id explain.ID, list bool) request {
	s.name = id.Name
	return request{
		what: s.String(),
		of:   s.kind(),
		ask:  func(ctx context.Context) (answer, error) { return c.link.get(ctx, s) },
		take: func(a answer, err error) []request {
			switch {
			case err == nil:
				c.keep(s, id, a.objects[0])
			case missing(err, id.Name):
				c.missing(id)
			case list && refused(err):
				return []request{c.listOne(s, id, err)}
			default:
				c.lost(s, id, "get", err)
			}
			return nil
		},
	}
}

// listOne returns the request for an object by a list that it alone is in.
func (c *collection) listOne(s scope, id explain.ID, why error) request {
	one := s
	one.name, one.fields = "", "metadata.name="+id.Name
	return request{
		what: s.String(),
		ask:  func(ctx context.Context) (answer, error) { return c.link.list(ctx, one) },
		take: func(a answer, err error) []request {
			i := slices.IndexFunc(a.objects, func(o object) bool { return o.GetName() == id.Name })
			switch {
			case refused(err):
				c.lost(s, id, "get", why)
			case err != nil:
				c.lost(s, id, "list", err)
			case i < 0:
				c.missing(id)
			default:
				c.keep(s, id, a.objects[i])
			}
			return nil
		},
	}
}

// named is many objects that are to be found in one list. Where they may not be
// listed, some are got one by one.
func (c *collection) named(s scope, ids []explain.ID) listing {
	return listing{s, func(objects []object, err error) (instead []request) {
		if refused(err) {
			for _, id := range ids[:min(len(ids), mostNamed)] {
				instead = append(instead, c.get(s, id, false))
			}
			for _, id := range ids[len(instead):] {
				c.lost(s, id, "list", err)
			}
			return instead
		}
		found := map[string]object{}
		for _, o := range objects {
			if o.GetNamespace() == s.namespace {
				found[o.GetName()] = o
			}
		}
		for _, id := range ids {
			o, ok := found[id.Name]
			switch {
			case err != nil:
				c.lost(s, id, "list", err)
			case ok:
				c.keep(s, id, o)
			default:
				c.missing(id)
			}
		}
		return nil
	}}
}

func (c *collection) lost(s scope, id explain.ID, verb string, err error) {
	what := s.String()
	if s.name != "" {
		s.name = id.Name
		what = s.String()
	}
	c.unreadable(id, what, troubleOf(err, verb, s.resource()))
}
