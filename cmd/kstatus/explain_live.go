package main

import (
	"context"
)

// explainLive explains objects of clusters. What explains them is read after they
// have been judged, and only for those that are explained.
func (x *explainCommand) explainLive(ctx context.Context, args []string, by criteria) error {
	wanted, unread := x.selection.request(ctx, x.env.in, args)
	if unread != nil && len(wanted.items) == 0 {
		return unread
	}
	clusters, err := x.selection.connectAll(ctx, x.env, x.connection, by.rules)
	if err != nil {
		return err
	}
	s := &subject{named: wanted.byName() && !x.selection.expand}
	errs := []error{unread}
	for _, c := range clusters {
		found, err := x.selection.listed(ctx, c, wanted)
		errs = append(errs, err)
		verdicts, err := lookUp(ctx, c, c.judge(by, detailObject), found)
		if err != nil {
			return err
		}
		s.objects = append(s.objects, verdicts...)
	}
	if err := x.partly(errs, len(s.objects) > 0, &s.tally); err != nil {
		return err
	}
	for _, v := range s.objects {
		s.tally.add(v)
	}
	explained, _ := s.explained()
	if s.facts, err = x.whyFlags.collect(ctx, clusters, by, explained); err != nil {
		return err
	}
	return x.print(by, s)
}
