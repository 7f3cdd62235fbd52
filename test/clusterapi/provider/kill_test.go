package provider

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"kstatus.dev/author/writes"
)

// processKiller ends a process at one of its writes to the API server or to the cloud. It still
// sends that write, and nothing after it.
type processKiller struct {
	at int // the number of the write, from 1; 0: never

	mu     sync.Mutex // guards the fields below
	writes []string
	dead   bool
	killed chan struct{}
}

var errDead = errors.New("the process has ended")

// wrap puts the killer between a client and its server.
func (r *processKiller) wrap(next http.RoundTripper) http.RoundTripper {
	return &killerTransport{r, next}
}

type killerTransport struct {
	killer *processKiller
	next   http.RoundTripper
}

func (x *killerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	goes, last := x.killer.count(req)
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
func (r *processKiller) count(req *http.Request) (goes, last bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead {
		return false, false
	}
	if req.Method == http.MethodGet {
		return true, false
	}
	r.writes = append(r.writes, req.Method+" "+req.URL.Path)
	if len(r.writes) != r.at {
		return true, false
	}
	r.dead = true
	close(r.killed)
	return true, true
}

// last returns the last write that was sent.
func (r *processKiller) last() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.writes) == 0 {
		return "none"
	}
	return r.writes[len(r.writes)-1]
}

// The test ends the example provider after each of its writes, before the response, and starts
// it again; with -short after every fourth write. In each case the provider reaches the same state, has created everything once, and
// breaks no rule.
func TestExampleKilledAtEachWrite(t *testing.T) {
	t.Parallel()
	steps := countWrites(t)
	next := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for at := range next {
				t.Run(fmt.Sprintf("after write %d", at), func(t *testing.T) { testKilledAt(t, at) })
			}
		})
	}
	for i, at := range steps {
		if !testing.Short() || i%4 == 0 {
			next <- at
		}
	}
	close(next)
	workers.Wait()
}

func testKilledAt(t *testing.T, at int) {
	w := newFixture(t)
	x := writes.AuditOptions{Kinds: auditedKinds, Namespaces: []string{w.Namespace}, Options: strictOptions()}
	x.Options.GracePeriod = patience // without a running provider, its reports may stay outdated
	through := x.Audit(t, w.Cluster.Config())
	r := &processKiller{at: at, killed: make(chan struct{})}
	dying := rest.CopyConfig(through)
	dying.Wrap(r.wrap)
	stop := w.runProvider(dying, r.wrap(http.DefaultTransport))
	reborn := make(chan struct{})
	go func() {
		defer close(reborn)
		select {
		case <-r.killed:
			stop()
			w.runProvider(through, nil)
		case <-t.Context().Done():
		}
	}()
	w.runShortLifecycle()
	select {
	case <-reborn:
	default: // this life needed fewer writes, because of fewer polls of the cloud
		t.Logf("nothing was killed: there were %d writes", len(r.writes))
	}
	if made := w.cloud.Created(); made != 2 {
		t.Errorf("the cloud has made %d things, want one load balancer and one server; killed after %s", made, r.last())
	}
}

// countWrites runs a life without an end of the process, and numbers its writes. Of equal calls
// of the cloud, such as polls, it counts only the first.
func countWrites(t *testing.T) (steps []int) {
	w := newFixture(t)
	r := &processKiller{}
	config := w.Cluster.Config()
	config.Wrap(r.wrap)
	w.runProvider(config, r.wrap(http.DefaultTransport))
	w.runShortLifecycle()
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[string]bool{}
	for i, write := range r.writes {
		if !seen[write] {
			steps = append(steps, i+1)
		}
		seen[write] = !strings.Contains(write, "/apis/")
	}
	t.Logf("the writes of a life:\n%s", strings.Join(r.writes, "\n"))
	return steps
}

// runShortLifecycle is a life with one change. It deletes the objects directly, because the core
// manager would take ten seconds.
func (w *fixture) runShortLifecycle() {
	w.T.Helper()
	w.Apply(shop)
	w.waitForReady()
	w.editSpecs("once")
	w.waitForReady()
	w.Remove(shelfMachines, "web")
	w.WaitForDeletion(shelfMachines, "web")
	w.Remove(shelfClusters, "shop")
	w.WaitForDeletion(shelfClusters, "shop")
	if left := w.cloud.Resources(); len(left) > 0 {
		w.T.Errorf("the cloud still has %v", left)
	}
}
