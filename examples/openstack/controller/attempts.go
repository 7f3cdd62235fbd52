package controller

import (
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/openstack/failure"
)

// attempts remembers, for each object, how often the cloud has refused the same. So a refused
// request is repeated at growing intervals, whatever else happens to the object meanwhile. The
// memory is lost in a restart; then one attempt is made at once, except for a configuration that
// the status calls invalid.
type attempts struct {
	now   func() time.Time
	delay func(r failure.Retry, attempt int, random float64) time.Duration

	mu      sync.Mutex // guards objects
	objects map[types.UID]attempt
}

// An attempt is the last failed attempt for an object.
type attempt struct {
	input   input
	failure *failure.Failure
	count   int // of failures of this class in succession
	since   time.Time
	next    time.Time // no attempt is made earlier
}

// An input is what an attempt depends on. If it changes, another attempt makes sense at once.
type input struct {
	generation  int64
	credentials string // the resourceVersion of their Secret
	cluster     string // what a machine depends on in its OpenStackCluster
	paused      bool
}

func newAttempts(o Options) *attempts {
	a := &attempts{now: o.Clock, delay: o.Delay, objects: map[types.UID]attempt{}}
	if a.now == nil {
		a.now = time.Now
	}
	if a.delay == nil {
		a.delay = failure.Retry.Delay
	}
	return a
}

// fail records a failure. It returns when to try again, and for how long the object has been
// failing this way.
func (a *attempts) fail(id types.UID, in input, f *failure.Failure) (wait, failing time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	t, known := a.objects[id]
	if !known || t.failure.Class != f.Class || t.input != in {
		t = attempt{since: now}
	}
	wait = a.delay(f.Retry, t.count, rand.Float64())
	t.input, t.failure, t.next = in, f, now.Add(wait)
	t.count++
	a.objects[id] = t
	return wait, now.Sub(t.since)
}

// last returns the last failure with an input, and how long the next attempt must wait. The failure
// is nil without an attempt.
func (a *attempts) last(id types.UID, in input) (f *failure.Failure, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t, known := a.objects[id]
	if !known || t.input != in {
		return nil, 0
	}
	return t.failure, max(0, t.next.Sub(a.now()))
}

// forget forgets the failures of an object, after a success or its deletion.
func (a *attempts) forget(id types.UID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.objects, id)
}
