// Package stutter makes the programs of a test cluster stop and continue at random moments. What
// controllers do then comes late and in unusual orders, while the test runs at full speed. A test
// that reads a state before a controller has written it then fails.
//
// The environment variable KSTATUS_TEST_STUTTER selects the programs, and for each how long it stops
// and runs in turn, on average:
//
//	KSTATUS_TEST_STUTTER="kube-controller-manager=3s/1s kwok=2s/1s seed=7"
//
// The name controllers selects the controllers that run in the process of a test. The seed, by
// default 0, selects the moments.
package stutter

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Variable is the environment variable that selects the programs.
const Variable = "KSTATUS_TEST_STUTTER"

// Controllers is the name of the controllers that run in the process of a test.
const Controllers = "controllers"

// A Plan says which programs stop, and when. The zero Plan stops none.
type Plan struct {
	rhythms map[string]rhythm
	seed    uint64
}

// A rhythm is how long a program stops and runs in turn, on average.
type rhythm struct{ stops, runs time.Duration }

// FromEnvironment returns the Plan of this process.
func FromEnvironment() (Plan, error) {
	p, err := Parse(os.Getenv(Variable))
	if err != nil {
		return p, fmt.Errorf("%s: %w", Variable, err)
	}
	return p, nil
}

// Parse reads a Plan: fields NAME=STOPS/RUNS and seed=NUMBER.
func Parse(text string) (Plan, error) {
	p := Plan{rhythms: map[string]rhythm{}}
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		if name == "seed" {
			seed, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				return p, fmt.Errorf("want seed=NUMBER, have %q", field)
			}
			p.seed = seed
			continue
		}
		stops, runs, _ := strings.Cut(value, "/")
		r := rhythm{}
		var err, otherErr error
		r.stops, err = time.ParseDuration(stops)
		r.runs, otherErr = time.ParseDuration(runs)
		if err != nil || otherErr != nil || name == "" || r.stops <= 0 || r.runs <= 0 {
			return p, fmt.Errorf("want NAME=STOPS/RUNS, such as kwok=2s/1s, have %q", field)
		}
		p.rhythms[name] = r
	}
	return p, nil
}

// Names returns the names of the programs that stop, in alphabetical order.
func (p Plan) Names() []string { return slices.Sorted(maps.Keys(p.rhythms)) }

// random returns the random numbers of a program. Those of two programs differ.
func (p Plan) random(name string) *rand.Rand {
	second := uint64(0)
	for _, b := range []byte(name) {
		second = second*31 + uint64(b)
	}
	return rand.New(rand.NewPCG(p.seed, second))
}

// around returns a random duration between half of d and one and a half of it.
func around(d time.Duration, random *rand.Rand) time.Duration {
	return d/2 + time.Duration(random.Int64N(int64(d)))
}

// A Program can be stopped and continued.
type Program interface {
	Suspend() error
	Resume() error
}

// Run stops and continues a program in turn, until ctx ends. The program runs when Run returns. It
// may end and start again at any time.
func (p Plan) Run(ctx context.Context, name string, program Program) {
	r, stutters := p.rhythms[name]
	if !stutters {
		return
	}
	random := p.random(name)
	for sleep(ctx, around(r.runs, random)) {
		_ = program.Suspend() // it may have ended
		sleep(ctx, around(r.stops, random))
		_ = program.Resume()
	}
}

// sleep waits, and returns whether ctx has not ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
