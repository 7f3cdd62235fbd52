package connection

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A server decides how long a client is to wait. The command ends with its own context, in the time of
// a fake clock.
func TestPostponedRequestsEndWithTheCommand(t *testing.T) {
	for _, row := range []struct {
		it, method, header string
		code               int
		want               time.Duration // how long the request takes
	}{
		{"waits as long as the server says", http.MethodGet, "2", http.StatusTooManyRequests, 2 * time.Second},
		{"ends with the command", http.MethodGet, "999999", http.StatusTooManyRequests, 4 * time.Second},
		{"ends with the command also after a number that no duration has", http.MethodGet, "9223372036854775807", http.StatusServiceUnavailable, 4 * time.Second},
		{"does not wait for a negative time", http.MethodGet, "-9", http.StatusTooManyRequests, 0},
		{"ignores the header of an answer", http.MethodGet, "999999", http.StatusOK, 0},
		{"leaves writes to the caller", http.MethodPatch, "999999", http.StatusTooManyRequests, 0},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := errors.New("the timeout has passed")
				life, stop := context.WithTimeoutCause(t.Context(), 4*time.Second, ended)
				defer stop()
				transport := newRequests(life).bindContext(roundTrip(func(*http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: row.code, Header: http.Header{"Retry-After": {row.header}}, Body: http.NoBody}, nil
				}))
				r, err := http.NewRequestWithContext(t.Context(), row.method, "http://example.com/apis", nil)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				answer, err := transport.RoundTrip(r)
				if err == nil {
					_ = answer.Body.Close()
				}
				if have := time.Since(began); have != row.want || errors.Is(err, ended) != (row.want == 4*time.Second) {
					t.Errorf("the request ends after %s with %v, want %s", have, err, row.want)
				}
			})
		})
	}
}

// A hangingBody is a body that ends with its request.
type hangingBody struct{ ctx context.Context }

func (b hangingBody) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

func (hangingBody) Close() error { return nil }

// Commands send many requests one after the other. If a server is silent, they end together.
func TestSilentServers(t *testing.T) {
	const timeout = 3 * time.Second
	all := []string{"/base/api", "/base/apis", "/base/apis/example.com/v1", "/base/apis/example.com/v1", "/base/api/v1/pods", "/base/api/v1/pods"}
	hang := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	dribble := func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: hangingBody{r.Context()}}, nil
	}
	for _, row := range []struct {
		it      string
		timeout time.Duration
		hangs   func(*http.Request) (*http.Response, error)
		from    string // the prefix of the paths that hang
		paths   []string
		want    time.Duration // how long all requests take
		refused int
	}{
		{"sends one request to a server that hangs", timeout, hang, "/", all, timeout, 5},
		{"sends one request to a server that sends nothing after the header", timeout, dribble, "/", all, timeout, 5},
		{"goes on if only one group hangs", timeout, hang, "/base/apis/example.com", all, timeout, 1},
		{"sends watches", timeout, hang, "/", []string{"/base/api/v1/pods?watch=true", "/base/api/v1/pods?watch=true"}, 2 * timeout, 0},
		{"refuses nothing without a timeout", 0, hang, "/", []string{"/base/api", "/base/api"}, 2 * timeout, 0},
		{"sends one request to a server whose objects hang", timeout, hang, "/base/api/v1/namespaces/a/pods",
			[]string{"/base/api", "/base/api/v1/namespaces/a/pods/api", "/base/api/v1/namespaces/a/events"}, timeout, 1},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport := newSilence(row.timeout, "/base/").refuse(roundTrip(func(r *http.Request) (*http.Response, error) {
					if strings.HasPrefix(r.URL.Path, row.from) {
						return row.hangs(r)
					}
					return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
				}))
				began, refused := time.Now(), 0
				for _, path := range row.paths {
					if err := get(t.Context(), transport, path, timeout); err != nil && strings.HasPrefix(err.Error(), "the server has not answered GET /base/") {
						refused++
					}
				}
				if have := time.Since(began); have != row.want || refused != row.refused {
					t.Errorf("the requests take %s and %d are refused, want %s and %d", have, refused, row.want, row.refused)
				}
			})
		})
	}
}

// A server that was silent is requested again later.
func TestSilentServersReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 3 * time.Second
		hangs := true
		transport := newSilence(timeout, "").refuse(roundTrip(func(r *http.Request) (*http.Response, error) {
			if hangs {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}))
		if err := get(t.Context(), transport, "/apis", timeout); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("have %v, want the end of the timeout", err)
		}
		hangs = false
		if err := get(t.Context(), transport, "/version", timeout); err == nil || err.Error() != "the server has not answered GET /apis within 3s" {
			t.Errorf("have %v, want a refusal", err)
		}
		time.Sleep(timeout) // by the fake clock
		if err := get(t.Context(), transport, "/version", timeout); err != nil {
			t.Errorf("have %v, want an answer", err)
		}
	})
}

// get reads a path with the timeout of a request.
func get(ctx context.Context, transport http.RoundTripper, path string, timeout time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://example.com"+path, nil)
	if err != nil {
		return err
	}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.ReadAll(answer.Body)
	return err
}

// A wait does not explain what a server has never answered.
func TestSilentRequests(t *testing.T) {
	for _, row := range []struct {
		it, path string
		code     int
		body     func(ctx context.Context) io.ReadCloser
		cut      bool
		want     bool
	}{
		{"is silent if a request has no answer", "/api", 200, func(ctx context.Context) io.ReadCloser { return hangingBody{ctx} }, true, true},
		{"is silent if the answer is that it is busy", "/api", 429, func(context.Context) io.ReadCloser { return http.NoBody }, true, true},
		{"is not silent before a request has ended", "/api", 429, func(context.Context) io.ReadCloser { return http.NoBody }, false, false},
		{"is not silent after an answer", "/api", 404, func(context.Context) io.ReadCloser { return http.NoBody }, true, false},
		{"is not silent after an event of a watch", "/api/v1/pods?watch=1", 200, func(ctx context.Context) io.ReadCloser {
			return struct {
				io.Reader
				io.Closer
			}{io.MultiReader(strings.NewReader("{}"), hangingBody{ctx}), http.NoBody}
		}, true, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				requests := newRequests(t.Context())
				transport := requests.bindContext(roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.URL.Path == "/cut" {
						<-r.Context().Done()
						return nil, r.Context().Err()
					}
					return &http.Response{StatusCode: row.code, Body: row.body(r.Context())}, nil
				}))
				paths := []string{row.path}
				if row.cut {
					paths = append(paths, "/cut")
				}
				for _, path := range paths {
					_ = get(t.Context(), transport, path, time.Second) // its error is not of interest
				}
				if have := requests.Silent(); have != row.want {
					t.Errorf("have %t, want %t", have, row.want)
				}
			})
		})
	}
}
