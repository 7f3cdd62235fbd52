package tree

import (
	"context"

	"kstatus.dev/explain"
	"kstatus.dev/kube/internal/trim"
	"kstatus.dev/status"
)

var secretKind = status.Kind{Kind: "Secret"}

// metadataKinds are the kinds whose metadata only is read.
var metadataKinds = map[status.Kind]bool{secretKind: true, {Kind: "ConfigMap"}: true}

// addObject computes the status of an object, and adds it to the facts under
// the requested ID, or else its own. A requested ID may lack fields that only
// the cluster knows.
func (c *collection) addObject(s scope, id status.ID, o object) {
	if !c.requested[id] {
		id = c.id(s, o.GetNamespace(), o.GetName())
	}
	if i, known := c.objectIndex[id]; known && c.facts.Objects[i].Object != nil {
		return
	}
	trim.Object(o.Object)
	result, reads := c.Explain(o.Unstructured)
	c.addFact(explain.ObjectFact{ID: id, Object: o.Object, Result: result, Reads: reads})
}

func (c *collection) id(s scope, namespace, name string) status.ID {
	return status.ID{Cluster: c.Cluster, Kind: s.kind(), Namespace: namespace, Name: name}
}

// redacted returns an object fact without secrets, unless KeepSecrets is set.
func (c *collection) redacted(t explain.ObjectFact) explain.ObjectFact {
	if c.KeepSecrets {
		return t
	}
	return c.redactor.ObjectFact(t)
}

// addFact adds an object fact unless the facts contain it.
func (c *collection) addFact(t explain.ObjectFact) {
	i, known := c.objectIndex[t.ID]
	switch {
	case !known:
		c.objectIndex[t.ID] = len(c.facts.Objects)
		c.facts.Objects = append(c.facts.Objects, c.redacted(t))
	case c.facts.Objects[i].Object == nil && t.Object != nil:
		c.facts.Objects[i] = c.redacted(t)
	}
}

// addMissing adds a missing object to the facts.
func (c *collection) addMissing(id status.ID) {
	c.addFact(explain.ObjectFact{ID: id, Result: status.Result{
		Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist", Confidence: status.ConfidenceExplicit,
	}})
}

// addImpossible adds to the facts that an object cannot exist, because its name
// is invalid. It sends no request.
func (c *collection) addImpossible(id status.ID, why error) {
	c.addFact(explain.ObjectFact{ID: id, Result: status.Result{Status: status.UnknownStatus, Reason: "BadName", Message: why.Error()}})
}

// addUnreadable adds to the facts that an object cannot be read. This becomes
// its verdict if the object was requested or its kind is not served, and a gap
// otherwise.
func (c *collection) addUnreadable(id status.ID, what string, why readError) {
	if !c.requested[id] && why.reason != status.ReasonNoMatch {
		c.addGap(what, why.text)
		return
	}
	c.addFact(explain.ObjectFact{ID: id, Result: status.Result{
		Status: status.UnknownStatus, Reason: why.reason, Message: why.text,
	}})
}

// loadEvictions reads the events about the eviction of objects, where events may be read.
func (c *collection) loadEvictions(ctx context.Context, answers []answer) {
	var objects []status.Object
	for _, a := range answers {
		for _, o := range a.objects {
			if c.reach.includes(o.GetNamespace()) {
				objects = append(objects, o)
			}
		}
	}
	if err := c.LoadEvictions(ctx, objects...); err != nil {
		c.addGap("evictions", err.Error())
	}
}

// loadSchemas loads the schemas of new kinds.
func (c *collection) loadSchemas(ctx context.Context, requests []request) {
	var kinds []status.Kind
	for _, r := range requests {
		if r.kind != (status.Kind{}) && !c.schemaKinds[r.kind] {
			c.schemaKinds[r.kind] = true
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
