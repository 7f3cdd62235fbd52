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
func (s *schemas) isCustom(kind status.Kind) bool {
	_, known := s.builtin[kind]
	return s.onSchema != nil && !known
}

func (s *schemas) schemaOf(kind status.Kind) *kindSchema {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded == nil {
		s.loaded = map[status.Kind]*kindSchema{}
	}
	if s.loaded[kind] == nil {
		s.loaded[kind] = &kindSchema{}
	}
	return s.loaded[kind]
}

// forget has the schema of a kind loaded again: its definition may have been replaced.
func (s *schemas) forget(kind status.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.loaded, kind)
}

// load loads the schema of a kind, once. A definition that may not be read is no
// error: the kind is judged without.
func (s *schemas) load(ctx context.Context, m *meta.RESTMapping) error {
	kind := expect.KindOf(m)
	if s.onSchema == nil {
		return nil
	}
	if kind == claimKind {
		return s.classes.load(ctx, s.reader.Objects, s.onSchema)
	}
	if !s.isCustom(kind) {
		return nil
	}
	this := s.schemaOf(kind)
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
	if err := s.reader.Read(limited, m); err != nil {
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
	s, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer s.Close()
	for _, kind := range kinds {
		mapping, err := s.Discovery.Find(ctx, kind)
		if err != nil {
			return fmt.Errorf("look up %s: %w", kind, err)
		}
		if err := s.schemas.load(ctx, mapping); err != nil {
			return err
		}
	}
	return nil
}
