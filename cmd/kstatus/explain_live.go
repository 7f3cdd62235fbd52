package main

import (
	"context"

	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// explainLive explains objects of clusters. What explains them is read after they
// have been judged, and only for those that are told of.
func (x *explainCommand) explainLive(ctx context.Context, args []string, j judge) error {
	asked, unread := x.request(ctx, x.env.in, args)
	if unread != nil && len(asked.items) == 0 {
		return unread
	}
	clusters, err := x.connectAll(ctx, x.env, x.connection, j.rules)
	if err != nil {
		return err
	}
	j.explain, j.things = true, true
	s := &subject{named: asked.byName() && !x.expand}
	errs := []error{unread}
	for _, c := range clusters {
		found, err := x.listed(ctx, c, asked)
		errs = append(errs, err)
		verdicts, err := j.of(c).look(ctx, c, found)
		if err != nil {
			return err
		}
		s.asked = append(s.asked, verdicts...)
	}
	if err := x.partly(errs, len(s.asked) > 0, &s.tally); err != nil {
		return err
	}
	for _, v := range s.asked {
		s.tally.add(v)
	}
	told, _ := s.told()
	if s.facts, err = x.whyFlags.collect(ctx, clusters, j, told); err != nil {
		return err
	}
	return x.tell(j, s)
}

// collect reads from the clusters what explains objects.
func (f *whyFlags) collect(ctx context.Context, clusters []*connected, j judge, about []verdict) (*explain.Facts, error) {
	all := &explain.Facts{Now: j.now}
	for _, c := range clusters {
		var ids []explain.ID
		var known []explain.Thing
		for _, v := range about {
			if v.ID.Cluster == c.name {
				ids = append(ids, explain.ID(v.ID))
				if v.thing != nil {
					known = append(known, *v.thing)
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		facts, err := f.reader(c, j.of(c)).Collect(ctx, ids, known...)
		if err != nil {
			return nil, err
		}
		all.Join(facts)
	}
	return all, nil
}

// reader returns what reads from a cluster what explains its objects.
func (f *whyFlags) reader(c *connected, j judge) tree.Reader {
	return tree.Reader{
		Config: c.config, Mapper: c.mapper, Cluster: c.name, Namespace: c.namespace,
		Teach: c.source().Teach,
		Judge: func(obj status.Object) (status.Result, []status.Read) {
			e, err := j.evaluator.Explain(obj)
			if err != nil {
				return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error()}, nil
			}
			return e.Result, e.Reads
		},
		Logs: f.logs != "none", Tail: int64(f.tail),
	}
}
