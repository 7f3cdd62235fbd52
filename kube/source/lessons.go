package source

import (
	"context"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/status"
)

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// A lessons holds the definitions of custom kinds that have been read, each once.
type lessons struct {
	learn   func(status.Object)
	objects dynamic.Interface
	classes classes

	mu    sync.Mutex // guards known, and held while one is read, so that nobody goes ahead without it
	known status.Rules
}

// take reads the definition of a kind. That there is none, or that it may not
// be read, is no error: then nothing is known of what the kind promises.
func (l *lessons) take(ctx context.Context, m *meta.RESTMapping) error {
	if l.learn == nil {
		return nil
	}
	kind := status.Kind{Group: m.GroupVersionKind.Group, Kind: m.GroupVersionKind.Kind}
	if kind == claimKind {
		return l.classes.take(ctx, l.objects, l.learn)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.known[kind]; ok {
		return nil
	}
	name := m.Resource.GroupResource().String()
	definition, err := l.objects.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
	switch {
	case err == nil:
		l.learn(definition)
	case !apierrors.IsNotFound(err) && !apierrors.IsForbidden(err):
		return fmt.Errorf("read the definition of %s: %w", kind, err)
	}
	l.known[kind] = status.Entry{}
	return nil
}

// Teach gives the definitions of these kinds to [Cluster.Learn], for one who
// judges objects that another has read.
func (c *Cluster) Teach(ctx context.Context, kinds ...status.Kind) error {
	l, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer utilnet.CloseIdleConnectionsFor(l.http.Transport)
	for _, kind := range kinds {
		mapping, err := l.kinds.find(kind)
		if err != nil {
			return fmt.Errorf("look up %s: %w", kind, err)
		}
		if err := l.lessons.take(ctx, mapping); err != nil {
			return err
		}
	}
	return nil
}
