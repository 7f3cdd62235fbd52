package client

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

// A slow is a transport that sends the parts of a response at an interval. After that the
// response stalls or ends.
type slow struct {
	parts []string
	each  time.Duration
	ends  bool
}

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	from, to := io.Pipe()
	go func() {
		for _, part := range s.parts {
			select {
			case <-time.After(s.each):
				to.Write([]byte(part))
			case <-r.Context().Done():
			}
		}
		if !s.ends {
			<-r.Context().Done()
		}
		to.CloseWithError(r.Context().Err())
	}()
	return &http.Response{StatusCode: http.StatusOK, Body: from}, nil
}

func TestStalledResponses(t *testing.T) {
	rows := []struct {
		it    string
		slow  slow
		query string
		want  string
		err   error
		after time.Duration
	}{
		{"reads a slow response", slow{[]string{"a", "b", "c"}, 25 * time.Second, true}, "", "abc", nil, 75 * time.Second},
		{"ends a response that stalls", slow{[]string{"a", "b"}, time.Second, false}, "", "ab", errStalled, 32 * time.Second},
		{"ends a response that does not begin", slow{nil, 0, false}, "", "", errStalled, 30 * time.Second},
		{"does not limit watches", slow{[]string{"a"}, time.Second, false}, "watch=true", "a", context.DeadlineExceeded, time.Hour},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://server/api/v1/pods?"+row.query, nil)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				response, err := (&authTransport{next: row.slow, credentials: &Credentials{}}).RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				var have strings.Builder
				_, err = io.Copy(&have, response.Body)
				if took := time.Since(began); have.String() != row.want || !errors.Is(err, row.err) || took != row.after {
					t.Errorf("have %q, %v after %s, want %q, %v after %s", have.String(), err, took, row.want, row.err, row.after)
				}
				if err := response.Body.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
