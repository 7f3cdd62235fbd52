package writes

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/sleep"
)

// A stream merges several sources. A report blocks while the receiver is busy.
// If a watch blocks too long, the server ends it, and it continues at its last
// version.
type stream struct {
	ctx context.Context
	out chan audit.Write

	mu   sync.Mutex // guards last, and the order of times
	last time.Time
}

// maxBuffered is the number of writes in the buffer.
const maxBuffered = 4096

func newStream(ctx context.Context) *stream {
	return &stream{ctx: ctx, out: make(chan audit.Write, maxBuffered)}
}

// report sets the time of a write and sends it. It holds the lock until then,
// so that times are in order. Times have the precision of a file.
func (s *stream) report(w audit.Write) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sendLocked(w)
}

func (s *stream) sendLocked(w audit.Write) {
	s.last = now()
	w.Time = s.last
	select {
	case s.out <- w:
	case <-s.ctx.Done():
	}
}

func now() time.Time { return time.Now().UTC().Round(0) }

// tick sends a tick if there is no other write for some time.
func (s *stream) tick(ctx context.Context, every time.Duration) {
	every = cmp.Or(every, time.Second)
	for sleep.For(ctx, every) {
		s.mu.Lock()
		if now().Sub(s.last) >= every {
			s.sendLocked(audit.Write{Type: audit.WriteTick})
		}
		s.mu.Unlock()
	}
}

// drain forwards writes until ctx ends, and then the buffered ones.
func (s *stream) drain(ctx context.Context, report func(audit.Write)) {
	for {
		select {
		case w := <-s.out:
			report(w)
		case <-ctx.Done():
			for {
				select {
				case w := <-s.out:
					report(w)
				default:
					return
				}
			}
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
