package source

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Client reaches one API server for as long as a program runs. All calls that use it,
// at the same time or later, share its connections, its discovery, and what it has
// learned about custom kinds. It may be used by several goroutines, and has none of its
// own while nobody waits.
type Client struct {
	server  *client.Client
	rules   Rules
	kinds   expect.Kinds
	schemas *schemas
	related knowledge
	pool    listwatch.Pool
}

// Options are what a [Client] uses besides the server. The zero Options are complete.
type Options struct {
	Mapper meta.RESTMapper // asked first how a kind is served; nil: only the server is
	Rules  Rules           // by which objects are judged besides the built-in rules; nil: none
}

// Rules are rules for kinds, of which some may be in the definitions of these. Its methods
// may be called from any goroutine.
type Rules interface {
	// AddDefinition receives the definition of each kind without a built-in rule before an object
	// of that kind is judged, and again when the definition has changed.
	AddDefinition(definition status.Object)
	// SelectRule is for [status.Evaluator.SelectRule].
	SelectRule(kind status.Kind, obj status.Object, builtin status.KindRule) status.KindRule
}

// Interfaces are clients that the caller has set up, or fakes. Only Dynamic is required.
type Interfaces struct {
	Dynamic dynamic.Interface

	// Metadata reads what is needed of Secrets and ConfigMaps. Nil: they are read whole,
	// and all but their metadata is dropped at once.
	Metadata metadata.Interface
}

// NewClient returns a Client for an API server. It sends no request. The rate of requests
// is that of config; where config sets none, there is no limit.
func NewClient(config *rest.Config, o Options) (*Client, error) {
	server, err := client.New(config, o.Mapper)
	if err != nil {
		return nil, err
	}
	return newClient(server, o), nil
}

// NewClientFor returns a Client that sends its requests through clients of the caller.
// [NewClient] is faster and notices more: that a server has gone silent, what is
// published about kinds whose definitions may not be read, that credentials are lost.
//
// Without Options.Mapper it finds the built-in kinds, and those whose definition it may
// read under the regular plural of the kind.
func NewClientFor(i Interfaces, o Options) *Client {
	return newClient(client.From(i.Dynamic, i.Metadata, o.Mapper), o)
}

func newClient(server *client.Client, o Options) *Client {
	c := &Client{server: server, rules: o.Rules}
	c.schemas = &schemas{
		reader:            expect.Reader{Kinds: &c.kinds, Learn: c.AddDefinition, Objects: server.Objects, Server: server.Server},
		builtin:           status.Profile{}.Rules(),
		serverTime:        server.Time,
		definitionVersion: server.DefinitionVersion,
	}
	return c
}

// Close closes the connections that are idle. The Client can still be used, and opens
// others then. Clients of the caller are left alone.
func (c *Client) Close() { c.server.Connection.Close() }

// Interfaces returns the clients that the Client uses, for callers that send requests of
// their own through the same connections. They refuse names that are no part of a path, and lists
// without an end. Unless the caller has set them up, they also refuse redirects, very large answers,
// and subresources other than log, scale and status.
func (c *Client) Interfaces() Interfaces {
	return Interfaces{Dynamic: c.server.Objects, Metadata: c.server.Metadata}
}

// AddDefinition takes in an object that the caller has read and on which verdicts on others rest:
// the definition of a kind or a StorageClass. It replaces what was known. Other objects are
// passed over.
func (c *Client) AddDefinition(obj status.Object) {
	if !c.kinds.Learn(obj) {
		c.related.learn(obj)
	} else if c.rules != nil {
		c.rules.AddDefinition(obj)
	}
}

// LoadSchemas reads what the definitions of these kinds promise, for callers that judge
// objects which they have read themselves; see [Client.Evaluator]. Of kinds that are
// already known it checks whether they have changed, at most every half a minute, by one
// small request. The error names each kind that could
// not be read; the others are known nevertheless.
func (c *Client) LoadSchemas(ctx context.Context, kinds ...status.Kind) error {
	var classes storageClassLoader
	var errs []error
	for _, kind := range kinds {
		switch {
		case kind == claimKind:
			errs = append(errs, classes.load(ctx, c.server.Objects, c.related.learn))
		case c.schemas.isCustom(kind):
			mapping, err := c.server.Discovery.Find(ctx, kind)
			if err == nil {
				err = c.schemas.renew(ctx, mapping)
			} else {
				err = fmt.Errorf("look up %s: %w", kind, err)
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// LoadPeers reads what other objects of these kinds report, by one list of a few objects of
// each kind, and none of a kind that is known or has a built-in rule. The error names each
// kind that could not be read.
func (c *Client) LoadPeers(ctx context.Context, kinds ...status.Kind) error {
	var errs []error
	for _, kind := range kinds {
		if !c.schemas.isCustom(kind) {
			continue
		}
		mapping, err := c.server.Discovery.Find(ctx, kind)
		if err == nil {
			err = c.schemas.readPeers(ctx, mapping)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("look at other objects of kind %s: %w", kind, err))
		}
	}
	return errors.Join(errs...)
}

// Evaluator returns an evaluator whose hooks answer from what the Client knows when they
// are called. Callers set the rest of it.
func (c *Client) Evaluator() status.Evaluator { return c.evaluator(&c.related) }

func (c *Client) evaluator(related *knowledge) status.Evaluator {
	e := status.Evaluator{Expect: c.kinds.Of, Related: related.lookup}
	if c.rules != nil {
		e.SelectRule = c.rules.SelectRule
	}
	return e
}

// A session is one call that reads a cluster.
type session struct {
	*client.Session
	schemas   *schemas
	classes   storageClassLoader
	related   knowledge
	pool      *listwatch.Pool
	evaluator status.Evaluator
	namespace string
	data      bool
	endpoints bool // Services rest on their endpoints
	close     func()
}

// connect starts a session. The caller closes it.
func (c *Cluster) connect() (*session, error) {
	shared, closed := c.Client, func() {}
	if shared == nil {
		var err error
		if shared, err = NewClient(c.Config, Options{}); err != nil {
			return nil, err
		}
		closed = shared.server.Close
	}
	s := &session{
		Session: shared.server.NewSession(c.Interval, c.OnNote), schemas: shared.schemas, related: knowledge{outer: &shared.related}, pool: &shared.pool,
		namespace: c.Namespace, data: c.ReadConfigMapData, endpoints: c.WaitForEndpoints, close: closed,
	}
	s.evaluator = shared.evaluator(&s.related)
	return s, nil
}

// load loads what verdicts on a kind rest on besides its objects.
func (s *session) load(ctx context.Context, m *meta.RESTMapping) error {
	if expect.KindOf(m) == claimKind {
		return s.classes.load(ctx, s.Objects, s.related.learn)
	}
	return s.schemas.renew(ctx, m)
}

// withEvaluator returns a function that adds the session's evaluator to events.
func (s *session) withEvaluator(report func(observe.Event) bool) func(observe.Event) bool {
	return func(e observe.Event) bool {
		e.Evaluator = &s.evaluator
		return report(e)
	}
}
