package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/bubble"
)

// fenced returns a client of a server whose writes need locks.
func fenced(t *testing.T, s *server, l *Locks) *management.Client {
	t.Helper()
	return newClient(t, l.Config(&rest.Config{Host: "http://server.example", Transport: s}))
}

func newClient(t *testing.T, config *rest.Config) *management.Client {
	t.Helper()
	c, err := management.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// A tripper is a transport that is a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// writes are the requests that change an object a.
var writes = map[string]func(context.Context, *management.Client) error{
	"create": func(ctx context.Context, c *management.Client) error {
		_, err := c.Objects.Resource(configMaps).Namespace("kstatus").Create(ctx, newMap(), metav1.CreateOptions{})
		return err
	},
	"update": func(ctx context.Context, c *management.Client) error {
		_, err := c.Objects.Resource(configMaps).Namespace("kstatus").Update(ctx, newMap(), metav1.UpdateOptions{})
		return err
	},
	"patch": func(ctx context.Context, c *management.Client) error {
		_, err := c.Objects.Resource(configMaps).Namespace("kstatus").Patch(ctx, "a", "application/merge-patch+json", []byte("{}"), metav1.PatchOptions{})
		return err
	},
	"delete": func(ctx context.Context, c *management.Client) error {
		return c.Objects.Resource(configMaps).Namespace("kstatus").Delete(ctx, "a", metav1.DeleteOptions{})
	},
}

func newMap() *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
	o.SetName("a")
	o.SetNamespace("kstatus")
	return o
}

// sent returns the methods of the requests that change objects, since the last call.
func (s *server) sent() (methods []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if method, _, _ := strings.Cut(r, " "); method != http.MethodGet {
			methods = append(methods, method)
		}
	}
	s.requests = nil
	return methods
}

// A process was suspended, and its Lease has ended. It writes nothing, before its goroutine notices
// that, and afterwards.
func TestSuspendedProcessesWriteNothing(t *testing.T) {
	t.Parallel()
	for it, row := range map[string]struct{ monotonic, wall time.Duration }{
		"stopped by a signal":                          {time.Minute, time.Minute},
		"asleep with the computer":                     {0, time.Minute},
		"stopped while the clock was set to yesterday": {time.Minute, -24 * time.Hour},
	} {
		for verb, write := range writes {
			t.Run(it+", "+verb, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s, c := newServer(t)
					var monotonic, wall time.Duration
					l := &Locks{now: func() instant {
						i := now()
						return instant{i.monotonic.Add(monotonic), i.wall.Add(wall)}
					}}
					locked, err := l.Acquire(t.Context(), c, lock("m1 on a"))
					if err != nil {
						t.Fatal(err)
					}
					ours := fenced(t, s, l)
					if err := writes["create"](t.Context(), ours); err != nil {
						t.Errorf("a write with a valid lock fails: %v", err)
					}
					monotonic, wall = row.monotonic, row.wall
					s.sent()
					checkRefused(t, write(t.Context(), ours))
					if !errors.As(context.Cause(locked), new(*LostError)) {
						t.Errorf("the context ends with %v, want a LostError", context.Cause(locked))
					}
					bubble.Sleep(time.Second) // the goroutine notices
					checkRefused(t, write(t.Context(), ours))
					if _, err := ours.Objects.Resource(configMaps).Namespace("kstatus").Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
						t.Errorf("a read fails: %v", err)
					}
					l.Release()
					checkRefused(t, write(t.Context(), ours))
					if sent := s.sent(); len(sent) > 0 {
						t.Errorf("the process has sent %q, want nothing, also no renewal and no release", sent)
					}
				})
			})
		}
	}
}

// checkRefused checks that a write was refused because a lock is lost.
func checkRefused(t *testing.T, err error) {
	t.Helper()
	lost, is := errors.AsType[*LostError](err)
	if !is || lost.Lock.Name != "kstatus-move-lock-a" || !errors.Is(err, context.Canceled) {
		t.Errorf("have error %v, want a LostError that nobody retries", err)
	}
}

// A process takes its lock again, and may write again.
func TestLocksAreTakenAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		l := &Locks{}
		ours := fenced(t, s, l)
		if err := writes["create"](t.Context(), ours); err != nil {
			t.Errorf("a write that needs no lock fails: %v", err)
		}
		locked, err := l.Acquire(t.Context(), c, lock("m1 on a"))
		if err != nil {
			t.Fatal(err)
		}
		s.change(leasePath, func(o *unstructured.Unstructured) { set(o, "m2 on b", "spec", "holderIdentity") })
		<-locked.Done()
		l.Release()
		checkRefused(t, writes["update"](t.Context(), ours))
		if _, err = l.Acquire(t.Context(), c, lock("m2 on b")); err != nil {
			t.Fatal(err)
		}
		if err := writes["update"](t.Context(), ours); err != nil {
			t.Errorf("a write with a new lock fails: %v", err)
		}
		l.Release()
		if err := writes["update"](t.Context(), ours); err != nil {
			t.Errorf("a write after the release fails: %v", err)
		}
	})
}

// The second lock is lost. Then the first one is of no use, and its Lease stays.
func TestOneOfTwoLocksIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, first := newServer(t)
		two, second := newServer(t)
		l := &Locks{}
		locked, err := l.Acquire(t.Context(), first, lock("m1 on a"))
		if err == nil {
			locked, err = l.Acquire(locked, second, lock("m1 on a"))
		}
		if err != nil {
			t.Fatal(err)
		}
		two.change(leasePath, func(o *unstructured.Unstructured) { set(o, "m2 on b", "spec", "holderIdentity") })
		<-locked.Done()
		checkRefused(t, writes["create"](t.Context(), fenced(t, one, l)))
		l.Release()
		if one.objects[leasePath] == nil || two.objects[leasePath] == nil {
			t.Error("the release has deleted a Lease")
		}
	})
}

// Dry runs and reads need no lock.
func TestDryRunsAreNoWrites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		l := &Locks{}
		locked, err := l.Acquire(t.Context(), c, lock("m1 on a"))
		if err != nil {
			t.Fatal(err)
		}
		s.fail(func(string, string) int { return 500 }, nil)
		<-locked.Done()
		s.fail(nil, nil)
		s.sent()
		client := fenced(t, s, l).Objects.Resource(configMaps).Namespace("kstatus")
		if _, err := client.Create(t.Context(), newMap(), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}); err != nil {
			t.Errorf("a dry run fails: %v", err)
		}
		if sent := s.sent(); !slices.Equal(sent, []string{http.MethodPost}) {
			t.Errorf("the server has got %q", sent)
		}
		l.Release()
	})
}

// A request waits for a token, or for its connection, until the Lease has ended. Renewals hang too.
func TestRequestsThatWait(t *testing.T) {
	t.Parallel()
	for it, waitsInside := range map[string]bool{"a token": false, "a connection": true} {
		for verb, write := range writes {
			t.Run(it+", "+verb, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s, c := newServer(t)
					if err := writes["create"](t.Context(), c); err != nil {
						t.Fatal(err)
					}
					l := &Locks{}
					if _, err := l.Acquire(t.Context(), newClient(t, renewalsHang(s)), lock("m1 on a")); err != nil {
						t.Fatal(err)
					}
					config := &rest.Config{Host: "http://server.example", Transport: s}
					if waitsInside {
						config.Transport = waits(s)
					} else {
						config.Wrap(func(next http.RoundTripper) http.RoundTripper { return waits(next) })
					}
					s.sent()
					checkRefused(t, write(t.Context(), newClient(t, l.Config(config))))
					if sent := s.sent(); len(sent) > 0 {
						t.Errorf("the server has got %q", sent)
					}
					l.Release()
				})
			})
		}
	}
}

// waits returns a transport that sends a request after a minute. Like that of the standard library,
// it reads the body when it sends it.
func waits(next http.RoundTripper) tripper {
	return func(r *http.Request) (*http.Response, error) {
		bubble.Sleep(time.Minute)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		again := r.Clone(r.Context())
		again.Body = io.NopCloser(bytes.NewReader(body))
		return next.RoundTrip(again)
	}
}

// renewalsHang returns the configuration of a client of a server that answers no renewal.
func renewalsHang(s *server) *rest.Config {
	return &rest.Config{Host: "http://server.example", Transport: tripper(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPut {
			bubble.Sleep(2 * time.Minute)
			return nil, errors.New("no answer")
		}
		return s.RoundTrip(r)
	})}
}

// A write says how long its server has: until the first Lease ends.
func TestWritesEndWithTheLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer(t)
		var queries []string
		l := &Locks{}
		ours := newClient(t, l.Config(&rest.Config{Host: "http://server.example", Transport: tripper(func(r *http.Request) (*http.Response, error) {
			queries = append(queries, r.Method+" "+r.URL.RawQuery)
			return s.RoundTrip(r)
		})}))
		client := ours.Objects.Resource(configMaps).Namespace("kstatus")
		write := func() {
			_, _ = client.Patch(t.Context(), "a", "application/merge-patch+json", []byte("{}"), metav1.PatchOptions{FieldManager: "b c"}) // the query counts
		}
		write()
		for _, name := range []string{"one", "two"} {
			lock := lock("m1 on a")
			lock.Name, lock.Duration = name, 9*time.Second
			if _, err := l.Acquire(t.Context(), c, lock); err != nil {
				t.Fatal(err)
			}
			bubble.Sleep(time.Second)
		}
		write()
		_ = client.Delete(t.Context(), "a", metav1.DeleteOptions{})
		_, _ = client.Get(t.Context(), "a", metav1.GetOptions{})
		l.Release()
		write()
		want := []string{"PATCH fieldManager=b+c", "PATCH fieldManager=b+c&timeout=7s", "DELETE timeout=7s", "GET ", "PATCH fieldManager=b+c"}
		if !slices.Equal(queries, want) {
			t.Errorf("have %q, want %q", queries, want)
		}
	})
}
