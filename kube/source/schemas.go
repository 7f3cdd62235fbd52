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

// schemaTimeout is how long a kind whose definition cannot be read is not read
// either. After that it is judged without.
const schemaTimeout = 30 * time.Second

// schemas loads what custom kinds promise to report, once for each kind.
type schemas struct {
	onSchema func(status.Object)
	reader   expect.Reader
	classes  storageClassLoader
	builtin  status.Rules // kinds that need no schema

	mu     sync.Mutex // guards taken
	loaded map[status.Kind]*kindSchema
}

// A kindSchema is whether the schema of one kind is loaded.
type kindSchema struct {
	mu    sync.Mutex // guards the fields below, and is held while the schema is loaded, so that nobody goes on without it
	done  bool
	tried time.Time // when loading was tried first
}

// isCustom reports whether a kind has no rule, so that its schema matters.
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

// forget has the schema of a kind loaded again: its definition may have been replaced.
func (l *schemas) forget(kind status.Kind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.loaded, kind)
}

// load loads the schema of a kind, once. A definition that may not be read is no
// error: the kind is judged without.
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
		return nil // the next call tries again
	}
	this.done = true
	return nil
}

// Teach gives the definitions of these kinds to [Cluster.Learn], for callers that
// judge objects which they have read themselves.
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
