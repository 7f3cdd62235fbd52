package source

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/kube/expect"
	"kstatus.dev/status"
)

// How long a kind is not read because its definition cannot be. After that it
// is judged without.
const schemaTimeout = 30 * time.Second

// A lessons knows of which custom kinds it has been read what they promise.
type schemas struct {
	onSchema func(status.Object)
	reader   expect.Reader
	classes  storageClassLoader
	builtin  status.Rules // kinds of which it is not needed

	mu     sync.Mutex // guards taken
	loaded map[status.Kind]*kindSchema
}

// A lesson is what one kind promises.
type kindSchema struct {
	mu    sync.Mutex // guards what follows, and held while it is read, so that nobody goes ahead without it
	done  bool
	tried time.Time // when it was first tried to read it
}

// concerns reports whether there is something to be learnt of a kind.
func (l *schemas) isCustom(kind status.Kind) bool {
	_, known := l.builtin[kind]
	return l.onSchema != nil && !known
}

func (l *schemas) schemaOf(kind status.Kind) *kindSchema {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.loaded == nil {
		l.loaded = map[status.Kind]*kindSchema{}
	}
	if l.loaded[kind] == nil {
		l.loaded[kind] = &kindSchema{}
	}
	return l.loaded[kind]
}

// forget has the definition of a kind read anew: another may have come instead.
func (l *schemas) forget(kind status.Kind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.loaded, kind)
}

// take reads what a kind promises, once. That it may not be read is no error:
// then nothing is known of it.
func (l *schemas) load(ctx context.Context, m *meta.RESTMapping) error {
	kind := expect.KindOf(m)
	if l.onSchema == nil {
		return nil
	}
	if kind == claimKind {
		return l.classes.load(ctx, l.reader.Objects, l.onSchema)
	}
	if !l.isCustom(kind) {
		return nil
	}
	this := l.schemaOf(kind)
	this.mu.Lock()
	defer this.mu.Unlock()
	if this.done {
		return nil
	}
	if this.tried.IsZero() {
		this.tried = time.Now()
	}
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	if err := l.reader.Read(limited, m); err != nil {
		if apierrors.IsUnauthorized(err) || time.Since(this.tried) < schemaTimeout {
			return fmt.Errorf("read what %s promises: %w", kind, err)
		}
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
	defer l.Close()
	for _, kind := range kinds {
		mapping, err := l.Discovery.Find(ctx, kind)
		if err != nil {
			return fmt.Errorf("look up %s: %w", kind, err)
		}
		if err := l.schemas.load(ctx, mapping); err != nil {
			return err
		}
	}
	return nil
}
