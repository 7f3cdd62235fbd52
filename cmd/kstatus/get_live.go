package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// getLive judges objects as they stand in the clusters. Those of a TYPE are
// listed; all others are looked up, and shown as NotFound where they do not exist.
func (g *getCommand) getLive(ctx context.Context, args []string, j judge, show printer) error {
	asked, unread := g.request(ctx, g.env.in, args)
	if unread != nil && len(asked.items) == 0 {
		return unread
	}
	clusters, err := g.connectAll(ctx, g.env, g.connection, j.rules)
	if err != nil {
		return err
	}
	errs := []error{unread}
	found, n := make([][]selected, len(clusters)), 0
	for i, c := range clusters {
		found[i], err = g.listed(ctx, c, asked)
		n += len(found[i])
		errs = append(errs, err)
	}
	t := &tally{}
	if err := g.partly(errs, n > 0, t); err != nil {
		return err
	}
	start := g.startLine(j)
	start.Objects, start.Contexts = new(n), g.contexts
	if err := show.start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for i, c := range clusters {
		verdicts, err := j.of(c).look(ctx, c, found[i])
		if err != nil {
			return err
		}
		for _, v := range verdicts {
			t.add(v)
			if err := show.object(v); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	return g.finish(show, t, j.now)
}

// partly says what could not be read, and counts it, where something else could
// be; where nothing could, it returns the error.
func (g *getCommand) partly(errs []error, some bool, t *tally) error {
	err := utilerrors.NewAggregate(errs)
	if err == nil {
		return nil
	}
	if !some {
		return permitted(err)
	}
	t.unread++
	g.say("error: %v", err)
	return nil
}

// of returns who judges the objects of a cluster.
func (j judge) of(c *connected) judge {
	j.evaluator.Expect, j.evaluator.Related, j.evaluator.Choose = c.promises.Of, c.promises.Related, c.rules.Choose
	j.cluster = c.name
	return j
}

// look returns the verdict on each of the objects, looking up those that have
// only been named.
func (j judge) look(ctx context.Context, c *connected, all []selected) ([]verdict, error) {
	verdicts := make(map[observe.Target]verdict, len(all))
	var unseen []observe.Target
	listed := map[status.Kind]bool{}
	for _, o := range all {
		if o.object == nil {
			unseen = append(unseen, o.target)
		} else {
			listed[o.target.Kind] = true
		}
	}
	if err := c.source().Teach(ctx, slices.Collect(maps.Keys(listed))...); err != nil {
		return nil, err
	}
	if len(unseen) > 0 {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var mu sync.Mutex
		err := c.source().Observe(ctx, unseen, func(s observe.Sighting) (open bool) {
			mu.Lock()
			defer mu.Unlock()
			verdicts[s.Target] = j.sighting(s)
			if len(verdicts) == len(unseen) {
				stop()
			}
			return false
		})
		if err != nil {
			return nil, err
		}
		if len(verdicts) < len(unseen) {
			return nil, fmt.Errorf("look up %d objects: %w", len(unseen), context.Cause(ctx))
		}
	}
	told := make([]verdict, len(all))
	for i, o := range all {
		if o.object != nil {
			told[i] = j.verdict(o.object)
		} else {
			told[i] = verdicts[o.target]
		}
		told[i].Source = o.from
	}
	return told, nil
}

// sighting judges what was seen of an object.
func (j judge) sighting(s observe.Sighting) verdict {
	if s.Object != nil {
		return j.verdict(s.Object)
	}
	v := verdict{objectLine: j.line(identityOfTarget(s.Target))}
	v.Status, v.Reason, v.Message, v.Confidence = status.NotFoundStatus, "NeverSeen", "it does not exist", status.Explicit
	if s.Err == nil {
		return v
	}
	v.Status, v.Reason, v.Message, v.Error = status.UnknownStatus, "Transport", s.Err.Error(), s.Err.Error()
	if why, ok := errors.AsType[*observe.Unreadable](s.Err); ok {
		v.Reason = why.Reason
	}
	return v
}

func identityOfTarget(t observe.Target) identity {
	return identity{Cluster: t.Cluster, Group: t.Kind.Group, Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name}
}
