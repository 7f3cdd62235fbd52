package celrule

import (
	"errors"
	"testing"
	"time"

	"kstatus.dev/kube/celrule/internal/expression"
	"kstatus.dev/status"
)

func keyOfName(name string) objectKey { return objectKey{name: name} }

// blockingFunc returns a function that does not return before its release, and a
// channel with an item for each started call.
func blockingFunc(t *testing.T) (decide func(map[string]any, *expression.Meter) decision, begun chan struct{}) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	begun = make(chan struct{}, 100)
	return func(map[string]any, *expression.Meter) decision {
		begun <- struct{}{}
		<-release
		return decision{}
	}, begun
}

// An endless evaluation is waited for once, and its object is not evaluated
// again.
func TestEndlessEvaluations(t *testing.T) {
	w := watchdog{timeout: time.Millisecond}
	block, begun := blockingFunc(t)
	for range 3 {
		if _, err := w.run(keyOfName("a"), block, nil); !errors.Is(err, errLate) {
			t.Errorf("have %v, want %v", err, errLate)
		}
	}
	if <-begun; len(begun) > 0 {
		t.Error("the object was evaluated more than once")
	}
}

// The number of abandoned evaluations that run is limited. Others are rejected
// at once.
func TestManyEndlessEvaluations(t *testing.T) {
	w := watchdog{timeout: time.Millisecond}
	block, begun := blockingFunc(t)
	busy := 0
	for i := range 100 {
		if _, err := w.run(keyOfName(string(rune('a'+i))), block, nil); errors.Is(err, errBusy) {
			busy++
		}
	}
	for range maxLate {
		<-begun
	}
	if len(begun) > 0 || busy != 100-maxLate {
		t.Errorf("%d more than %d are running, and %d were refused", len(begun), maxLate, busy)
	}
}

// All endless evaluations together delay their callers by at most twice the
// first timeout.
func TestTimeoutIsHalved(t *testing.T) {
	var w watchdog
	total := time.Duration(0)
	for i := range maxLate {
		w.running = i
		timeout, err := w.admit(keyOfName("a"))
		if err != nil {
			t.Fatal(err)
		}
		total += timeout
	}
	if total > 2*initialTimeout {
		t.Errorf("they are waited for for %s, want at most %s", total, 2*initialTimeout)
	}
}

// An abandoned evaluation is stopped, and then the object is evaluated again.
func TestLateEvaluationsAreStopped(t *testing.T) {
	w := watchdog{timeout: time.Millisecond}
	loop, err := Parse("r.yaml", []byte("- kind: A\n  current: status.list.all(x, x == 1)\n"))
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{"status": map[string]any{"list": []any{int64(1)}}}
	ended := make(chan error, 1)
	endless := func(_ map[string]any, m *expression.Meter) decision {
		for {
			if _, _, err := loop[0].current.Holds(object, m); err != nil {
				ended <- err
				return decision{}
			}
			time.Sleep(10 * time.Microsecond) // so that it does not run out of steps
		}
	}
	if _, err := w.run(keyOfName("a"), endless, nil); !errors.Is(err, errLate) {
		t.Fatalf("have %v, want %v", err, errLate)
	}
	if err := <-ended; err.Error() != "it was stopped" {
		t.Errorf("it ends with %v", err)
	}
	for w.lateRunning() {
		time.Sleep(time.Millisecond) // between two looks at a goroutine that ends by itself
	}
	w.late[keyOfName("a")].ended = time.Now().Add(-retryAfter)
	w.timeout = time.Minute
	if d, err := w.run(keyOfName("a"), func(map[string]any, *expression.Meter) decision { return decision{holds: true} }, nil); err != nil || !d.holds {
		t.Errorf("have %+v, %v", d, err)
	}
}

func (w *watchdog) lateRunning() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running > 0
}

// The number of late objects that are kept is limited.
func TestLateObjectsAreForgotten(t *testing.T) {
	var w watchdog
	for i := range 3 * maxLateKept {
		w.recordLate(objectKey{uid: time.Duration(i).String()}, &lateRun{})
	}
	if n := len(w.late); n > maxLateKept {
		t.Errorf("%d are kept, want at most %d", n, maxLateKept)
	}
}

// An evaluation reads copies, because it may continue after a change of the
// object.
func TestEvaluationsReadCopies(t *testing.T) {
	rules, err := Parse("r.yaml", []byte("- kind: A\n  current: status.a[0].b == metadata.name\n"))
	if err != nil {
		t.Fatal(err)
	}
	obj := status.Map{"kind": "A", "metadata": map[string]any{"name": "x"}, "spec": map[string]any{}, "status": map[string]any{"a": []any{map[string]any{"b": "x"}}}}
	fields := rules[0].copyOfFields(obj)
	if len(fields) != 2 {
		t.Errorf("it has a copy of %d fields, want 2", len(fields))
	}
	obj["status"].(map[string]any)["a"].([]any)[0].(map[string]any)["b"] = "y"
	if is, _, err := rules[0].current.Holds(fields, expression.NewMeter(nil)); err != nil || !is {
		t.Errorf("have %v, %v, want the value of the copy", is, err)
	}
}
