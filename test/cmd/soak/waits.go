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
	name          string
	usesSelection bool // some targets are members of a selection

	mu      sync.Mutex // guards the fields below
	board   map[observe.Target]observe.Update
	updates int
}

// watcher returns the engine with a config that counts its requests.
func (s *soakRun) watcher(config *rest.Config, terms observe.Requirements) observe.Watcher {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &counter{next, &s.metrics.requests} })
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
func (s *soakRun) follow(ctx context.Context) {
	maps := observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: stableNamespace, FieldSelector: "metadata.name!=kube-root-ca.crt"}
	var others []observe.Target
	for _, t := range s.targets {
		if t.Kind != maps.Kind || t.Namespace != stableNamespace {
			others = append(others, t)
		}
	}
	s.startFollower(ctx, &follower{name: "direct"}, s.cluster.Config(), s.targets)
	s.startFollower(ctx, &follower{name: "through the proxy"}, s.proxy.Config(), s.targets)
	s.startFollower(ctx, &follower{name: "by selection", usesSelection: true}, s.cluster.Config(), append(others, maps))
	for i := range 3 {
		rng := rand.New(rand.NewPCG(uint64(s.seed), uint64(10+i)))
		s.group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				rounds[rng.IntN(len(rounds))](s, ctx, rng, fmt.Sprintf("passing-%d-%d", i, n))
			}
		})
	}
}

// startFollower starts a follower, which runs until ctx ends.
func (s *soakRun) startFollower(ctx context.Context, f *follower, config *rest.Config, targets []observe.Target) {
	f.board = map[observe.Target]observe.Update{}
	s.followers = append(s.followers, f)
	s.group.Go(func() {
		for u, err := range s.watcher(config, observe.Requirements{}).Updates(ctx, targets...) {
			if err != nil {
				s.mismatches.add("%s: the wait has ended: %v", f.name, err)
				return
			}
			s.updates.add(f.name, u)
			f.add(u)
		}
	})
}

// add receives an update.
func (f *follower) add(u observe.Update) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.updates++
	f.board[u.Target] = u
	if u.Removed {
		delete(f.board, u.Target)
	}
}

// last returns the last update of a target. A target that is not in a selection has no update,
// which means that it does not exist.
func (f *follower) last(t observe.Target) observe.Update {
	f.mu.Lock()
	defer f.mu.Unlock()
	u, ok := f.board[t]
	if !ok && f.usesSelection {
		u.Result.Status = status.NotFoundStatus
	}
	return u
}

// A waitRound runs waits of limited duration. It has its own random source and name.
type waitRound func(s *soakRun, ctx context.Context, rng *rand.Rand, name string)

var rounds = []waitRound{(*soakRun).waitForCurrent, (*soakRun).waitForReady, (*soakRun).waitForDeletion, (*soakRun).stopEarly}

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
func (s *soakRun) wait(ctx context.Context, name string, timeout time.Duration, terms observe.Requirements, targets []observe.Target) (observe.Outcome, *observe.Board) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, observe.ErrTimeout)
	defer cancel()
	began := time.Now()
	outcome, board, err := s.watcher(s.cluster.Config(), terms).Wait(ctx, observe.Policy{}, targets...)
	if err != nil {
		s.mismatches.add("%s: %v", name, err)
		return outcome, board
	}
	if took := time.Since(began); took > timeout+5*time.Second {
		s.mismatches.add("%s: a wait with a timeout of %s took %s", name, timeout, took)
	}
	s.rounds.add(outcome)
	for _, u := range board.Updates() {
		s.updates.add(name, u)
		if outcome == observe.OutcomeSuccess && u.Progress != observe.ProgressReached {
			s.mismatches.add("%s: success, and %s is %s", name, u.Target, u.Progress)
		}
	}
	return outcome, board
}

// someTargets returns some of the targets of a kind, or of all kinds.
func (s *soakRun) someTargets(rng *rand.Rand, kind string) (some []observe.Target) {
	for _, t := range s.targets {
		if (kind == "" || t.Kind.Kind == kind) && rng.IntN(8) == 0 {
			some = append(some, t)
		}
	}
	return some
}

func (s *soakRun) waitForCurrent(ctx context.Context, rng *rand.Rand, name string) {
	s.wait(ctx, name+" for current", 10*time.Second, observe.Requirements{}, s.someTargets(rng, []string{"Deployment", "Gadget", "ConfigMap", ""}[rng.IntN(4)]))
}

func (s *soakRun) waitForReady(ctx context.Context, rng *rand.Rand, name string) {
	s.wait(ctx, name+" for Ready", 10*time.Second, observe.Requirements{Goals: []observe.Goal{goal.Condition("Ready", "True")}}, s.someTargets(rng, "Gadget"))
}

// waitForDeletion creates an object, waits for its deletion, and deletes it in the meantime.
func (s *soakRun) waitForDeletion(ctx context.Context, _ *rand.Rand, name string) {
	t := &testObject{&kindSpec{resource: configMaps, kind: "ConfigMap", namespace: stableNamespace}, name}
	if err := t.make(ctx, s.objects); err != nil {
		return // the server is not available
	}
	var deleted sync.WaitGroup
	deleted.Go(func() {
		for ctx.Err() == nil {
			time.Sleep(500 * time.Millisecond) // simulates a user who deletes an object while it is waited for
			err := t.at(s.objects).Delete(ctx, t.name, metav1.DeleteOptions{})
			if err == nil || apierrors.IsNotFound(err) {
				return
			}
		}
	})
	outcome, _ := s.wait(ctx, name+" for deletion", 90*time.Second, observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}, []observe.Target{t.target()})
	deleted.Wait()
	if outcome != observe.OutcomeSuccess && ctx.Err() == nil {
		s.mismatches.add("%s: it was deleted, and the wait for that ended with %s", name, outcome)
	}
}

// stopEarly stops ranging after a few updates.
func (s *soakRun) stopEarly(ctx context.Context, rng *rand.Rand, name string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	n := rng.IntN(50)
	for u, err := range s.watcher(s.cluster.Config(), observe.Requirements{}).Updates(ctx, s.someTargets(rng, "")...) {
		if err != nil {
			s.mismatches.add("%s: %v", name, err)
			return
		}
		s.updates.add(name, u)
		if n--; n < 0 {
			return
		}
	}
}
