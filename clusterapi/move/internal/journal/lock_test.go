package journal

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/bubble"
)

const leasePath = "/apis/coordination.k8s.io/v1/namespaces/kstatus/leases/kstatus-move-lock-a"

func lock(holder string) Lock {
	return Lock{Cluster: "the source", Namespace: "kstatus", Name: "kstatus-move-lock-a", Holder: holder, Duration: time.Second}
}

func acquire(t *testing.T, c *management.Client, l Lock) (context.Context, func()) {
	t.Helper()
	locks := &Locks{}
	locked, err := locks.Acquire(t.Context(), c, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(locks.Release)
	return locked, locks.Release
}

// checkLost checks that a lock is lost within some seconds.
func checkLost(t *testing.T, locked context.Context, want string) {
	t.Helper()
	select {
	case <-locked.Done():
		checkFailure(t, context.Cause(locked), "lost Lease kstatus/kstatus-move-lock-a in the source", want)
	case <-time.After(10 * time.Second):
		t.Fatal("the lock is not lost")
	}
}

func checkHeld(t *testing.T, c *management.Client, l Lock, holder string) {
	t.Helper()
	_, err := new(Locks).Acquire(t.Context(), c, l)
	held, is := errors.AsType[*HeldError](err)
	if !is || held.Holder != holder || time.Until(held.Until) > 2*time.Second {
		t.Errorf("have error %v, want that %s holds it for a second", err, holder)
	}
}

func TestLocksExcludeEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		locked, release := acquire(t, c, lock("m1 on a"))
		checkHeld(t, c, lock("m2 on a"), "m1 on a")
		bubble.Sleep(1500 * time.Millisecond) // longer than the Lease without renewals
		checkHeld(t, c, lock("m2 on a"), "m1 on a")
		checkHeld(t, c, lock("m1 on a"), "m1 on a") // a second process of the same move
		if err := context.Cause(locked); err != nil {
			t.Errorf("the lock is lost: %v", err)
		}
		release()
		release()
		if s.objects[leasePath] != nil {
			t.Error("the Lease still exists after the release")
		}
		if !errors.Is(context.Cause(locked), context.Canceled) {
			t.Errorf("have cause %v after the release, want that it was canceled", context.Cause(locked))
		}
		acquire(t, c, lock("m2 on a"))
	})
}

// A renewal whose answer was lost does not keep the Lease after the release.
func TestReleaseAfterAnUnansweredRenewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		renewed := make(chan struct{}, 100)
		s.mu.Lock()
		s.after = func(method, _ string) int {
			if method != http.MethodPut {
				return 0
			}
			renewed <- struct{}{}
			return 500
		}
		s.mu.Unlock()
		_, release := acquire(t, c, lock("m1 on a"))
		<-renewed
		release()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.objects[leasePath] != nil {
			t.Error("the Lease still exists after the release")
		}
	})
}

func TestLocksOfCrashedProcesses(t *testing.T) {
	t.Parallel()
	for it, holder := range map[string]string{"the same": "m1 on a", "another": "m2 on b"} {
		t.Run(it, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, c := newServer(t)
				h := newHeld(c, lock("m1 on a"))
				if err := h.take(t.Context()); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if holder != h.Holder {
					checkHeld(t, c, lock(holder), h.Holder)
					bubble.Sleep(time.Second)
				}
				acquire(t, c, lock(holder))
				if took := time.Since(began); took < time.Second {
					t.Errorf("the lock was taken after %v, want a second", took)
				}
			})
		})
	}
}

// The last renewal of a run arrives after its end. The next run of the same holder waits for it. A
// process that renews the Lease again and again holds it.
func TestLateRenewals(t *testing.T) {
	t.Parallel()
	for it, row := range map[string]struct {
		renewals []time.Duration // when they arrive
		took     time.Duration   // zero: the Lease is held
	}{
		"one renewal":  {[]time.Duration{10 * time.Millisecond}, 1333 * time.Millisecond},
		"two renewals": {[]time.Duration{10 * time.Millisecond, 500 * time.Millisecond}, 0},
	} {
		t.Run(it, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, c := newServer(t)
				if err := newHeld(c, lock("m1 on a")).take(t.Context()); err != nil {
					t.Fatal(err)
				}
				sent := time.Now().UTC().Format(time.RFC3339Nano)
				for _, at := range row.renewals {
					time.AfterFunc(at, func() {
						s.change(leasePath, func(o *unstructured.Unstructured) { set(o, sent, "spec", "renewTime") })
					})
				}
				began := time.Now()
				err := newHeld(c, lock("m1 on a")).take(t.Context())
				if _, is := errors.AsType[*HeldError](err); is != (row.took == 0) || err != nil && !is {
					t.Errorf("have error %v, want held: %t", err, row.took == 0)
				}
				if took := time.Since(began).Truncate(time.Millisecond); err == nil && took != row.took {
					t.Errorf("it takes %s, want %s", took, row.took)
				}
			})
		})
	}
}

// The clock of the holder is years late, so its Lease seems to have ended.
func TestClocksMayDiffer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		h := newHeld(c, lock("m1 on a"))
		if err := h.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		renew := func() {
			s.change(leasePath, func(o *unstructured.Unstructured) { set(o, "1990-01-01T00:00:00.000000Z", "spec", "renewTime") })
		}
		renew()
		time.AfterFunc(100*time.Millisecond, renew)
		_, err := new(Locks).Acquire(t.Context(), c, lock("m2 on b"))
		checkFailure(t, err, `is held by "m1 on a" until 1990-01-01T00:00:01Z`)
	})
}

// The clock of another process is an hour ahead, so each Lease seems to have ended. It waits as long
// as the holder may still write.
func TestLocksAreNotTakenEarly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		if err := newHeld(c, lock("m1 on a")).take(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.change(leasePath, func(o *unstructured.Unstructured) { set(o, "1990-01-01T00:00:00.000000Z", "spec", "renewTime") })
		began := time.Now()
		acquire(t, c, lock("m2 on b"))
		if took := time.Since(began); took < time.Second {
			t.Errorf("the lock was taken after %v, want the duration of a Lease", took)
		}
	})
}

func TestLostLocks(t *testing.T) {
	t.Parallel()
	for it, row := range map[string]struct {
		lose func(*server)
		want string
	}{
		"taken": {func(s *server) {
			s.change(leasePath, func(o *unstructured.Unstructured) { set(o, "m2\non b", "spec", "holderIdentity") })
		}, "another process"},
		"taken by the same holder": {func(s *server) {
			s.change(leasePath, func(o *unstructured.Unstructured) { set(o, "2020-01-01T00:00:00.000000Z", "spec", "acquireTime") })
		}, "another process"},
		"deleted":     {func(s *server) { s.mu.Lock(); defer s.mu.Unlock(); delete(s.objects, leasePath) }, "it was deleted"},
		"unreachable": {func(s *server) { s.fail(func(string, string) int { return 500 }, nil) }, "InternalError"},
		"forbidden":   {func(s *server) { s.fail(func(string, string) int { return 403 }, nil) }, "Forbidden"},
	} {
		t.Run(it, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, c := newServer(t)
				locked, release := acquire(t, c, lock("m1 on a"))
				row.lose(s)
				checkLost(t, locked, row.want)
				release()
				s.fail(nil, nil)
				if o := s.objects[leasePath]; strings.HasPrefix(it, "taken") && o == nil {
					t.Error("the release has deleted the Lease of another process")
				}
			})
		})
	}
}

func TestLocksSurviveShortFailures(t *testing.T) {
	t.Parallel()
	for it, fail := range map[string]func(*server){
		"no answer":   func(s *server) { s.fail(nil, func(string, string) int { return 500 }) },
		"not reached": func(s *server) { s.fail(func(string, string) int { return 500 }, nil) },
		"a new label": func(s *server) {
			s.change(leasePath, func(o *unstructured.Unstructured) { o.SetLabels(map[string]string{"a": "b"}) })
		},
	} {
		t.Run(it, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, c := newServer(t)
				l := lock("m1 on a")
				l.Duration = 2 * time.Second
				locked, _ := acquire(t, c, l)
				fail(s)
				bubble.Sleep(time.Second)
				s.fail(nil, nil)
				select {
				case <-locked.Done():
					t.Errorf("lost: %v", context.Cause(locked))
				case <-time.After(2 * time.Second):
				}
			})
		})
	}
}

func TestAcquireStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, c := newServer(t)
		h := newHeld(c, lock("m1 on a"))
		h.Duration = time.Hour
		if err := h.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errors.New("interrupted"))
		defer cancel()
		_, err := new(Locks).Acquire(ctx, c, h.Lock)
		checkFailure(t, err, "take Lease kstatus/kstatus-move-lock-a in the source", "interrupted")
	})
}

// A lock is not taken in time: another process of the same move has it, or the server hangs.
func TestAcquireEndsAtItsTimeout(t *testing.T) {
	t.Parallel()
	for it, hang := range map[string]bool{"a wait": false, "a request": true} {
		t.Run(it, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, c := newServer(t)
				if err := newHeld(c, lock("m1 on a")).take(t.Context()); err != nil {
					t.Fatal(err)
				}
				if hang {
					c = newClient(t, &rest.Config{Host: "http://server.example", Transport: tripper(func(r *http.Request) (*http.Response, error) {
						<-r.Context().Done()
						return nil, context.Cause(r.Context())
					})})
				}
				l := lock("m1 on a")
				l.Timeout = 500 * time.Millisecond
				began := time.Now()
				_, err := new(Locks).Acquire(t.Context(), c, l)
				checkFailure(t, err, "take Lease kstatus/kstatus-move-lock-a in the source", "not within 500ms")
				if took := time.Since(began); took != l.Timeout || s.objects[leasePath] == nil {
					t.Errorf("it took %s, want %s", took, l.Timeout)
				}
			})
		})
	}
}

// A hostile Lease has ended, or ends within a day of its renewal.
func TestHostileLeases(t *testing.T) {
	t.Parallel()
	const renewed = "2026-01-01T00:00:00.000000Z"
	at, err := time.Parse(time.RFC3339, renewed)
	if err != nil {
		t.Fatal(err)
	}
	for it, row := range map[string]struct {
		spec   any
		holder string
		until  time.Time
	}{
		"a Lease":           {map[string]any{"holderIdentity": "a", "renewTime": renewed, "leaseDurationSeconds": int64(30)}, "a", at.Add(30 * time.Second)},
		"no spec":           {nil, "", time.Time{}},
		"a list":            {[]any{}, "", time.Time{}},
		"no time":           {map[string]any{"holderIdentity": "a", "renewTime": "yesterday"}, "a", time.Time{}},
		"no number":         {map[string]any{"holderIdentity": "a", "renewTime": renewed, "leaseDurationSeconds": "ten"}, "a", at},
		"a negative number": {map[string]any{"holderIdentity": "a", "renewTime": renewed, "leaseDurationSeconds": int64(-1 << 62)}, "a", at},
		"a large number":    {map[string]any{"holderIdentity": "a", "renewTime": renewed, "leaseDurationSeconds": int64(1 << 62)}, "a", at.Add(24 * time.Hour)},
		"no holder":         {map[string]any{"holderIdentity": int64(1), "renewTime": renewed}, "", at},
	} {
		holder, until := holderOf(&unstructured.Unstructured{Object: map[string]any{"spec": row.spec}})
		if holder != row.holder || !until.Equal(row.until) {
			t.Errorf("%s: have holder %q until %v, want %q until %v", it, holder, until, row.holder, row.until)
		}
	}
}

func TestLocksAreForbidden(t *testing.T) {
	t.Parallel()
	s, c := newServer(t)
	s.fail(func(string, string) int { return 403 }, nil)
	_, err := new(Locks).Acquire(t.Context(), c, lock("m1 on a"))
	checkFailure(t, err, "take Lease kstatus/kstatus-move-lock-a in the source", "Forbidden")
}
