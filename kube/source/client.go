package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/evictions"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Client reaches one API server during the life of a program. All calls that use it share its
// connections, its discovery, and its schemas of custom kinds. It is safe for concurrent use,
// and runs no goroutine between calls.
type Client struct {
	server  *client.Client
	config  *rest.Config // nil with clients of the caller
	rules   Rules
	kinds   expect.Kinds
	schemas *schemas
	related relatedObjects
	pool    listwatch.Pool

	evictions evictions.Finder
	classes   storageClassLoader // of LoadSchemas
}

// Options configure a [Client]. The zero Options are valid.
type Options struct {
	Mapper meta.RESTMapper // looks up how a kind is served, before the server; may be nil
	Rules  Rules           // rules in addition to the built-in ones; may be nil
}

// Rules are rules for kinds, some of which may be in the definitions of the kinds. Its methods
// must be safe for concurrent use.
type Rules interface {
	// AddDefinition receives the definition of each kind without a built-in rule. It is
	// called before an object of that kind is judged, and again when the definition has
	// changed.
	AddDefinition(definition status.Object)
	// SelectRule is for [status.Evaluator.SelectRule].
	SelectRule(kind status.Kind, obj status.Object, builtin status.KindRule) status.KindRule
}

// Interfaces are the clients of the caller, or fakes. Only Dynamic is required.
type Interfaces struct {
	Dynamic dynamic.Interface

	// Metadata reads Secrets and ConfigMaps without their data. Nil: whole objects are read, and
	// everything except their metadata is dropped at once.
	Metadata metadata.Interface
}

// NewClient returns a Client for an API server. It sends no request. The rate of requests is the
// one in config; if config has none, it is not limited.
func NewClient(config *rest.Config, o Options) (*Client, error) {
	server, err := client.New(config, o.Mapper)
	if err != nil {
		return nil, err
	}
	c := newClient(server, o)
	c.config = rest.CopyConfig(config)
	return c, nil
}

// NewClientFor returns a Client that uses the clients of the caller. [NewClient] is faster and
// detects more: a server that no longer responds, the published schemas of kinds whose
// definitions are forbidden, and lost credentials.
//
// Without Options.Mapper it finds the built-in kinds, and kinds with a readable definition under
// the regular plural.
func NewClientFor(i Interfaces, o Options) *Client {
	return newClient(client.From(i.Dynamic, i.Metadata, o.Mapper), o)
}

func newClient(server *client.Client, o Options) *Client {
	c := &Client{server: server, rules: o.Rules, classes: storageClassLoader{maxAge: maxSchemaAge * time.Second}}
	c.evictions.Objects, c.evictions.Found = server.Objects, c.related.add
	c.schemas = &schemas{
		reader:            expect.Reader{Kinds: &c.kinds, OnDefinition: c.AddDefinition, Objects: server.Objects, Server: server.Server},
		builtin:           status.Profile{}.Rules(),
		serverTime:        server.Time,
		definitionVersion: server.DefinitionVersion,
	}
	return c
}

// Close closes idle connections. The Client remains usable, and opens new ones then. It does not
// close clients of the caller.
func (c *Client) Close() { c.server.Connection.Close() }

// Config returns a copy of the configuration of [NewClient]. It is nil for a Client of
// [NewClientFor].
func (c *Client) Config() *rest.Config {
	if c.config == nil {
		return nil
	}
	return rest.CopyConfig(c.config)
}

// Interfaces returns the clients of the Client, for requests of the caller over the same
// connections. They reject names that are not a path segment, and lists without a limit. Unless
// they belong to the caller, they also reject redirects, very large responses, and subresources
// other than log, scale and status.
func (c *Client) Interfaces() Interfaces {
	return Interfaces{Dynamic: c.server.Objects, Metadata: c.server.Metadata}
}

// AddDefinition adds an object of the caller on which other verdicts depend: the definition of a
// kind or a StorageClass. It replaces what was known. Other objects are ignored.
func (c *Client) AddDefinition(obj status.Object) {
	if !c.kinds.AddDefinition(obj) {
		c.related.add(obj)
	} else if c.rules != nil {
		c.rules.AddDefinition(obj)
	}
}

// LoadSchemas reads the schemas of these kinds, for callers that judge their own objects; see
// [Client.Evaluator]. For known kinds it sends one small request, at most every 30 seconds, to
// check whether they have changed. The error names each kind that could not be read; the others
// are loaded.
func (c *Client) LoadSchemas(ctx context.Context, kinds ...status.Kind) error {
	var errs []error
	for _, kind := range kinds {
		switch {
		case kind == claimKind:
			errs = append(errs, c.classes.load(ctx, c.server.Objects, c.related.add))
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

// LoadEvictions reads the events that say that Pods were evicted, for callers that judge their own
// objects; see [Client.Evaluator]. It is for Pods and Jobs that have succeeded, with a limit of
// ephemeral storage: one list for each of their namespaces. Other objects cause no request. The
// error names each namespace whose events could not be read.
func (c *Client) LoadEvictions(ctx context.Context, objects ...status.Object) error {
	return c.evictions.Look(ctx, objects...)
}

// LoadPeers reads which fields other objects of these kinds report, with one list of a few
// objects for each kind. It skips known kinds and most kinds with a built-in rule. The error names
// each kind that could not be read.
func (c *Client) LoadPeers(ctx context.Context, kinds ...status.Kind) error {
	var errs []error
	for _, kind := range kinds {
		if !c.schemas.hasPeers(kind) {
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

// Evaluator returns an evaluator whose hooks use the current knowledge of the Client. Callers
// set its other fields.
func (c *Client) Evaluator() status.Evaluator { return c.evaluator(&c.related) }

func (c *Client) evaluator(related *relatedObjects) status.Evaluator {
	e := status.Evaluator{Expect: c.kinds.Of, Related: related.lookup}
	var chosen status.RuleSelector
	if c.rules != nil {
		chosen = c.rules.SelectRule
	}
	e.SelectRule = parts.SelectRule(chosen)
	return e
}

// A session is one call that reads a cluster.
type session struct {
	*client.Session
	schemas   *schemas
	classes   storageClassLoader
	related   relatedObjects
	pool      *listwatch.Pool
	evaluator status.Evaluator
	namespace string
	data      bool
	endpoints bool // Services depend on their endpoints
	close     func()

	evictions *evictions.Finder
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
		Session: shared.server.NewSession(c.Interval, c.OnNote), schemas: shared.schemas, related: relatedObjects{outer: &shared.related}, pool: &shared.pool,
		namespace: c.Namespace, data: c.ReadConfigMapData, endpoints: c.WaitForEndpoints, close: closed,
		evictions: &shared.evictions,
	}
	s.evaluator = shared.evaluator(&s.related)
	return s, nil
}

// load loads what verdicts on a kind need in addition to its objects.
func (s *session) load(ctx context.Context, m *meta.RESTMapping) error {
	if expect.KindOf(m) == claimKind {
		return s.classes.load(ctx, s.Objects, s.related.add)
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
