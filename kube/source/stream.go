package source

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// How long a stream pauses before it tries again: at first, and at most.
const (
	firstPause = 500 * time.Millisecond
	lastPause  = 30 * time.Second
)

// A stream is one kind in one namespace.
type stream struct {
	link      *link
	kind      status.Kind
	namespace string // empty for a kind that has none
	targets   map[string]observe.Target
	data      bool
	saw       func(observe.Sighting) (open bool)

	mapping   *meta.RESTMapping // how the kind is served; nil until that is known
	reflector *cache.Reflector  // keeps up to which version it has seen; nil while mapping is
	verb      string            // what was asked of the server last: look up, list or watch
	told      bool              // it has been said why the targets cannot be read
	known     bool              // the targets have been listed
}

// run lists and watches until ctx ends, again and again. What goes wrong is
// the targets' verdict, except lost credentials, which are returned.
func (s *stream) run(ctx context.Context) error {
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		err := s.follow(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if apierrors.IsUnauthorized(err) {
			return &errCredentials{plain(err)}
		}
		s.tell(ctx, err)
		if time.Since(began) > lastPause || s.polls(err) {
			pause = firstPause
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + rand.N(pause)):
		}
		pause = min(2*pause, lastPause)
	}
	return nil
}

// polls reports whether the targets may be listed but not watched, so that
// they are listed again and again.
func (s *stream) polls(err error) bool {
	return s.known && s.verb == "watch" && apierrors.IsForbidden(err)
}

// tell makes an error the verdict on the targets, unless they have been seen
// and the server is merely out of reach for a while.
func (s *stream) tell(ctx context.Context, err error) {
	if err == nil || s.polls(err) {
		return
	}
	why := s.unreadable(ctx, s.verb, err)
	if why.Reason == "Transport" && (s.known || s.told) {
		return
	}
	s.told = true
	for _, t := range s.targets {
		switch {
		case why.Reason == "NoMatch" && s.known: // the kind has been removed, and its objects with it
			s.saw(observe.Sighting{Target: t})
		default:
			s.saw(observe.Sighting{Target: t, Err: why})
		}
	}
}

// follow lists and watches once, until that ends.
func (s *stream) follow(ctx context.Context) error {
	s.verb = "look up"
	mapping, err := s.link.kinds.find(s.kind)
	if err != nil {
		return err
	}
	if s.mapping == nil || s.mapping.Resource != mapping.Resource {
		s.mapping, s.reflector = mapping, nil
	}
	if !s.scoped() {
		<-ctx.Done()
		return nil
	}
	if err := s.link.lessons.take(ctx, mapping); err != nil {
		return err
	}
	if s.reflector == nil {
		s.reflector = cache.NewReflectorWithOptions(s.listWatch(), nil, &store{s}, cache.ReflectorOptions{
			Name:            "kstatus",
			TypeDescription: s.kind.String(),
			Logger:          new(klog.Logger),
		})
	}
	err = s.reflector.ListAndWatchWithContext(ctx)
	if apierrors.IsNotFound(err) {
		// The kind is not served: of objects that are not there the list is empty.
		s.link.kinds.forget()
		return &meta.NoKindMatchError{GroupKind: mapping.GroupVersionKind.GroupKind()}
	}
	return err
}

// scoped reports whether the targets are named as their kind asks. It completes
// their namespace, or says on each what is wrong.
func (s *stream) scoped() bool {
	var text string
	namespaced := s.mapping.Scope.Name() == meta.RESTScopeNameNamespace
	switch {
	case namespaced && s.namespace == "":
		s.namespace = s.link.namespace
		if s.namespace == "" {
			text = fmt.Sprintf("%s is namespaced, and no namespace is named", s.kind)
		}
	case !namespaced && s.namespace != "":
		text = fmt.Sprintf("%s has no namespace, and %s is named", s.kind, s.namespace)
	}
	if text == "" {
		return true
	}
	err := &observe.Unreadable{Reason: "BadScope", Text: text}
	for _, t := range s.targets {
		s.saw(observe.Sighting{Target: t, Err: err})
	}
	return false
}

// listWatch returns how the reflector asks the server.
func (s *stream) listWatch() *cache.ListWatch {
	resource := s.mapping.Resource
	objects := s.link.objects.Resource(resource).Namespace(s.namespace)
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return objects.List(ctx, o) }
	follow := objects.Watch
	if metadataOnly(s.kind, s.data) {
		metadata := s.link.metadata.Resource(resource).Namespace(s.namespace)
		list = func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return metadata.List(ctx, o) }
		follow = metadata.Watch
	}
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			s.link.calls.RLock()
			defer s.link.calls.RUnlock()
			s.verb = "list"
			if o.ResourceVersion == "0" {
				o.ResourceVersion = "" // a cache may not know yet what was applied a moment ago
			}
			all, err := list(ctx, s.narrow(o))
			if err != nil {
				return nil, err
			}
			s.only(all)
			return all, nil
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			s.verb = "watch"
			w, err := follow(ctx, s.narrow(o))
			if o.SendInitialEvents != nil && (utilnet.IsConnectionRefused(err) || apierrors.IsTooManyRequests(err)) {
				// The reflector would pause without looking at ctx. With an error that it does not know it lists.
				return nil, errors.New(err.Error())
			}
			return w, err
		},
	}
}

// narrow asks for a single target by its name, so that no other object is sent.
func (s *stream) narrow(o metav1.ListOptions) metav1.ListOptions {
	if byName(len(s.targets)) {
		for name := range s.targets {
			o.FieldSelector = fields.OneTermEqualSelector("metadata.name", name).String()
		}
	}
	return o
}
