package openstackprovider

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// A processKiller ends a process at one of its writes to the cloud. It still sends that write, and
// nothing after it.
type processKiller struct {
	at int // the number of the write, from 1; 0: never

	mu     sync.Mutex // guards the fields below
	writes []string
	dead   bool
	killed chan struct{}
}

var errDead = errors.New("the process has ended")

// wrap puts the killer between a client and its server. Only writes to the cloud count.
func (k *processKiller) wrap(next http.RoundTripper, counts bool) http.RoundTripper {
	return &killerTransport{k, next, counts}
}

type killerTransport struct {
	killer *processKiller
	next   http.RoundTripper
	counts bool
}

func (x *killerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	goes, last := x.killer.count(req, x.counts)
	if !goes {
		return nil, errDead
	}
	resp, err := x.next.RoundTrip(req)
	if last { // the write was sent; its sender never gets the response
		if err == nil {
			resp.Body.Close()
		}
		return nil, errDead
	}
	return resp, err
}

// count reports whether a request is still sent, and whether it is the last.
func (k *processKiller) count(req *http.Request, counts bool) (goes, last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dead {
		return false, false
	}
	if !counts || req.Method == http.MethodGet || strings.HasPrefix(req.URL.Path, "/identity") {
		return true, false
	}
	k.writes = append(k.writes, req.Method+" "+anonymous(req.URL.Path))
	if len(k.writes) != k.at {
		return true, false
	}
	k.dead = true
	close(k.killed)
	return true, true
}

// The process ends after each write to the cloud, before the response, and starts again. In each
// case it reaches the same state, has created everything once, and leaves nothing behind.
func TestKilledAtEachWrite(t *testing.T) {
	t.Parallel()
	steps := countSteps(t)
	for at := 1; at <= steps; at++ {
		t.Run(fmt.Sprint("after write ", at), func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			k := &processKiller{at: at, killed: make(chan struct{})}
			stop := w.RunProvider(k.through(w.Cluster.Config()), k.wrap(http.DefaultTransport, true))
			go func() {
				select {
				case <-k.killed:
					stop()
					w.RunProvider(w.Cluster.Config(), nil)
				case <-t.Context().Done():
				}
			}()
			w.applyShop()
			w.WaitForReady()
			w.checkSingle()
			w.end()
		})
	}
}

// through returns a connection to the API server that ends with the process.
func (k *processKiller) through(config *rest.Config) *rest.Config {
	dying := rest.CopyConfig(config)
	dying.Wrap(func(next http.RoundTripper) http.RoundTripper { return k.wrap(next, false) })
	return dying
}

// countSteps runs a life without an end of the process, and returns the number of its writes.
func countSteps(t *testing.T) int {
	w := newFixture(t)
	k := &processKiller{}
	w.RunProvider(w.Cluster.Config(), k.wrap(http.DefaultTransport, true))
	w.applyShop()
	w.WaitForReady()
	w.end()
	k.mu.Lock()
	defer k.mu.Unlock()
	t.Logf("the writes of a life:\n%s", strings.Join(k.writes, "\n"))
	return len(k.writes)
}
