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

// A Meter measures the requests of this process to an API server, and the resources that they
// cost. The zero Meter is ready for use.
type Meter struct {
	requests, discovery, received, read atomic.Int64
	measuring                           time.Duration // processor time that the meter itself has used
}

// A Usage is what a process has used since its start.
type Usage struct {
	Requests  int64         // requests to the API server without discovery
	Discovery int64         // discovery requests
	Received  int64         // bytes from the network, as received: encrypted, and often compressed
	Read      int64         // bytes of the responses to Requests, decompressed
	Heap      int64         // bytes of the live heap
	Stacks    int64         // bytes of the stacks of goroutines
	Routines  int64         // number of goroutines
	Peak      int64         // peak memory in bytes
	Processor time.Duration // without the time for measuring
	Mallocs   int64
}

// Since returns the difference between after and before. Heap, Stacks and Routines are the
// growth; Peak is that of after.
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

// Usage measures now, after a garbage collection.
func (m *Meter) Usage() Usage {
	used := processorTime()
	runtime.GC()
	runtime.GC() // a sync.Pool keeps its items for one collection
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
	m.measuring += processorTime() - used
	return u
}

// Received returns the number of bytes received from the network.
func (m *Meter) Received() int64 { return m.received.Load() }

// On returns a copy of the config that measures all its traffic.
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

// A counted counts requests and the bytes read from their responses.
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

// WrappedRoundTripper returns the wrapped transport, so that client-go can close it.
func (c counted) WrappedRoundTripper() http.RoundTripper { return c.next }

// isDiscovery reports whether a path is a discovery path: /api, /api/v1, /apis, /apis/apps and
// /apis/apps/v1.
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

// peak returns the peak memory of this process on Linux. Elsewhere it returns the memory that
// Go has obtained from the system, which hardly ever shrinks.
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
