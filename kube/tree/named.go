package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/fields"

	"kstatus.dev/explain"
	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

// listThreshold is the number of requests for a kind and namespace that one
// list replaces.
const listThreshold = 3

// maxGets is the number of objects that are read one by one if they may not be
// listed. It also limits the Secrets of a namespace.
const maxGets = 10

// planNamed returns the requests for objects with known names: one get for
// each, or one list for many of a kind in a namespace. It never lists Secrets,
// because the permission to list them includes their values.
func (c *collection) planNamed(ctx context.Context, queries []explain.Query) (requests []request, lists []listing) {
	var ids groups[listKey, status.ID]
	for _, q := range queries {
		if q.Similar && !c.resolveSimilar(ctx, &q.ID) {
			continue
		}
		if err := cmp.Or(guard.CheckName("namespace", q.ID.Namespace), guard.CheckName("object", q.ID.Name)); err != nil {
			c.addImpossible(q.ID, err)
			continue
		}
		ids.add(listKey{q.ID.Kind, q.ID.Namespace}, q.ID)
	}
	for _, key := range ids.keys {
		m, err := c.mapping(ctx, key.kind)
		if err != nil {
			for _, id := range ids.values[key] {
				c.addUnreadable(id, id.String(), readErrorOf(err, "get", key.kind.String()))
			}
			continue
		}
		s := newScope(m, cmp.Or(key.namespace, c.Namespace))
		these, isSecret := ids.values[key], key.kind == secretKind
		if len(these) > listThreshold && !isSecret {
			lists = append(lists, c.listNamed(s, these))
			continue
		}
		if isSecret && len(these) > maxGets {
			for _, id := range these[maxGets:] {
				c.addUnreadable(id, id.String(), readError{status.ReasonTransport, fmt.Sprintf("not read: at most %d Secrets are", maxGets)})
			}
			these = these[:maxGets]
		}
		for _, id := range these {
			requests = append(requests, c.get(s, id, true))
		}
	}
	return requests, lists
}

// get returns the request for one object. If get is forbidden, it searches for
// the object in a list.
func (c *collection) get(s scope, id status.ID, list bool) request {
	s.name = id.Name
	return request{
		what: s.String(),
		kind: s.kind(),
		send: func(ctx context.Context) (answer, error) { return c.client.get(ctx, s) },
		handle: func(a answer, err error) []request {
			switch {
			case err == nil:
				c.addObject(s, id, a.objects[0])
			case isMissing(err, id.Name):
				c.addMissing(id)
			case list && connection.IsRefused(err):
				return []request{c.listOne(s, id, err)}
			default:
				c.addUnread(s, id, "get", err)
			}
			return nil
		},
	}
}

// listOne returns the request for an object as a list with one item.
func (c *collection) listOne(s scope, id status.ID, why error) request {
	one := s
	one.name, one.fields = "", fields.OneTermEqualSelector("metadata.name", id.Name).String()
	return request{
		what: s.String(),
		send: func(ctx context.Context) (answer, error) { return c.client.list(ctx, one) },
		handle: func(a answer, err error) []request {
			i := slices.IndexFunc(a.objects, func(o object) bool { return o.GetName() == id.Name })
			switch {
			case connection.IsRefused(err):
				c.addUnread(s, id, "get", why)
			case err != nil:
				c.addUnread(s, id, "list", err)
			case i < 0:
				c.addMissing(id)
			default:
				c.addObject(s, id, a.objects[i])
			}
			return nil
		},
	}
}

// listNamed searches for many objects in one list. If list is forbidden, or the list is too long, it
// reads some of them one by one.
func (c *collection) listNamed(s scope, ids []status.ID) listing {
	names := make(map[string]bool, len(ids))
	for _, id := range ids {
		names[id.Name] = true
	}
	return listing{s, names, func(objects []object, err error) (instead []request) {
		if connection.IsRefused(err) {
			for _, id := range ids[:min(len(ids), maxGets)] {
				instead = append(instead, c.get(s, id, false))
			}
			for _, id := range ids[len(instead):] {
				c.addUnread(s, id, "list", err)
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
			isIncomplete := errors.Is(err, errIncomplete)
			switch {
			case err != nil && !isIncomplete:
				c.addUnread(s, id, "list", err)
			case ok:
				c.addObject(s, id, o)
			case isIncomplete && len(instead) < maxGets:
				instead = append(instead, c.get(s, id, false))
			case isIncomplete:
				c.addUnreadable(id, s.String(), readError{status.ReasonTransport, fmt.Sprintf("only the first %d were read", len(objects))})
			default:
				c.addMissing(id)
			}
		}
		return nil
	}}
}

func (c *collection) addUnread(s scope, id status.ID, verb string, err error) {
	what := s.String()
	if s.name != "" {
		s.name = id.Name
		what = s.String()
	}
	c.addUnreadable(id, what, readErrorOf(err, verb, s.resource()))
}
