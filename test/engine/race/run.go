package race

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// The timeout of a wait, which is much longer than needed.
const timeout = 2 * time.Minute

// A Row contains the results of the waits of one user for the objects of one controller.
type Row struct {
	Mode, Way           string
	Definitions, Others bool // what the user may read
	Runs                int
	Early               int      // waits that ended Current before the controller had looked, and not as assumed
	Assumed             int      // waits that ended Current as assumed
	TimedOut            int      // waits that only their timeout ended
	Slowest             float64  // duration of the slowest wait in seconds
	PeerRuns, PeerEarly int      // how many times the peer ran in parallel, and was early
	Wrong               []string // descriptions of early waits
}

// Options configure the runs.
type Options struct {
	Runs   int // of each mode by each user
	AtOnce int // number of concurrent runs
	Peer   bool
	Modes  []Mode
	Group  string    // of the kinds; two runs in one cluster need two
	Ways   []Way     // of waiting; none: with a Watcher that ends when a controller never reports
	Done   func(Row) // called with each row; may be nil
}

// Run runs all modes in a cluster. It leaves its objects in the cluster.
func Run(ctx context.Context, c *cluster.Cluster, o Options) ([]Row, error) {
	s, err := newEnvironment(ctx, c, o.Group, o.Modes)
	if err != nil {
		return nil, err
	}
	defer s.close()
	ways := o.Ways
	if len(ways) == 0 {
		ways = []Way{{}}
	}
	rows := make([]Row, len(o.Modes)*len(waitingUsers)*len(ways))
	errs, done := make([]error, len(rows)), make([]chan struct{}, len(rows))
	tokens := make(chan struct{}, o.AtOnce)
	for k := range rows {
		m, a, way := o.Modes[k/len(ways)/len(waitingUsers)], waitingUsers[k/len(ways)%len(waitingUsers)], ways[k%len(ways)]
		done[k] = make(chan struct{})
		go func() {
			defer close(done[k])
			rows[k], errs[k] = s.rows(ctx, m, a, way, o, tokens)
		}()
	}
	for k := range rows {
		if <-done[k]; o.Done != nil {
			o.Done(rows[k])
		}
	}
	return rows, errors.Join(errs...)
}

// rows runs one mode repeatedly for one user and one way to wait, each time with a token. The
// peer runs in parallel with the first user, because it reads only the objects.
func (s *environment) rows(ctx context.Context, m Mode, a waitingUser, way Way, o Options, tokens chan struct{}) (Row, error) {
	row := Row{Mode: m.Name, Way: way.Name, Definitions: a.definitions, Others: a.others}
	peer := o.Peer && a == waitingUsers[0]
	var mu sync.Mutex // guards row and failed
	var failed error
	var group sync.WaitGroup
	for i := range o.Runs {
		tokens <- struct{}{}
		group.Go(func() {
			defer func() { <-tokens }()
			r, err := s.runOnce(ctx, m, a, way, strings.ToLower(fmt.Sprintf("%s-%d%s", a.name, i, way.Name)), peer)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s, user %s, %s: %w", m.Name, a.name, way.Name, err))
				return
			}
			row.add(r, peer)
		})
	}
	group.Wait()
	return row, failed
}

func (r *Row) add(x result, peer bool) {
	r.Runs++
	r.Slowest = max(r.Slowest, x.took.Seconds())
	switch {
	case !x.ended:
		r.TimedOut++
	case x.last.Result.Confidence == status.ConfidenceAssumed:
		r.Assumed++
	case x.observed == 0 || versionOf(x.last.Version.ResourceVersion) < x.observed:
		r.Early++
		r.Wrong = append(r.Wrong, fmt.Sprintf("%s at version %s, observed at %d: %s (%s)", x.last.Target, x.last.Version.ResourceVersion, x.observed, x.last.Result.Reason, x.last.Message()))
	}
	if peer {
		r.PeerRuns++
		if x.peer != 0 && (x.observed == 0 || x.peer < x.observed) {
			r.PeerEarly++
		}
	}
}

// A result is the result of one run. Versions are resourceVersions, zero for none.
type result struct {
	ended    bool
	last     observe.Update // the update that ended the wait
	took     time.Duration
	observed int64 // the first version with a report of the controller on the generation
	peer     int64 // the version that the peer reported as Current
}

// runOnce creates or changes an object, starts its controller and waits for it.
func (s *environment) runOnce(ctx context.Context, m Mode, a waitingUser, way Way, name string, peer bool) (r result, err error) {
	o, err := s.create(ctx, m, namespace, name)
	if err == nil && m.before != nil {
		if _, err = s.report(ctx, m, namespace, name, m.before(1)); err == nil {
			if err = poll.Second(ctx, time.Now()); err == nil { // the times of managed fields are whole seconds
				o, err = s.change(ctx, m, name)
			}
		}
	}
	if err != nil {
		return r, err
	}
	target := manifest.Target(s.group, m.kind, namespace, name)
	beside, enough := context.WithCancel(ctx)
	defer enough()
	var controller, contender sync.WaitGroup
	var wrote error
	waits, end := context.WithCancel(ctx)
	defer end()
	controller.Go(func() {
		r.observed, wrote = s.runController(ctx, m, name, o.GetGeneration())
		if way.endless != nil && way.endless(m, a) {
			end()
		}
	})
	if peer {
		contender.Go(func() { r.peer = s.peer.waitForCurrent(beside, target) })
	}
	if began := time.Now(); way.wait == nil {
		err = s.wait(ctx, m, a, target, &r)
		r.took = time.Since(began)
	} else {
		err = s.waitBy(waits, m, a, way, o, target, &r)
		r.took = time.Since(began)
	}
	controller.Wait()
	time.AfterFunc(time.Second, enough)
	contender.Wait()
	return r, errors.Join(err, wrote)
}

// runController acts as the controller: it reports on an object as its mode defines. It returns the
// first version with a report on the generation.
func (s *environment) runController(ctx context.Context, m Mode, name string, generation int64) (observed int64, err error) {
	for _, step := range m.steps {
		time.Sleep(step.after) // simulates a controller that is late
		o, err := s.report(ctx, m, namespace, name, step.write(generation))
		if err != nil {
			return observed, err
		}
		if step.observes {
			observed = versionOf(o.GetResourceVersion())
		}
	}
	return observed, nil
}

// wait waits for an object as a user who has just applied it.
func (s *environment) wait(ctx context.Context, m Mode, a waitingUser, target observe.Target, r *result) error {
	ctx, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	w := observe.Watcher{
		Source:       &source.Cluster{Config: s.cluster.As(a.name)},
		Requirements: observe.Requirements{FirstStatus: cmp.Or(m.first, patience)},
	}
	for u, err := range w.Updates(ctx, target) {
		if err != nil {
			return err
		}
		if r.last = u; u.Progress == observe.ProgressReached {
			r.ended = true
			return nil
		}
	}
	return nil
}

// waitBy waits in one of several ways. They do not report the version of the object that ended
// them, but that version is not later than the present one.
func (s *environment) waitBy(ctx context.Context, m Mode, a waitingUser, way Way, applied *unstructured.Unstructured, target observe.Target, r *result) error {
	limited, stop := context.WithTimeout(ctx, cmp.Or(m.first, timeout))
	defer stop()
	err := way.wait(limited, user{s.cluster.As(a.name), s.clients[a.name]}, applied, []observe.Target{target})
	switch {
	case err != nil && limited.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	o, err := s.of(m, namespace).Get(context.WithoutCancel(ctx), target.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	r.ended, r.last = true, observe.Update{Target: target, Version: observe.Version{ResourceVersion: o.GetResourceVersion()}}
	return nil
}

func versionOf(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0 // the versions of this API server are numbers
	}
	return n
}
