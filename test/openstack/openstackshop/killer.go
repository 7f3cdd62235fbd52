package openstackshop

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

// A Killer ends a process at one of its writes to the cloud. It still sends that write, and nothing
// after it.
type Killer struct {
	at int // the number of the write, from 1; 0: never

	mu     sync.Mutex // guards the fields below
	writes []string
	dead   bool
	killed chan struct{}
}

// NewKiller returns a Killer for one process. It kills at a write, counted from 1, or never at 0.
func NewKiller(at int) *Killer { return &Killer{at: at, killed: make(chan struct{})} }

// Killed returns a channel that closes when the process is killed.
func (k *Killer) Killed() <-chan struct{} { return k.killed }

// Writes returns the writes of the process to the cloud, with "ID" for the IDs in their paths.
func (k *Killer) Writes() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.writes...)
}

var errDead = errors.New("the process has ended")

// Cloud returns the connection of the process to the cloud.
func (k *Killer) Cloud(next http.RoundTripper) http.RoundTripper {
	return &killerTransport{k, next, true}
}

// Through returns a connection to the API server that ends with the process.
func (k *Killer) Through(config *rest.Config) *rest.Config {
	dying := rest.CopyConfig(config)
	dying.Wrap(func(next http.RoundTripper) http.RoundTripper { return &killerTransport{k, next, false} })
	return dying
}

type killerTransport struct {
	killer *Killer
	next   http.RoundTripper
	counts bool // its writes
}

func (x *killerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	sends, last := x.killer.sends(req, x.counts)
	if !sends {
		return nil, errDead
	}
	resp, err := x.next.RoundTrip(req)
	if last {
		close(x.killer.killed)
	}
	if x.counts && x.killer.isDead() { // what was sent before the end takes effect, without a response
		if err == nil {
			resp.Body.Close()
		}
		return nil, errDead
	}
	return resp, err
}

func (k *Killer) isDead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dead
}

// sends reports whether a request is still sent, and whether it is the last one.
func (k *Killer) sends(req *http.Request, counts bool) (sends, last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dead {
		return false, false
	}
	if !counts || req.Method == http.MethodGet || strings.HasSuffix(req.URL.Path, "/auth/tokens") {
		return true, false
	}
	k.writes = append(k.writes, req.Method+" "+Anonymous(req.URL.Path))
	k.dead = len(k.writes) == k.at
	return true, k.dead
}

// Anonymous replaces the IDs in a path.
func Anonymous(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if len(part) >= 32 {
			parts[i] = "ID"
		}
	}
	return strings.Join(parts, "/")
}

// RunKilled runs the provider in one process after the other, until the test ends or until stop. It
// kills each process after a number of writes to the cloud. stop returns the writes of each process.
func (w *Shop) RunKilled(config *rest.Config, every int) (stop func() [][]string) {
	w.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var lives [][]string
	var group sync.WaitGroup
	group.Go(func() {
		for ctx.Err() == nil {
			k := NewKiller(every)
			end, err := w.start(k.Through(config), k.Cloud(http.DefaultTransport))
			if err != nil {
				w.T.Errorf("process %d: %v", len(lives)+1, err)
				return
			}
			select {
			case <-k.Killed():
			case <-ctx.Done():
			}
			end()
			lives = append(lives, k.Writes())
		}
	})
	stop = func() [][]string {
		cancel()
		group.Wait()
		return lives
	}
	w.T.Cleanup(func() { stop() })
	return stop
}
