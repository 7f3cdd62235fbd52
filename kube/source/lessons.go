package source

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/status"
)

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// How long a kind is not read because its definition cannot be. After that it
// is judged without.
const lessonLimit = 30 * time.Second

// A lessons knows which definitions of custom kinds have been read.
type lessons struct {
	learn   func(status.Object)
	objects dynamic.Interface
	classes classes
	known   status.Rules // kinds whose definition is not needed

	mu    sync.Mutex // guards taken
	taken map[status.Kind]*lesson
}

// A lesson is the definition of one kind.
type lesson struct {
	mu    sync.Mutex // guards what follows, and held while it is read, so that nobody goes ahead without it
	done  bool
	tried time.Time // when it was first tried to read it
}

func (l *lessons) of(kind status.Kind) *lesson {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken == nil {
		l.taken = map[status.Kind]*lesson{}
	}
	if l.taken[kind] == nil {
		l.taken[kind] = &lesson{}
	}
	return l.taken[kind]
}

// forget has the definition of a kind read anew: another may have come instead.
func (l *lessons) forget(kind status.Kind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, kind)
}

// take reads the definition of a kind, once. That there is none, or that it may
// not be read, is no error: then nothing is known of what the kind promises.
func (l *lessons) take(ctx context.Context, m *meta.RESTMapping) error {
	kind := status.Kind{Group: m.GroupVersionKind.Group, Kind: m.GroupVersionKind.Kind}
	if l.learn == nil {
		return nil
	}
	if kind == claimKind {
		return l.classes.take(ctx, l.objects, l.learn)
	}
	if _, ok := l.known[kind]; ok {
		return nil
	}
	this := l.of(kind)
	this.mu.Lock()
	defer this.mu.Unlock()
	if this.done {
		return nil
	}
	if this.tried.IsZero() {
		this.tried = time.Now()
	}
	limited, cancel := context.WithTimeout(ctx, lessonLimit)
	defer cancel()
	definition, err := l.objects.Resource(definitions).Get(limited, m.Resource.GroupResource().String(), metav1.GetOptions{})
	switch {
	case err == nil:
		l.learn(definition)
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err):
	case apierrors.IsUnauthorized(err), time.Since(this.tried) < lessonLimit:
		return fmt.Errorf("read the definition of %s: %w", kind, err)
	default:
		return nil // the next who asks tries again
	}
	this.done = true
	return nil
}

// Teach gives the definitions of these kinds to [Cluster.Learn], for one who
// judges objects that another has read.
func (c *Cluster) Teach(ctx context.Context, kinds ...status.Kind) error {
	l, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer l.close()
	for _, kind := range kinds {
		mapping, err := l.kinds.find(ctx, kind)
		if err != nil {
			return fmt.Errorf("look up %s: %w", kind, err)
		}
		if err := l.lessons.take(ctx, mapping); err != nil {
			return err
		}
	}
	return nil
}
