package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/celrule"
	"kstatus.dev/kube/sets"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
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
		fmt.Fprintln(out, "note: "+text.Line(note))
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

// judge returns the judge of the objects of the cluster.
func (c *connected) judge(by criteria, d detail) judge {
	j := by.judge(d)
	j.evaluator.Expect, j.evaluator.Related, j.evaluator.Choose = c.promises.Of, c.promises.Related, c.rules.Choose
	j.cluster = c.name
	return j
}

// permitted gives an error about missing permission, or about a set that is not
// there, its exit code. Of several errors, as cli-runtime collects them, one suffices.
func permitted(err error) error {
	if _, coded := errors.AsType[*exitError](err); err == nil || coded {
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
