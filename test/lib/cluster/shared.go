package cluster

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"testing"
)

// Shared is the one cluster of a test binary. The first test that needs it starts it, so that
// other tests stay fast. Main ends it:
//
//	var live cluster.Shared
//
//	func TestMain(m *testing.M) { os.Exit(live.Main(m)) }
//
//	func TestWait(t *testing.T) {
//		c := live.Cluster(t)
//		ns := c.Namespace(t)
//		…
//	}
//
// The zero value is ready for use.
type Shared struct {
	Options Options
	// Together is the number of parallel tests, unless the flag -parallel is set. Zero means 6.
	// This is more than the number of processors, because the tests mostly wait for the
	// cluster.
	Together int

	mu      sync.Mutex // guards the fields below
	cluster *Cluster
	err     error
	started bool
	ended   bool
}

// Cluster returns the cluster. The first call starts it. If it does not start, every call fails
// its test with the same message.
func (s *Shared) Cluster(t testing.TB) *Cluster {
	t.Helper()
	c, err := s.Started()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Started does the same for any goroutine of a test, and returns the error.
func (s *Shared) Started() (*Cluster, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, errors.New("the test cluster has been stopped")
	}
	if !s.started {
		s.started = true
		// A signal must also cancel a start, because a build may take minutes.
		ctx, done := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		s.cluster, s.err = Start(ctx, s.Options)
		done()
	}
	if s.err != nil {
		return nil, fmt.Errorf("no test cluster: %w", s.err)
	}
	return s.cluster, nil
}

// Long leaves a test out of go test -short, and so out of make test. make test-all runs it.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long: make test-all runs it")
	}
}

// Stop stops the cluster if it has started. A test binary with several clusters calls Main of one,
// and then Stop of the others.
func (s *Shared) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.finish()
}

// Main runs the tests of a binary, stops the cluster, and returns the exit code. After Ctrl-C
// and SIGTERM it stops the cluster too, and exits with 130. After a panic in a test, os.Exit or
// SIGKILL, the kernel ends the cluster's programs; see the package's documentation.
func (s *Shared) Main(m *testing.M) int {
	if err := s.setParallel(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	interrupted := make(chan struct{})
	go func() {
		got := <-signals
		close(interrupted)
		fmt.Fprintf(os.Stderr, "cluster: %s, stopping\n", got)
		s.mu.Lock() // also waits for the end of a canceled start
		if err := s.finish(); err != nil {
			fmt.Fprintf(os.Stderr, "cluster: %v\n", err)
		}
		os.Exit(130)
	}()
	code := m.Run()
	select {
	case <-interrupted:
		select {} // until the goroutine above has exited the process
	default:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.finish(); err != nil {
		fmt.Fprintf(os.Stderr, "cluster: %v\n", err)
		return max(code, 1)
	}
	return code
}

// setParallel sets the number of parallel tests if the command line did not.
func (s *Shared) setParallel() error {
	flag.Parse()
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "test.parallel" })
	if set {
		return nil
	}
	together := s.Together
	if together == 0 {
		together = 6
	}
	return flag.Set("test.parallel", strconv.Itoa(together))
}

// finish stops the cluster if it exists. The caller holds the lock.
func (s *Shared) finish() error {
	s.ended = true
	if s.cluster == nil {
		return nil
	}
	err := s.cluster.Stop()
	if err != nil {
		return errors.Join(err, fmt.Errorf("the cluster's folder is left: %s", s.cluster.Dir()))
	}
	return nil
}
