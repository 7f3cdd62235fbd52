package watcher

import (
	"context"
	"time"
)

// A Verifier finds changes that an open watch has missed. A Stream calls its methods between two
// events.
type Verifier interface {
	// Event is called when the watch opens, and at each event and bookmark.
	Event()
	// Due returns how long to wait before the watch is verified.
	Due() time.Duration
	// Verify returns a function that reads what it needs, beside the watch. Its result is called
	// between two events, and returns an error that ends the watch: ErrMissed, or that of a request.
	// It returns nil if nothing has to be verified now.
	Verify() (read func(context.Context) (apply func() error))
}

// OnSilence returns a Verifier of watches that send nothing for a time. isStale reports whether a read
// shows that changes are missing.
func OnSilence(after time.Duration, isStale func(context.Context) bool) Verifier {
	return &silence{after: after, isStale: isStale}
}

// A silence verifies a watch that sends nothing for a time.
type silence struct {
	after   time.Duration
	isStale func(context.Context) bool // nil: the watch is opened again
	last    time.Time                  // the last event or verification
	events  int
}

func (s *silence) Event() { s.last, s.events = time.Now(), s.events+1 }

func (s *silence) Due() time.Duration { return time.Until(s.last.Add(s.after)) }

func (s *silence) Verify() func(context.Context) func() error {
	events := s.events
	return func(ctx context.Context) func() error {
		isStale := s.isStale == nil || s.isStale(ctx)
		return func() error {
			s.last = time.Now()
			switch {
			case !isStale || s.events != events: // the watch has sent something in the meantime
				return nil
			case s.isStale == nil:
				return errQuiet
			}
			return ErrMissed
		}
	}
}

// verifier returns the Verifier of a watch.
func (s *Stream) verifier() Verifier {
	if s.Verifier != nil {
		return s.Verifier
	}
	return OnSilence(quietTimeout, nil)
}
