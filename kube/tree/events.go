package tree

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

const (
	eventPage  = 1000 // events per page.
	eventPages = 3    // pages per namespace.
)

var eventKind = status.Kind{Kind: "Event"}

// planEvents returns the requests for the events of objects: one per object if
// a namespace has few, else one for the whole namespace.
func (c *collection) planEvents(ctx context.Context, queries []explain.Query) (requests []request) {
	if len(queries) == 0 {
		return nil
	}
	m, err := c.mapping(ctx, eventKind)
	if err != nil {
		c.addUnservedKind(eventKind, err)
		return nil
	}
	var about groups[string, status.ID]
	for _, q := range queries {
		in := q.ID.Namespace
		if in == "" {
			in = metav1.NamespaceDefault // events of cluster-scoped objects are here
		}
		if all, known := c.events[in]; known {
			c.addEvents(all, []status.ID{q.ID})
			continue
		}
		about.add(in, q.ID)
	}
	for _, in := range about.keys {
		s := scope{mapping: m, namespace: in}
		if ids := about.values[in]; len(ids) > listThreshold {
			requests = append(requests, c.listEvents(s, ids, metav1.ListOptions{Limit: eventPage}, 1))
			continue
		}
		for _, id := range about.values[in] {
			one := s
			one.fields = c.eventSelector(id)
			requests = append(requests, c.listEvents(one, []status.ID{id}, metav1.ListOptions{Limit: eventPage}, eventPages))
		}
	}
	return requests
}

// eventSelector returns the field selector of the events about an object. Events about
// a Node carry its name as the UID.
func (c *collection) eventSelector(id status.ID) string {
	if uid := c.uid(id); uid != "" && id.Kind != (status.Kind{Kind: "Node"}) {
		return fields.OneTermEqualSelector("involvedObject.uid", uid).String()
	}
	return fields.AndSelectors(
		fields.OneTermEqualSelector("involvedObject.kind", id.Kind.Kind),
		fields.OneTermEqualSelector("involvedObject.name", id.Name)).String()
}

// listEvents returns the request for events, page by page.
func (c *collection) listEvents(s scope, about []status.ID, o metav1.ListOptions, page int) request {
	what := s.String()
	if s.fields != "" {
		what = "events about " + about[0].String()
	}
	return request{
		what: what,
		send: func(ctx context.Context) (answer, error) { return c.client.page(ctx, s, o) },
		handle: func(a answer, err error) []request {
			if err != nil {
				c.addFailure(err, "list", "events", what)
				return nil
			}
			var all []explain.Event
			for _, o := range a.objects {
				if e, ok := explain.EventFromObject(o); ok {
					e.About.Cluster = c.Cluster
					if !c.KeepSecrets {
						e = c.redactor.Event(e)
					}
					all = append(all, e)
				}
			}
			if s.fields == "" {
				c.events[s.namespace] = append(c.events[s.namespace], all...)
			}
			c.addEvents(all, about)
			switch {
			case a.more == "":
			case page < eventPages:
				o.Continue = a.more
				return []request{c.listEvents(s, about, o, page+1)}
			default:
				c.addGap(what, "not all events were read")
			}
			return nil
		},
	}
}

// addEvents adds the events of some objects to the facts.
func (c *collection) addEvents(all []explain.Event, about []status.ID) {
	wanted := map[status.ID]bool{}
	for _, id := range about {
		wanted[id] = true
	}
	c.facts.Events = append(c.facts.Events, slices.DeleteFunc(slices.Clone(all), func(e explain.Event) bool {
		return !wanted[e.About]
	})...)
}
