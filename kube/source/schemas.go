package source

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/status"
)

// schemaTimeout is how long objects of a kind are held back if its definition cannot be read.
// After that they are judged without it.
const schemaTimeout = 30 * time.Second

// clockMargin is the tolerated difference between the clocks of API servers, in seconds.
const clockMargin = 2

// maxSchemaAge is the age in seconds from which a definition is checked again when all objects are
// listed again. A server ends the watches of a kind whose definition changes.
const maxSchemaAge = 30

// schemas loads the schemas of custom kinds, once per kind and again when a definition has
// changed.
type schemas struct {
	serverTime        func() time.Time // time of the last response, or earlier
	definitionVersion func(context.Context, *meta.RESTMapping) (string, error)
	reader            expect.Reader
	builtin           status.Rules // kinds that need no schema

	mu     sync.Mutex // guards loaded
	loaded map[status.Kind]*kindSchema
}

// A kindSchema records whether the schema of one kind is loaded.
type kindSchema struct {
	turn    turn.Turn // owns the fields below
	done    bool
	tried   time.Time // time of the first load
	version string    // the resourceVersion of the definition; empty: missing or forbidden
	hidden  bool      // the definition may not be read
	began   time.Time // start of the last load or check

	checked atomic.Int64 // the time on the server's clock, in seconds since 1970, at which the definition was the same; 0: unknown
}

// isCustom reports whether a kind has no rule, so that its schema matters.
func (s *schemas) isCustom(kind status.Kind) bool {
	_, known := s.builtin[kind]
	return !known
}

// parentLists are the fields in which routes and policies of the Gateway API have the reports on their
// parents. Some controllers never report, so that other objects of the kind show whether one does.
var parentLists = map[status.Kind]string{
	{Group: "gateway.networking.k8s.io", Kind: "HTTPRoute"}:        "parents",
	{Group: "gateway.networking.k8s.io", Kind: "GRPCRoute"}:        "parents",
	{Group: "gateway.networking.k8s.io", Kind: "TLSRoute"}:         "parents",
	{Group: "gateway.networking.k8s.io", Kind: "TCPRoute"}:         "parents",
	{Group: "gateway.networking.k8s.io", Kind: "UDPRoute"}:         "parents",
	{Group: "gateway.networking.k8s.io", Kind: "BackendTLSPolicy"}: "ancestors",
}

// hasPeers reports whether other objects of a kind matter for one without a report.
func (s *schemas) hasPeers(kind status.Kind) bool {
	return s.isCustom(kind) || parentLists[kind] != ""
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

// forget makes the schema of a kind load again: its definition may have been replaced.
func (s *schemas) forget(kind status.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.loaded, kind)
}

// load reads the schema of a kind. A forbidden definition is no error: the kind is judged
// without it. The caller has the turn of this.
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

// predates reports whether an object was created before the last check of its kind's definition.
// The definition of such an object has not been replaced since, because deleting a definition
// deletes the objects.
func (s *schemas) predates(kind status.Kind, created time.Time) bool {
	this := s.schemaOf(kind)
	return !created.IsZero() && created.Unix() < this.checked.Load()-clockMargin
}

// expire makes the definition of a kind be checked before the next object of it is reported,
// unless it was checked recently.
func (s *schemas) expire(kind status.Kind) {
	this := s.schemaOf(kind)
	if checked := this.checked.Load(); s.serverTime().Unix()-checked > maxSchemaAge {
		this.checked.CompareAndSwap(checked, 0)
	}
}

// check loads the schema of a kind, or loads it again if its definition has changed. A forbidden
// definition counts as unchanged. A check that another caller has begun after since is
// sufficient.
func (s *schemas) check(ctx context.Context, m *meta.RESTMapping, since time.Time) error {
	this := s.schemaOf(expect.KindOf(m))
	end, err := this.turn.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
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

// renew loads the schema of a kind. If it was loaded some time ago, renew checks whether its
// definition has changed.
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
