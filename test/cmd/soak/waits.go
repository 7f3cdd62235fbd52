package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// A follower watches all targets for the whole soak.
type follower struct {
	name    string
	selects bool // some targets are members of a selection

	mu      sync.Mutex // guards the fields below
	board   map[observe.Target]observe.Update
	updates int
}

// watcher returns the engine with a config that counts its requests.
func (s *stage) watcher(config *rest.Config, terms observe.Requirements) observe.Watcher {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &counter{next, &s.figures.requests} })
	return observe.Watcher{
		Source:       &source.Cluster{Config: config},
		Requirements: terms,
	}
}

// A counter counts requests.
type counter struct {
	next http.RoundTripper
	n    *atomic.Int64
}

func (c *counter) RoundTrip(req *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.next.RoundTrip(req)
}

// WrappedRoundTripper returns the wrapped transport, so that client-go can close it.
func (c *counter) WrappedRoundTripper() http.RoundTripper { return c.next }

// follow starts the followers, and the waits that start and end.
func (s *stage) follow(ctx context.Context) {
	maps := observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: home, FieldSelector: "metadata.name!=kube-root-ca.crt"}
	var others []observe.Target
	for _, t := range s.targets {
		if t.Kind != maps.Kind || t.Namespace != home {
			others = append(others, t)
		}
	}
	s.keep(ctx, &follower{name: "direct"}, s.cluster.Config(), s.targets)
	s.keep(ctx, &follower{name: "through the proxy"}, s.proxy.Config(), s.targets)
	s.keep(ctx, &follower{name: "by selection", selects: true}, s.cluster.Config(), append(others, maps))
	for i := range 3 {
		rng := rand.New(rand.NewPCG(uint64(s.seed), uint64(10+i)))
		s.group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				rounds[rng.IntN(len(rounds))](s, ctx, rng, fmt.Sprintf("passing-%d-%d", i, n))
			}
		})
	}
}

// keep starts a follower, which runs until ctx ends.
func (s *stage) keep(ctx context.Context, f *follower, config *rest.Config, targets []observe.Target) {
	f.board = map[observe.Target]observe.Update{}
	s.followers = append(s.followers, f)
	s.group.Go(func() {
		for u, err := range s.watcher(config, observe.Requirements{}).Updates(ctx, targets...) {
			if err != nil {
				s.wrongs.add("%s: the wait has ended: %v", f.name, err)
				return
			}
			s.claims.hear(f.name, u)
			f.hear(u)
		}
	})
}

// hear receives an update.
func (f *follower) hear(u observe.Update) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.updates++
	f.board[u.Target] = u
	if u.Removed {
		delete(f.board, u.Target)
	}
}

// told returns the last update of a target. A target that is not in a selection has no update,
// which means that it does not exist.
func (f *follower) told(t observe.Target) observe.Update {
	f.mu.Lock()
	defer f.mu.Unlock()
	u, ok := f.board[t]
	if !ok && f.selects {
		u.Result.Status = status.NotFoundStatus
	}
	return u
}

// A waitRound runs waits of limited duration. It has its own random source and name.
type waitRound func(s *stage, ctx context.Context, rng *rand.Rand, name string)

var rounds = []waitRound{(*stage).waitForCurrent, (*stage).waitForReady, (*stage).waitForDeletion, (*stage).leaveEarly}

// waitRounds counts the outcomes of waits.
type waitRounds struct {
	mu    sync.Mutex // guards ended
	ended map[observe.Outcome]int
}

func (r *waitRounds) add(o observe.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended == nil {
		r.ended = map[observe.Outcome]int{}
	}
	r.ended[o]++
}

// wait waits for the targets, and checks what success must mean.
func (s *stage) wait(ctx context.Context, name string, timeout time.Duration, terms observe.Requirements, targets []observe.Target) (observe.Outcome, *observe.Board) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, observe.ErrTimeout)
	defer cancel()
	began := time.Now()
	outcome, board, err := s.watcher(s.cluster.Config(), terms).Wait(ctx, observe.Policy{}, targets...)
	if err != nil {
		s.wrongs.add("%s: %v", name, err)
		return outcome, board
	}
	if took := time.Since(began); took > timeout+5*time.Second {
		s.wrongs.add("%s: a wait with a timeout of %s took %s", name, timeout, took)
	}
	s.rounds.add(outcome)
	for _, u := range board.Updates() {
		s.claims.hear(name, u)
		if outcome == observe.OutcomeSuccess && u.Progress != observe.ProgressReached {
			s.wrongs.add("%s: success, and %s is %s", name, u.Target, u.Progress)
		}
	}
	return outcome, board
}

// pick returns some of the targets of a kind, or of all kinds.
func (s *stage) pick(rng *rand.Rand, kind string) (some []observe.Target) {
	for _, t := range s.targets {
		if (kind == "" || t.Kind.Kind == kind) && rng.IntN(8) == 0 {
			some = append(some, t)
		}
	}
	return some
}

func (s *stage) waitForCurrent(ctx context.Context, rng *rand.Rand, name string) {
	s.wait(ctx, name+" for current", 10*time.Second, observe.Requirements{}, s.pick(rng, []string{"Deployment", "Gadget", "ConfigMap", ""}[rng.IntN(4)]))
}

func (s *stage) waitForReady(ctx context.Context, rng *rand.Rand, name string) {
	s.wait(ctx, name+" for Ready", 10*time.Second, observe.Requirements{Goals: []observe.Goal{goal.Condition("Ready", "True")}}, s.pick(rng, "Gadget"))
}

// waitForDeletion creates an object, waits for its deletion, and deletes it in the meantime.
func (s *stage) waitForDeletion(ctx context.Context, _ *rand.Rand, name string) {
	t := &thing{&family{resource: configMaps, kind: "ConfigMap", namespace: home}, name}
	if err := t.make(ctx, s.objects); err != nil {
		return // the server is not available
	}
	var deleted sync.WaitGroup
	deleted.Go(func() {
		for ctx.Err() == nil {
			time.Sleep(500 * time.Millisecond)
			err := t.at(s.objects).Delete(ctx, t.name, metav1.DeleteOptions{})
			if err == nil || apierrors.IsNotFound(err) {
				return
			}
		}
	})
	outcome, _ := s.wait(ctx, name+" for deletion", 90*time.Second, observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}, []observe.Target{t.target()})
	deleted.Wait()
	if outcome != observe.OutcomeSuccess && ctx.Err() == nil {
		s.wrongs.add("%s: it was deleted, and the wait for that ended with %s", name, outcome)
	}
}

// leaveEarly stops ranging after a few updates.
func (s *stage) leaveEarly(ctx context.Context, rng *rand.Rand, name string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	n := rng.IntN(50)
	for u, err := range s.watcher(s.cluster.Config(), observe.Requirements{}).Updates(ctx, s.pick(rng, "")...) {
		if err != nil {
			s.wrongs.add("%s: %v", name, err)
			return
		}
		s.claims.hear(name, u)
		if n--; n < 0 {
			return
		}
	}
}
