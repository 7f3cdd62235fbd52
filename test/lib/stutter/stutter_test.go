package stutter

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		name  string // it …
		text  string
		names []string
		err   string
	}{
		{"stops nothing by default", "", nil, ""},
		{"reads several programs", "kwok=2s/1s etcd=3s/500ms seed=7", []string{"etcd", "kwok"}, ""},
		{"wants a number as the seed", "seed=x", nil, `want seed=NUMBER, have "seed=x"`},
		{"wants both durations", "kwok=2s", nil, `have "kwok=2s"`},
		{"wants a program that runs too", "kwok=2s/0s", nil, `have "kwok=2s/0s"`},
		{"wants a program that stops", "kwok=-1s/1s", nil, `have "kwok=-1s/1s"`},
		{"wants a name", "=2s/1s", nil, `have "=2s/1s"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := Parse(row.text)
			if row.err == "" && (err != nil || !slices.Equal(p.Names(), row.names)) {
				t.Errorf("it %s: have %q, %v, want %q", row.name, p.Names(), err, row.names)
			}
			if row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)) {
				t.Errorf("it %s: have %v, want an error with %s", row.name, err, row.err)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv(Variable, "kwok")
	if _, err := FromEnvironment(); err == nil || !strings.HasPrefix(err.Error(), "KSTATUS_TEST_STUTTER: want NAME=STOPS/RUNS") {
		t.Errorf("have %v, want an error that names the variable", err)
	}
}

// stops records how long a program was stopped and ran in turn.
type stops struct {
	last    time.Time
	ran     time.Duration
	stopped time.Duration
	stands  bool
	turns   []time.Duration
}

func (s *stops) turn() time.Duration {
	d := time.Since(s.last)
	s.last = time.Now()
	s.turns = append(s.turns, d)
	return d
}

func (s *stops) Suspend() error {
	s.ran += s.turn()
	s.stands = true
	return nil
}

func (s *stops) Resume() error {
	s.stopped += s.turn()
	s.stands = false
	return nil
}

// played returns the stops of a program in ten minutes.
func played(t *testing.T, text, name string) *stops {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var s *stops
	synctest.Test(t, func(t *testing.T) {
		s = &stops{last: time.Now()}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		p.Run(ctx, name, s)
	})
	return s
}

// A program stops and runs at random moments in its rhythm, and runs at the end.
func TestRun(t *testing.T) {
	const text = "kwok=3s/1s etcd=3s/1s"
	s := played(t, text, "kwok")
	if s.stands {
		t.Error("the program is stopped at the end")
	}
	if ratio := s.stopped.Seconds() / s.ran.Seconds(); ratio < 2.5 || ratio > 3.5 {
		t.Errorf("it stops for %s and runs for %s, want about 3:1", s.stopped, s.ran)
	}
	slices.Sort(s.turns)
	if first, last := s.turns[0], s.turns[len(s.turns)-1]; first > 600*time.Millisecond || last < 4*time.Second || last > 4500*time.Millisecond {
		t.Errorf("its turns take from %s to %s, want from half a second to 4.5 s", first, last)
	}
	for what, other := range map[string]*stops{"another program": played(t, text, "etcd"), "another seed": played(t, text+" seed=1", "kwok")} {
		slices.Sort(other.turns)
		if slices.Equal(other.turns, s.turns) {
			t.Errorf("%s stops at the same moments", what)
		}
	}
	if s := played(t, text, "kube-apiserver"); len(s.turns) > 0 {
		t.Error("a program that is not named stops")
	}
}

// The requests of a controller in this process, and what it reads, wait while it is stopped.
func TestRequests(t *testing.T) {
	p, err := Parse("controllers=3s/1s")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		config := p.Requests(&rest.Config{})
		answer := roundTripper(func(*http.Request) *http.Response {
			out := httptest.NewRecorder()
			out.WriteString("events")
			return out.Result()
		})
		client := config.WrapTransport(answer)
		stopped, began := time.Duration(0), time.Now()
		for time.Since(began) < 10*time.Minute {
			sent := time.Now()
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://cluster", nil)
			resp, err := client.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond) // of the fake clock: the gate may close before the answer is read
			if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "events" {
				t.Fatalf("have %q, %v", text, err)
			}
			stopped += time.Since(sent) - 100*time.Millisecond
		}
		if share := stopped.Seconds() / time.Since(began).Seconds(); share < 0.6 || share > 0.8 {
			t.Errorf("requests wait for %s of ten minutes, want about three quarters", stopped)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		began = time.Now()
		for range 100 {
			if _, err := client.RoundTrip(httptest.NewRequestWithContext(ctx, http.MethodGet, "http://cluster", nil)); err != nil {
				t.Fatal(err)
			}
		}
		if time.Since(began) > 0 {
			t.Error("a canceled request waits")
		}
	})
}

// Without the variable, a controller has its configuration.
func TestRequestsByDefault(t *testing.T) {
	if (Plan{}).Requests(&rest.Config{}).WrapTransport != nil {
		t.Error("requests pass a gate")
	}
}

type roundTripper func(*http.Request) *http.Response

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req), nil }
