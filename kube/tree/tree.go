// Package tree collects what explains objects of a cluster: what they have made,
// what they refer to, events about them, and the last lines of logs.
//
//	r := tree.Reader{Config: config, Mapper: mapper, Logs: true}
//	facts, err := r.Collect(ctx, ids)
//	fmt.Print(explain.Explain(facts, ids...).Text(facts.Now))
//
// Package explain says what it lacks; a [Reader] reads it, in rounds, with as few
// requests as it can, until nothing more is asked for or its budget is spent. What
// cannot be read is a Gap among the facts and never an error.
//
// Nothing of the values of Secrets and ConfigMaps is asked for, and what objects,
// events and logs hold of secrets otherwise is replaced before it is kept; see
// [explain.Redactor].
//
// # Reading order
//
// tree.go holds the API, collection.go how wishes become requests, and batch.go how requests are
// sent. named.go, parts.go, any_parts.go, lists.go, events.go and logs.go each plan one kind of
// request. facts.go adds what was read to the facts, and errors.go what could not be read.
package tree

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// A Reader collects facts from one cluster. Its zero fields but for Config are
// good for most.
type Reader struct {
	Config         *rest.Config
	Mapper         meta.RESTMapper                    // how kinds are served; nil: the cluster is asked
	Discovery      discovery.ServerResourcesInterface // which kinds there are; nil: the cluster is asked
	Cluster        string                             // the name that IDs have for it, if there are several; others are left alone
	Namespace      string                             // of IDs of namespaced kinds that name none
	LoadSchemas    Teach                              // called before the first object of a kind is judged; nil: nothing is to be learnt
	Explain        Judge                              // nil: what status.Compute says
	Logs           bool                               // read logs, too
	TailLines      int64                              // how many lines of each; zero: 10
	MaxRequests    int                                // how many requests to make; zero: 40
	SearchAllKinds bool                               // look for parts among all kinds there are, and not only those that are likely
	RequestTimeout time.Duration                      // how long each request may take; zero: 10 s
	Now            func() time.Time
}

// A Judge says what is to be said of an object, and what that was read from. It
// is not called concurrently.
type Judge func(status.Object) (status.Result, []status.Read)

// A Teach learns what a verdict on objects of some kinds rests on besides them, as
// (*source.Cluster).Teach does. An error is told as a Gap.
type Teach func(ctx context.Context, kinds ...status.Kind) error

// Collect collects what explains some objects. What is known already need not be
// read again. The error is not nil only if no request can be made at all; what
// could not be read is among the facts, and so is that ctx has ended.
func (r Reader) Collect(ctx context.Context, ids []explain.ID, known ...explain.ObjectFact) (*explain.Facts, error) {
	return r.collect(ctx, ids, known, func(c *collection) []explain.Query {
		return append(explain.Queries(c.facts, ids...), c.anyPartWishes()...)
	})
}

// Tree collects some objects with all that they have made and what that has made,
// whether it is there or not; see [explain.Trees]. Nothing else is read.
func (r Reader) Tree(ctx context.Context, ids []explain.ID, known ...explain.ObjectFact) (*explain.Facts, error) {
	return r.collect(ctx, ids, known, func(c *collection) (all []explain.Query) {
		c.allParts = true
		for _, id := range ids {
			all = append(all, explain.Query{Type: explain.QueryObject, ID: id})
		}
		for _, t := range c.facts.Objects {
			for _, kind := range explain.PartKinds(t.ID.GroupKind()) {
				all = append(all, explain.Query{Type: explain.QueryParts, ID: t.ID, Kind: kind})
			}
		}
		return append(all, c.anyPartWishes()...)
	})
}

func (r Reader) collect(ctx context.Context, ids []explain.ID, known []explain.ObjectFact, wishes func(*collection) []explain.Query) (*explain.Facts, error) {
	r = r.withDefaults(ids)
	server, err := newClient(r)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	c := newCollection(r, server, ids)
	for _, t := range known {
		c.addThing(t)
	}
	for ctx.Err() == nil {
		fresh := c.untried(append(wishes(c), c.ownedWishes...))
		if len(fresh) == 0 {
			break
		}
		c.execute(ctx, c.planNext(ctx, fresh))
	}
	c.addSkipped(ctx)
	return c.facts, nil
}

func (r Reader) withDefaults(ids []explain.ID) Reader {
	if r.Explain == nil {
		r.Explain = judgeAlone
	}
	if r.LoadSchemas == nil {
		r.LoadSchemas = func(context.Context, ...status.Kind) error { return nil }
	}
	if r.TailLines <= 0 {
		r.TailLines = 10
	}
	if r.MaxRequests <= 0 {
		spaces := map[string]bool{}
		for _, id := range ids {
			spaces[id.Namespace] = true
		}
		r.MaxRequests = 40 + 8*max(0, len(spaces)-1)
	}
	if r.RequestTimeout <= 0 {
		r.RequestTimeout = defaultPatience
	}
	if r.Now == nil {
		r.Now = time.Now
	}
	return r
}

// judgeAlone judges an object by nothing but itself.
func judgeAlone(obj status.Object) (status.Result, []status.Read) {
	result, reads, err := status.Evaluator{}.Explain(obj)
	if err != nil {
		return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error()}, nil
	}
	return *result, reads
}
