package source

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/status"
)

// schemaTimeout is how long a kind whose definition cannot be read is not read
// either. After that it is judged without.
const schemaTimeout = 30 * time.Second

// clockMargin is by how many seconds the clocks of API servers may differ.
const clockMargin = 2

// maxSchemaAge is after how many seconds a definition is checked again when all objects
// are listed again: a server ends the watches of a kind whose definition changes.
const maxSchemaAge = 30

// schemas loads what custom kinds promise to report, once for each kind and again when
// its definition has changed.
type schemas struct {
	serverTime        func() time.Time // of the last answer, or earlier
	definitionVersion func(context.Context, *meta.RESTMapping) (string, error)
	reader            expect.Reader
	builtin           status.Rules // kinds that need no schema

	mu     sync.Mutex // guards loaded
	loaded map[status.Kind]*kindSchema
}

// A kindSchema is whether the schema of one kind is loaded.
type kindSchema struct {
	mu      sync.Mutex // guards the fields below, and is held while the schema is loaded, so that nobody goes on without it
	done    bool
	tried   time.Time // when loading was tried first
	version string    // the resourceVersion of the definition; empty: there is none, or it may not be read
	hidden  bool      // the definition may not be read
	began   time.Time // when the last load or check began

	checked atomic.Int64 // when the definition was like this, by the server's clock in seconds since 1970; 0: that is to be found out
}

// isCustom reports whether a kind has no rule, so that its schema matters.
func (s *schemas) isCustom(kind status.Kind) bool {
	_, known := s.builtin[kind]
	return !known
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

// load reads the schema of a kind. A definition that may not be read is no error: the
// kind is judged without. The caller holds this.mu.
func (s *schemas) load(ctx context.Context, m *meta.RESTMapping, this *kindSchema) error {
	if this.tried.IsZero() {
		this.tried = time.Now()
	}
	now, began := s.serverTime(), time.Now()
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	version, err := s.reader.Read(limited, m)
	if err != nil {
		if apierrors.IsUnauthorized(err) || time.Since(this.tried) < schemaTimeout {
			return fmt.Errorf("read what %s promises: %w", expect.KindOf(m), err)
		}
		return nil // the next call tries again
	}
	this.done, this.version, this.began = true, version, began
	this.checked.Store(now.Unix())
	return nil
}

// predates reports whether an object, by its creation, is older than the last check of
// its kind's definition. The definition of such an object has not been replaced since:
// objects go with the definition of their kind.
func (s *schemas) predates(kind status.Kind, created time.Time) bool {
	this := s.schemaOf(kind)
	return !created.IsZero() && created.Unix() < this.checked.Load()-clockMargin
}

// expire has the definition of a kind checked before an object of it is reported, unless
// it has been checked lately.
func (s *schemas) expire(kind status.Kind) {
	this := s.schemaOf(kind)
	if checked := this.checked.Load(); s.serverTime().Unix()-checked > maxSchemaAge {
		this.checked.CompareAndSwap(checked, 0)
	}
}

// check loads the schema of a kind, or loads it again if its definition has changed. One
// that may not be read is taken to be the same. A check that another caller has begun
// after since is enough.
func (s *schemas) check(ctx context.Context, m *meta.RESTMapping, since time.Time) error {
	this := s.schemaOf(expect.KindOf(m))
	this.mu.Lock()
	defer this.mu.Unlock()
	if recent := this.checked.Load() != 0 && this.began.After(since); this.done && recent {
		return nil
	}
	if this.done {
		began, now := time.Now(), s.serverTime()
		version, err := this.version, error(nil)
		if !this.hidden {
			version, err = s.definitionVersion(ctx, m)
		}
		if err != nil && !apierrors.IsForbidden(err) {
			return fmt.Errorf("read the definition of %s: %w", expect.KindOf(m), err)
		}
		if this.hidden = this.hidden || err != nil; this.hidden || version == this.version {
			this.began = began
			this.checked.Store(now.Unix())
			return nil
		}
		this.done = false
	}
	return s.load(ctx, m, this)
}

// renew loads the schema of a kind, or if it has been loaded some time ago checks that its
// definition has not changed.
func (s *schemas) renew(ctx context.Context, m *meta.RESTMapping) error {
	kind := expect.KindOf(m)
	if !s.isCustom(kind) {
		return nil
	}
	if s.expire(kind); s.schemaOf(kind).checked.Load() == 0 {
		return s.check(ctx, m, time.Time{})
	}
	return nil
}
