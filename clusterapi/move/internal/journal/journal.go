// Package journal keeps the journal of a move: one JSON document in a file, in ConfigMaps of
// both management clusters, or in all of them. It does not know what is in the document.
//
// Each save replaces the document atomically. [All] keeps several copies and loads the newest.
// [Locks] take Leases, so that two moves of the same Clusters exclude each other. They refuse the
// writes of a process that has lost one.
//
// # Reading order
//
// journal.go has the stores, document.go the form in which they keep a document. file.go,
// configmap.go and chunk.go have the places, lock.go a Lease, and locks.go what they protect.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"kstatus.dev/internal/turn"
)

// A Store keeps one document, which is JSON. Its methods may be called concurrently.
type Store interface {
	// Save replaces the document. The error of a Store with several copies names those that could
	// not be saved. All others have the new document.
	Save(ctx context.Context, data []byte) error
	// Check returns an error that wraps [ErrReplaced] if another process has saved since the last Save
	// or Load of this Store.
	Check(ctx context.Context) error
	// Load returns the document. The error wraps [fs.ErrNotExist] if there is none.
	Load(ctx context.Context) ([]byte, error)
	// Remove removes the document, and succeeds if there is none.
	Remove(ctx context.Context) error
	// Origin says where the last Load has found the document. It is like String before.
	Origin() string
	// String says where the document is: a path, or the name of a ConfigMap and its cluster.
	String() string
}

// ErrReplaced says that another process has saved since.
var ErrReplaced = errors.New("another process has replaced it: only one process at a time may continue a move")

// All returns a Store that saves to all stores in their order, and loads the newest document that
// can be read.
//
// Load fails only if no store has a readable document. So a copy that cannot be read hides that it
// may be newer. Callers must compare the document with the clusters.
func All(stores ...Store) Store {
	all := &store{}
	for _, s := range stores {
		if one, is := s.(*store); is {
			all.places = append(all.places, one.places...)
		} else {
			all.places = append(all.places, foreign{s})
		}
	}
	return all
}

// A place keeps the bytes of one encoded document.
type place interface {
	write(ctx context.Context, encoded []byte) error
	read(ctx context.Context) ([]byte, error) // fs.ErrNotExist if there is none
	check(ctx context.Context) error          // ErrReplaced if another process has written since
	remove(ctx context.Context) error
	String() string
}

// A foreign place is a Store of another package.
type foreign struct{ Store }

func (f foreign) write(ctx context.Context, encoded []byte) error { return f.Save(ctx, encoded) }
func (f foreign) read(ctx context.Context) ([]byte, error)        { return f.Load(ctx) }
func (f foreign) check(ctx context.Context) error                 { return f.Check(ctx) }
func (f foreign) remove(ctx context.Context) error                { return f.Remove(ctx) }

// A store keeps a document in some places.
type store struct {
	places []place

	turn     turn.Turn // owns places and sequence; held during requests
	sequence int64     // of the newest document that was read or written; 0 if none was

	mu     sync.Mutex // guards origin
	origin place      // of the newest document that was read; nil if none was
}

// Save implements [Store].
func (s *store) Save(ctx context.Context, data []byte) error {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return fmt.Errorf("save %s: %w", s, err)
	}
	defer end()
	if s.sequence == 0 {
		// A document of another process must become older than this one. What cannot be read is
		// replaced.
		_, _ = s.newest(ctx)
	}
	encoded, err := encode(document{Sequence: s.sequence + 1, Data: data})
	if err != nil {
		return fmt.Errorf("save %s: %w", s, err)
	}
	s.sequence++
	var errs []error
	for _, p := range s.places {
		if err := p.write(ctx, encoded); err != nil {
			errs = append(errs, fmt.Errorf("save %s: %w", p, err))
		}
	}
	return errors.Join(errs...)
}

// Check implements [Store].
func (s *store) Check(ctx context.Context) error {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return fmt.Errorf("look at %s: %w", s, err)
	}
	defer end()
	var errs []error
	for _, p := range s.places {
		if err := p.check(ctx); err != nil {
			errs = append(errs, fmt.Errorf("look at %s: %w", p, err))
		}
	}
	return errors.Join(errs...)
}

// Load implements [Store].
func (s *store) Load(ctx context.Context) ([]byte, error) {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s, err)
	}
	defer end()
	d, err := s.newest(ctx)
	return d.Data, err
}

// newest returns the newest document that can be read. The caller has the turn.
func (s *store) newest(ctx context.Context) (newest document, err error) {
	var origin place
	var errs []error
	for _, p := range s.places {
		encoded, err := p.read(ctx)
		var d document
		if err == nil {
			d, err = decode(encoded)
		}
		switch {
		case err == nil && d.Sequence > newest.Sequence:
			newest, origin = d, p
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, fmt.Errorf("read %s: %w", p, err))
		}
	}
	switch {
	case newest.Sequence > 0:
		s.sequence = max(s.sequence, newest.Sequence)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.origin = origin
		return newest, nil
	case len(errs) > 0:
		return document{}, errors.Join(errs...)
	}
	return document{}, fmt.Errorf("%s: %w", s, fs.ErrNotExist)
}

// Remove implements [Store].
func (s *store) Remove(ctx context.Context) error {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return fmt.Errorf("remove %s: %w", s, err)
	}
	defer end()
	var errs []error
	for _, p := range s.places {
		if err := p.remove(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("remove %s: %w", p, err))
		}
	}
	return errors.Join(errs...)
}

// Origin implements [Store].
func (s *store) Origin() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.origin == nil {
		return s.String()
	}
	return s.origin.String()
}

// String implements [Store].
func (s *store) String() string {
	names := make([]string, len(s.places))
	for i, p := range s.places {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}
