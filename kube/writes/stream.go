package writes

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"kstatus.dev/audit"
)

// A stream makes one of several. Whoever tells it of something waits while the
// one who listens is busy; a watch that waits for long is cut by the server, and
// goes on where it was.
type stream struct {
	ctx context.Context
	out chan audit.Write

	mu   sync.Mutex // guards last, and the order of times
	last time.Time
}

// maxBuffered is how many writes may wait.
const maxBuffered = 4096

func newStream(ctx context.Context) *stream {
	return &stream{ctx: ctx, out: make(chan audit.Write, maxBuffered)}
}

// report stamps a write with a time as a file can hold it, and passes it on. The
// lock is held until then, so that times are in order.
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

// tick says from time to time that time has passed, while nothing else does.
func (s *stream) tick(ctx context.Context, every time.Duration) {
	every = cmp.Or(every, time.Second)
	for sleep(ctx, every) {
		s.mu.Lock()
		if now().Sub(s.last) >= every {
			s.sendLocked(audit.Write{Type: audit.WriteTick})
		}
		s.mu.Unlock()
	}
}

// drain passes everything on until ctx ends, and then what is left.
func (s *stream) drain(ctx context.Context, saw func(audit.Write)) {
	for {
		select {
		case w := <-s.out:
			saw(w)
		case <-ctx.Done():
			for {
				select {
				case w := <-s.out:
					saw(w)
				default:
					return
				}
			}
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// split takes namespace/name apart.
func split(key string) (namespace, name string) {
	namespace, name, _ = strings.Cut(key, "/")
	return namespace, name
}
