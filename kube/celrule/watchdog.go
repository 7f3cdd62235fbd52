package celrule

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/celrule/internal/expression"
)

const (
	// initialTimeout is the timeout of an evaluation. Its steps are limited, so
	// only an overloaded machine needs so long. Each abandoned evaluation
	// halves the timeout of the next.
	initialTimeout = 500 * time.Millisecond
	minTimeout     = time.Millisecond

	maxLate     = 8                // number of abandoned evaluations that may be running.
	maxLateKept = 1000             // number of objects with an abandoned evaluation that are kept.
	retryAfter  = 10 * time.Second // delay until a late object is evaluated again; at least half of it.
)

var (
	errLate = errors.New("its evaluation takes too long; the next attempt is later")
	errBusy = fmt.Errorf("it is not evaluated while %d other evaluations take too long; the next attempt is later", maxLate)
)

// A watchdog runs evaluations, and abandons those that take too long. Callers
// may hold locks. An evaluation runs in a goroutine of its own. All callers
// together wait for at most twice initialTimeout before the watchdog refuses
// evaluations. It may be used by several goroutines.
type watchdog struct {
	timeout time.Duration // zero: initialTimeout.

	mu      sync.Mutex // guards the fields below.
	late    map[objectKey]*lateRun
	running int // number of running ones.
}

// evaluations is the watchdog of all rules.
var evaluations watchdog

// An objectKey identifies an object, whatever its version.
type objectKey struct{ apiVersion, kind, namespace, name, uid string }

func keyOf(object map[string]any) objectKey {
	meta := decoded.Map(object, "metadata")
	return objectKey{decoded.Text(object, "apiVersion"), decoded.Text(object, "kind"),
		decoded.Text(meta, "namespace"), decoded.Text(meta, "name"), decoded.Text(meta, "uid")}
}

// A lateRun is an abandoned evaluation.
type lateRun struct {
	running bool
	ended   time.Time
}

// run evaluates a rule for an object. An abandoned function continues to read
// fields afterwards.
func (w *watchdog) run(key objectKey, decide func(map[string]any, *expression.Meter) decision, fields map[string]any) (decision, error) {
	timeout, err := w.admit(key)
	if err != nil {
		return decision{}, err
	}
	var stopped atomic.Bool
	done := make(chan decision, 1)
	var this *lateRun // set once the caller stops waiting
	crash.Go(func() {
		done <- decide(fields, expression.NewMeter(&stopped))
		w.mu.Lock()
		defer w.mu.Unlock()
		if this != nil {
			this.running, this.ended = false, time.Now()
			w.running--
		}
	})
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case d := <-done:
		return d, nil
	case <-timer.C:
	}
	stopped.Store(true)
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case d := <-done:
		return d, nil
	default:
	}
	this = &lateRun{running: true}
	w.running++
	w.recordLate(key, this)
	return decision{}, errLate
}

// admit returns the timeout of an evaluation, or the reason why it must not
// begin.
func (w *watchdog) admit(key objectKey) (time.Duration, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before := w.late[key]; before != nil && (before.running || time.Since(before.ended) < retryAfter/2) {
		return 0, errLate
	}
	if w.running >= maxLate {
		return 0, errBusy
	}
	timeout := w.timeout
	if timeout == 0 {
		timeout = initialTimeout
	}
	return max(timeout>>w.running, minTimeout), nil
}

// recordLate records an abandoned evaluation. The caller holds mu.
func (w *watchdog) recordLate(key objectKey, run *lateRun) {
	if len(w.late) >= maxLateKept {
		for k, old := range w.late {
			if !old.running {
				delete(w.late, k)
			}
		}
	}
	if w.late == nil {
		w.late = map[objectKey]*lateRun{}
	}
	w.late[key] = run
}
