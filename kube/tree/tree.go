// Package tree collects the facts that explain objects of a cluster. It reads the
// objects that they have created or refer to, events, and the last lines of logs.
//
//	r := tree.Reader{Config: config, Mapper: mapper, Logs: true}
//	facts, err := r.Collect(ctx, ids)
//	fmt.Print(explain.Explain(facts, ids...).Text(facts.Now))
//
// Package explain reports the facts that it lacks. A [Reader] reads them in
// rounds, with as few requests as possible, until no fact is missing or the
// limit of requests is reached. A failed read is a Gap in the facts and never
// an error.
//
// The values of Secrets and ConfigMaps are not read. Other secrets in objects,
// events and logs are replaced as far as package redact recognizes them.
//
// # Reading order
//
// The file tree.go holds the API, collection.go plans requests for queries, and
// batch.go sends them. The files named.go, parts.go, any_parts.go, lists.go,
// events.go and logs.go each plan one kind of request, and reach.go limits them. The file facts.go adds
// results to the facts, and errors.go adds gaps.
package tree

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"kstatus.dev/explain"
	"kstatus.dev/kube/source"
	"kstatus.dev/status"
)

// A Reader collects facts from one cluster. Config or Client is required; the zero value of
// every other field is good for most. A Reader may be used by several goroutines,
// each of which calls LoadSchemas and Explain for itself.
type Reader struct {
	// Config is the configuration of the connection that each call makes. Nil uses the one
	// of Client, which a Client of [source.NewClientFor] does not have.
	Config *rest.Config
	// Client loads schemas and judges objects, unless LoadSchemas or Explain is set. Nil
	// makes one from Config for each call.
	Client *source.Client
	// Mapper maps kinds to resources. Nil asks the cluster.
	Mapper meta.RESTMapper
	// Discovery lists the kinds of the cluster. Nil asks the cluster.
	Discovery discovery.ServerResourcesInterface
	// Cluster is the name of the cluster in IDs, if there are several clusters.
	// IDs of other clusters are ignored.
	Cluster string
	// Namespace is the namespace of IDs of namespaced kinds that name none.
	Namespace string
	// Namespaces are the namespaces whose events and logs are read. Of an object in another
	// namespace, which an object names, only the object is read. But the namespaces that a
	// cluster-scoped object of the call names count too. The empty namespace means all. Nil means
	// the namespaces of the IDs.
	Namespaces []string
	// LoadSchemas loads the schemas of kinds, on which their status depends;
	// see (*source.Client).LoadSchemas. It is called before the first object of
	// a kind is read. An error becomes a Gap. Nil, if Explain is set, loads
	// nothing.
	LoadSchemas func(ctx context.Context, kinds ...status.Kind) error
	// LoadEvictions reads the events about the eviction of objects, on which their status depends;
	// see (*source.Client).LoadEvictions. It is called before their status is computed. An error
	// becomes a Gap. Nil, if Explain is set, reads none.
	LoadEvictions func(ctx context.Context, objects ...status.Object) error
	// Explain computes the status of an object, and returns the fields that it has
	// read. It is not called concurrently. Nil, if LoadSchemas is set, computes it by
	// package status alone.
	Explain func(status.Object) (status.Result, []status.Read)
	// Logs enables reading the logs of containers.
	Logs bool
	// TailLines is the number of lines that are read from each log. Zero means
	// 10.
	TailLines int64
	// MaxRequests limits the requests of one call. Zero means 40, and 8 more for
	// each further namespace and each further kind of the IDs.
	MaxRequests int
	// SearchAllKinds searches for parts of objects in all kinds of the cluster,
	// not only in the likely ones.
	SearchAllKinds bool
	// RequestTimeout limits the duration of each request. Zero means 10 seconds. If all concurrent
	// requests reach it, no other follows.
	RequestTimeout time.Duration
	// KeepSecrets keeps text in the facts that looks like a secret.
	KeepSecrets bool
	// Now returns the time. Nil means time.Now.
	Now func() time.Time
}

// Collect reads the facts that explain the state of objects. These are the objects
// that they have created or refer to, their events, and logs. It does not read
// objects in known again.
//
// It returns an error only if no request can be made at all. A failed read is a
// Gap in the facts, also if ctx has ended.
func (r Reader) Collect(ctx context.Context, ids []status.ID, known ...explain.ObjectFact) (*explain.Facts, error) {
	return r.collect(ctx, ids, known, func(c *collection) []explain.Query {
		return append(explain.Queries(c.facts, ids...), c.anyPartQueries()...)
	})
}

// Tree reads objects with all objects that they have created, recursively. It
// reads nothing else; see [explain.Facts.Trees]. Errors are those of
// [Reader.Collect].
func (r Reader) Tree(ctx context.Context, ids []status.ID, known ...explain.ObjectFact) (*explain.Facts, error) {
	return r.collect(ctx, ids, known, func(c *collection) (all []explain.Query) {
		c.allParts = true
		for _, id := range ids {
			all = append(all, explain.Query{Type: explain.QueryObject, ID: id})
		}
		for _, t := range c.facts.Objects {
			for _, kind := range explain.PartKinds(t.ID.Kind) {
				all = append(all, explain.Query{Type: explain.QueryParts, ID: t.ID, Kind: kind})
			}
		}
		return append(all, c.anyPartQueries()...)
	})
}

// Caveats reads what the [explain.Subject.Caveat] of Current objects depends on. That is the
// EndpointSlices and Pods of Services, the Jobs of CronJobs and the Events about them, and the classes, Services and Secrets of
// Ingresses. Errors are those of [Reader.Collect].
func (r Reader) Caveats(ctx context.Context, ids []status.ID, known ...explain.ObjectFact) (*explain.Facts, error) {
	return r.collect(ctx, ids, known, func(c *collection) []explain.Query { return explain.CaveatQueries(c.facts, ids...) })
}

func (r Reader) collect(ctx context.Context, ids []status.ID, known []explain.ObjectFact, queries func(*collection) []explain.Query) (*explain.Facts, error) {
	r, err := r.withConfig()
	if err != nil {
		return nil, err
	}
	if r.LoadSchemas == nil && r.Explain == nil {
		if r.Client == nil {
			own, err := source.NewClient(r.Config, source.Options{Mapper: r.Mapper})
			if err != nil {
				return nil, err
			}
			defer own.Close()
			r.Client = own
		}
		r.LoadSchemas, r.LoadEvictions = r.Client.LoadSchemas, r.Client.LoadEvictions
		r.Explain = func(obj status.Object) (status.Result, []status.Read) { return compute(r.Client.Evaluator(), obj) }
	}
	r = r.withDefaults(ids)
	server, err := newClient(r)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	c := newCollection(r, server, ids)
	for _, t := range known {
		c.addFact(t)
	}
	for ctx.Err() == nil && !c.isSilent {
		fresh := c.permitted(c.untried(append(queries(c), c.ownedQueries...)))
		if len(fresh) == 0 {
			break
		}
		c.execute(ctx, c.planNext(ctx, fresh))
	}
	c.addRefused()
	c.addSkipped(ctx)
	return c.facts, nil
}

// withConfig returns the Reader with the Config of its Client, unless it has its own.
func (r Reader) withConfig() (Reader, error) {
	if r.Config == nil && r.Client != nil {
		r.Config = r.Client.Config()
	}
	if r.Config == nil {
		return r, errors.New("tree.Reader: want Config, or a Client of source.NewClient; have neither")
	}
	return r, nil
}

func (r Reader) withDefaults(ids []status.ID) Reader {
	if r.Explain == nil {
		r.Explain = computeAlone
	}
	if r.LoadSchemas == nil {
		r.LoadSchemas = func(context.Context, ...status.Kind) error { return nil }
	}
	if r.LoadEvictions == nil {
		r.LoadEvictions = func(context.Context, ...status.Object) error { return nil }
	}
	if r.TailLines <= 0 {
		r.TailLines = 10
	}
	if r.MaxRequests <= 0 {
		spaces, kinds := map[string]bool{}, map[status.Kind]bool{}
		for _, id := range ids {
			spaces[id.Namespace], kinds[id.Kind] = true, true
		}
		r.MaxRequests = 40 + 8*(max(1, len(spaces))-1+max(1, len(kinds))-1)
	}
	if r.RequestTimeout <= 0 {
		r.RequestTimeout = defaultTimeout
	}
	if r.Now == nil {
		r.Now = time.Now
	}
	return r
}

// computeAlone computes the status of an object without its schema.
func computeAlone(obj status.Object) (status.Result, []status.Read) {
	return compute(status.Evaluator{}, obj)
}

func compute(by status.Evaluator, obj status.Object) (status.Result, []status.Read) {
	result, reads, err := by.Explain(obj)
	if err != nil {
		return status.Result{Status: status.UnknownStatus, Reason: "Malformed", Message: err.Error()}, nil
	}
	return *result, reads
}
