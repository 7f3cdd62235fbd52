package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
)

// A Meter measures what this process asks of an API server, and what it takes
// of the machine to do so. The zero Meter is ready for use.
type Meter struct {
	requests, discovery, received, read atomic.Int64
	measuring                           time.Duration // processor time that the meter itself has used
}

// A Usage is what a process has used since it began.
type Usage struct {
	Requests  int64         // sent to the API server, those about what it serves not counted
	Discovery int64         // those
	Received  int64         // bytes from the network, as they came: encrypted, and often compressed
	Read      int64         // bytes of the answers to Requests, decompressed
	Heap      int64         // bytes of the heap that are still needed
	Stacks    int64         // bytes of the stacks of goroutines
	Routines  int64         // how many goroutines there are
	Peak      int64         // the most bytes of memory that the process has had
	Processor time.Duration // that of measuring not counted
	Mallocs   int64
}

// Since returns what was used after before; Heap, Stacks and Routines are by how much they
// have grown, and Peak stays what it is.
func (u Usage) Since(before Usage) Usage {
	return Usage{
		Requests:  u.Requests - before.Requests,
		Discovery: u.Discovery - before.Discovery,
		Received:  u.Received - before.Received,
		Read:      u.Read - before.Read,
		Heap:      u.Heap - before.Heap,
		Stacks:    u.Stacks - before.Stacks,
		Routines:  u.Routines - before.Routines,
		Peak:      u.Peak,
		Processor: u.Processor - before.Processor,
		Mallocs:   u.Mallocs - before.Mallocs,
	}
}

// Usage measures now, after a collection of garbage.
func (m *Meter) Usage() Usage {
	used := spent()
	runtime.GC()
	runtime.GC() // what is in a sync.Pool lives through one
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	u := Usage{
		Requests:  m.requests.Load(),
		Discovery: m.discovery.Load(),
		Received:  m.received.Load(),
		Read:      m.read.Load(),
		Heap:      int64(memory.HeapAlloc),
		Stacks:    int64(memory.StackInuse),
		Routines:  int64(runtime.NumGoroutine()),
		Peak:      peak(int64(memory.Sys)),
		Processor: used - m.measuring,
		Mallocs:   int64(memory.Mallocs),
	}
	m.measuring += spent() - used
	return u
}

// Received returns how many bytes have come from the network.
func (m *Meter) Received() int64 { return m.received.Load() }

// On returns the config with all that goes through it measured.
func (m *Meter) On(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return countedConn{c, &m.received}, nil
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counted{next, m} })
	return config
}

type countedConn struct {
	net.Conn
	bytes *atomic.Int64
}

func (c countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

// A counted counts requests and what is read of their answers.
type counted struct {
	next http.RoundTripper
	m    *Meter
}

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	if isDiscovery(req.URL.Path) {
		c.m.discovery.Add(1)
		return c.next.RoundTrip(req)
	}
	c.m.requests.Add(1)
	resp, err := c.next.RoundTrip(req)
	if err == nil {
		resp.Body = countedBody{resp.Body, &c.m.read}
	}
	return resp, err
}

// WrappedRoundTripper shows client-go what is behind, so that it can be closed.
func (c counted) WrappedRoundTripper() http.RoundTripper { return c.next }

// isDiscovery reports whether a path is one of those that tell what is served:
// /api, /api/v1, /apis, /apis/apps and /apis/apps/v1.
func isDiscovery(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[0] == "api" && len(parts) <= 2 || parts[0] == "apis" && len(parts) <= 3
}

type countedBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	return n, err
}

// peak returns the most memory that this process has had, as Linux tells it.
// Elsewhere that is what Go has obtained from the system, which it hardly
// gives back.
func peak(obtained int64) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return obtained
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var kilobytes int64
		if n, _ := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return obtained
}
