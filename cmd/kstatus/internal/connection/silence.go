package connection

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxPostponement is the longest Retry-After that is obeyed. No server needs longer.
const maxPostponement = time.Hour

// postpone waits as long as the Retry-After of a response to a GET requests, and then lets client-go
// repeat the request at once. client-go itself waits until a context ends that discovery and
// cli-runtime's builder do not have.
func postpone(ctx context.Context, r *http.Request, answer *http.Response) error {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || !isBusy(answer) || r.Method != http.MethodGet {
		return nil
	}
	answer.Header.Set("Retry-After", "0")
	wait := time.NewTimer(min(time.Duration(max(min(seconds, 1<<20), 0))*time.Second, maxPostponement))
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		_ = answer.Body.Close() // it is not read
		return context.Cause(ctx)
	}
}

// isBusy reports whether a response is only that the server cannot answer now.
func isBusy(answer *http.Response) bool {
	return answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= http.StatusInternalServerError
}

// A silence makes --request-timeout the limit of a command whose server is silent. Commands read the
// same document several times if it cannot be read, and each time would take as long. So a request
// that has timed out is refused for as long again. All others are refused too if the list of the
// served groups has timed out. The same is true if a request for objects has, and the server has
// answered nothing else meanwhile. Watches are not refused, and may be silent unless they begin with a list.
type silence struct {
	timeout time.Duration // of a request; zero for none
	roots   []string      // the paths that each server answers

	mu       sync.Mutex           // guards the fields below
	until    map[string]time.Time // by path; of all paths if it is empty
	answered time.Time            // when the last answer was complete
	silentAt string               // the path of the request that has shown that the server answers nothing
}

// newSilence returns a silence for the server whose paths begin with a prefix.
func newSilence(timeout time.Duration, prefix string) *silence {
	prefix = strings.TrimSuffix(prefix, "/")
	return &silence{timeout: timeout, roots: []string{prefix + "/api", prefix + "/apis"}, until: map[string]time.Time{}}
}

// refuse returns the transport that refuses requests.
func (s *silence) refuse(next http.RoundTripper) http.RoundTripper {
	if s.timeout <= 0 {
		return next
	}
	return &wrapper{next: next, roundTrip: func(r *http.Request) (*http.Response, error) {
		query := r.URL.Query()
		isWatch := query.Has("watch") && query.Get("watch") != "false"
		if r.Method != http.MethodGet || isWatch && query.Get("sendInitialEvents") != "true" {
			return next.RoundTrip(r)
		}
		if path := s.silent(r.URL.Path); path != "" && !isWatch {
			return nil, fmt.Errorf("the server has not answered GET %s within %s", path, s.timeout)
		}
		answer, err := next.RoundTrip(r)
		if err != nil {
			s.note(r)
			return nil, err
		}
		answer.Body = &notedBody{ReadCloser: answer.Body, complete: s.noteAnswer, failed: func(isEmpty bool) {
			if isEmpty || !isWatch { // a watch ends with its timeout
				s.note(r)
			}
		}}
		return answer, nil
	}}
}

// silent returns the path that has timed out and because of which a path is not requested.
func (s *silence) silent(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range append([]string{path, ""}, s.roots...) {
		if until, known := s.until[p]; known {
			if time.Now().Before(until) {
				return cmp.Or(p, s.silentAt)
			}
			delete(s.until, p)
		}
	}
	return ""
}

// note remembers a request that has not succeeded, if it has timed out.
func (s *silence) note(r *http.Request) {
	// Package http has a timer of its own, which may end the request before the context ends.
	now := time.Now()
	if deadline, ok := r.Context().Deadline(); !ok || now.Before(deadline) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until[r.URL.Path] = now.Add(s.timeout)
	// Other requests may have begun a little earlier.
	if !isOfKinds(r.URL.Path) && now.Sub(s.answered) >= s.timeout/2 {
		s.until[""], s.silentAt = now.Add(s.timeout), r.URL.Path
	}
}

// noteAnswer remembers that an answer is complete.
func (s *silence) noteAnswer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answered = time.Now()
}

// A notedBody calls a function when its end was read, and another one when it cannot be read.
type notedBody struct {
	io.ReadCloser
	complete func()
	failed   func(isEmpty bool)
	hasData  bool
}

// Read reads from the body.
func (b *notedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch err {
	case nil:
	case io.EOF:
		b.complete()
	default:
		b.failed(!b.hasData && n == 0)
	}
	b.hasData = b.hasData || n > 0
	return n, err
}
