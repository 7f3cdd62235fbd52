package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/kube/sets"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A connected command has a cluster to ask.
type connected struct {
	name      string // of the cluster in targets, if there are several; else empty
	flags     *genericclioptions.ConfigFlags
	config    *rest.Config
	mapper    meta.RESTMapper
	namespace string // by flag, else of the context
	context   string // the name of the context; empty inside of a cluster
	life      *lifeline
	promises  *kubesource.Promises
	rules     *celrule.Set
	data      bool                              // a rule is about what ConfigMaps hold
	reads     []sets.Read                       // what finding sets has taken
	told      []string                          // what has been said of them
	owners    map[observe.Target]observe.Target // of what has been found by what owns it
	say       func(note string)                 // for people, beside what is printed
}

// connect reads the kubeconfig. No request is made yet; none outlives ctx, unless
// the lifeline is given another.
func connect(ctx context.Context, env environment, flags *genericclioptions.ConfigFlags) (*connected, error) {
	// client-go's own log would stand between our lines; what matters in it is
	// returned as an error or told as a verdict.
	klog.SetLogger(klog.Logger{})
	life := &lifeline{ctx: ctx}
	flags.WrapConfigFn = func(config *rest.Config) *rest.Config {
		config.Wrap(life.within)
		return config
	}
	config, err := flags.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	loader := flags.ToRawKubeConfigLoader()
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	mapper, err := flags.ToRESTMapper()
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c := &connected{
		flags: flags, config: config, mapper: mapper, namespace: namespace, life: life, promises: &kubesource.Promises{}, rules: &celrule.Set{},
		say: notes(env.err),
	}
	if raw, err := loader.RawConfig(); err == nil {
		c.context = raw.CurrentContext
	}
	if flags.Context != nil && *flags.Context != "" {
		c.context = *flags.Context
	}
	return c, nil
}

// A roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip makes a request.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A lifeline ends the requests of a cluster when its context ends. Discovery and
// cli-runtime's builder do not take a context.
type lifeline struct {
	mu  sync.Mutex // guards ctx
	ctx context.Context
}

// renew has the requests that follow live as long as another context.
func (l *lifeline) renew(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx = ctx
}

func (l *lifeline) within(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		l.mu.Lock()
		life := l.ctx
		l.mu.Unlock()
		both, cancel := context.WithCancelCause(r.Context())
		context.AfterFunc(life, func() { cancel(context.Cause(life)) })
		return next.RoundTrip(r.WithContext(both))
	})
}

// notes returns how to print notes, from any goroutine.
func notes(out io.Writer) func(string) {
	var mu sync.Mutex // guards out
	return func(note string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out, "note: "+plain(note))
	}
}

// source returns the cluster as a source of sightings.
func (c *connected) source() *kubesource.Cluster {
	return &kubesource.Cluster{
		Config:    c.config,
		Mapper:    c.mapper,
		Namespace: c.namespace,
		Learn:     c.learn,
		Data:      c.data,
		Kinds:     &c.promises.Kinds,
		Said:      c.say,
	}
}

// permitted gives an error about missing permission, or about a set that is not
// there, its exit code. Of several errors, as cli-runtime collects them, one suffices.
func permitted(err error) error {
	var exit *exitError
	if err == nil || errors.As(err, &exit) {
		return err
	}
	all := each(err)
	if slices.ContainsFunc(all, apierrors.IsForbidden) {
		return &exitError{code: exitForbidden, err: err}
	}
	if slices.ContainsFunc(all, isMissing) {
		return &exitError{code: exitMissing, err: err}
	}
	return err
}

// each returns the errors that an error is of.
func each(err error) (all []error) {
	switch many := err.(type) {
	case utilerrors.Aggregate:
		for _, err := range many.Errors() {
			all = append(all, each(err)...)
		}
		return all
	case interface{ Unwrap() []error }:
		for _, err := range many.Unwrap() {
			all = append(all, each(err)...)
		}
		return all
	}
	if many, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		return each(many)
	}
	return []error{err}
}

// unanswered reports whether an error comes of a server that does not answer.
func unanswered(err error) bool {
	return slices.ContainsFunc(each(err), func(err error) bool {
		_, ok := errors.AsType[*url.Error](err)
		return ok
	})
}

// getLive judges objects as they stand in the clusters. Those of a TYPE are
// listed; all others are looked up, and shown as NotFound where they do not exist.
func (g *getCommand) getLive(ctx context.Context, args []string, j judge, show printer) error {
	asked, unread := g.request(ctx, g.env.in, args)
	if unread != nil && len(asked.items) == 0 {
		return unread
	}
	clusters, err := g.connectAll(ctx, g.env, g.connection)
	if err != nil {
		return err
	}
	if err := judgeBy(j.rules, clusters...); err != nil {
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
	if err := utilerrors.NewAggregate(errs); err != nil {
		if n == 0 {
			return permitted(err)
		}
		t.unread++
		g.say("error: %v", err)
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
