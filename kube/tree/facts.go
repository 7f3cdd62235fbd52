package tree

import (
	"context"

	"kstatus.dev/explain"
	"kstatus.dev/kube/internal/trim"
	"kstatus.dev/status"
)

var secretKind = status.Kind{Kind: "Secret"}

// metadataKinds are the kinds of which only the metadata are read.
var metadataKinds = map[status.Kind]bool{secretKind: true, {Kind: "ConfigMap"}: true}

// addObject judges an object and adds it to the facts, under the ID in the request or
// else its own. A requested ID may lack what only the cluster knows.
func (c *collection) addObject(s scope, id explain.ID, o object) {
	if !c.requested[id] {
		id = c.id(s, o.GetNamespace(), o.GetName())
	}
	if i, known := c.thingIndex[id]; known && c.facts.Objects[i].Object != nil {
		return
	}
	trim.Object(o.Object)
	result, reads := c.Explain(o.Unstructured)
	c.addThing(explain.ObjectFact{ID: id, Object: o.Object, Result: result, Reads: reads})
}

func (c *collection) id(s scope, namespace, name string) explain.ID {
	return explain.ID{Cluster: c.Cluster, Group: s.kind().Group, Kind: s.kind().Kind, Namespace: namespace, Name: name}
}

// redacted returns a thing as the facts have it: without secrets, unless they are kept.
func (c *collection) redacted(t explain.ObjectFact) explain.ObjectFact {
	if c.KeepSecrets {
		return t
	}
	return c.redactor.ObjectFact(t)
}

// addThing adds a thing to the facts unless it is among them.
func (c *collection) addThing(t explain.ObjectFact) {
	i, known := c.thingIndex[t.ID]
	switch {
	case !known:
		c.thingIndex[t.ID] = len(c.facts.Objects)
		c.facts.Objects = append(c.facts.Objects, c.redacted(t))
	case c.facts.Objects[i].Object == nil && t.Object != nil:
		c.facts.Objects[i] = c.redacted(t)
	}
}

// addMissing adds to the facts that an object does not exist.
func (c *collection) addMissing(id explain.ID) {
	c.addThing(explain.ObjectFact{ID: id, Result: status.Result{
		Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist", Confidence: status.ConfidenceExplicit,
	}})
}

// addImpossible adds to the facts that no object can have a name. Nothing is requested.
func (c *collection) addImpossible(id explain.ID, why error) {
	c.addThing(explain.ObjectFact{ID: id, Result: status.Result{Status: status.UnknownStatus, Reason: "BadName", Message: why.Error()}})
}

// addUnreadable adds to the facts that an object cannot be read: as its verdict if the
// object is requested or its kind is not served, else as a gap.
func (c *collection) addUnreadable(id explain.ID, what string, why readError) {
	if !c.requested[id] && why.reason != "NoMatch" {
		c.addGap(what, why.text)
		return
	}
	c.addThing(explain.ObjectFact{ID: id, Result: status.Result{
		Status: status.UnknownStatus, Reason: why.reason, Message: why.text,
	}})
}

// teach learns what verdicts on kinds rest on that have not been met before.
func (c *collection) teach(ctx context.Context, requests []request) {
	var kinds []status.Kind
	for _, r := range requests {
		if r.kind != (status.Kind{}) && !c.taughtKinds[r.kind] {
			c.taughtKinds[r.kind] = true
			kinds = append(kinds, r.kind)
		}
	}
	if len(kinds) == 0 {
		return
	}
	if err := c.LoadSchemas(ctx, kinds...); err != nil {
		c.addGap("what kinds promise", err.Error())
	}
}
