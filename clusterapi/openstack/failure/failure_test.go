package failure

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"testing"
	"time"
)

func TestAs(t *testing.T) {
	busy := &Failure{Class: RateLimited, Message: "busy"}
	down := &Failure{Class: ServiceUnavailable, Message: "down"}
	lost := &Failure{Class: DependencyNotFound, Message: "lost", Known: true, Retry: recheck, Until: UntilDependency}
	wrong := &Failure{Class: InvalidRequest, Message: "wrong", Known: true, Retry: slow, Until: UntilGeneration}
	login := &Failure{Class: Credentials, Message: "login", Known: true, Retry: credentials, Until: UntilCredentials}
	building := InProgress("server a", "BUILD")
	late := building.Overdue(time.Hour, time.Hour)
	changing := &Failure{Class: Conflict, Message: "changing", Keep: true}
	other := errors.New("other")
	var none *Failure
	for _, row := range []struct {
		name    string
		err     error
		class   Class
		message string
	}{
		{"nil", nil, "", ""},
		{"no failure", fmt.Errorf("a: %w", other), "", ""},
		{"no failure joined", errors.Join(other, fmt.Errorf("a: %w", other)), "", ""},
		{"a nil pointer", fmt.Errorf("a: %w", errors.Join(none, other)), "", ""},
		{"the failure itself", busy, RateLimited, "busy"},
		{"wrapped", fmt.Errorf("create a: %w", busy), RateLimited, "create a: busy"},
		{"wrapped twice", fmt.Errorf("machine m: %w", fmt.Errorf("create a: %w", busy)), RateLimited, "machine m: create a: busy"},
		{"of a transport", fmt.Errorf("create a: %w", &url.Error{Op: "Get", URL: "https://cloud.example.com/?x", Err: busy}), RateLimited, "create a: busy"},
		{"words behind", fmt.Errorf("%w, again", busy), RateLimited, "busy"},
		{"several wrapped", fmt.Errorf("%w and %w", other, busy), RateLimited, "busy"},
		{"a failure in a failure", &Failure{Class: Deleting, Message: "left", Err: busy}, Deleting, "left"},
		{"joined", errors.Join(other, fmt.Errorf("a: %w", busy)), RateLimited, "a: busy"},
		{"joined and wrapped", fmt.Errorf("b: %w", errors.Join(fmt.Errorf("a: %w", busy), other)), RateLimited, "b: a: busy"},
		{"credentials first", errors.Join(busy, lost, wrong, login), Credentials, "login"},
		{"then a terminal one", errors.Join(busy, lost, wrong, building), InvalidRequest, "wrong"},
		{"then a known one", errors.Join(changing, busy, lost), DependencyNotFound, "lost"},
		{"an overdue one is known", errors.Join(down, late), Provisioning, late.Message},
		{"then one of which nothing is known", errors.Join(building, changing, down), ServiceUnavailable, "down"},
		{"then one in progress", errors.Join(building, changing), Provisioning, building.Message},
		{"the first of equals", errors.Join(down, busy), ServiceUnavailable, "down"},
		{"the first of equals, in the other order", errors.Join(busy, down), RateLimited, "busy"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := As(row.err)
			if row.class == "" {
				if f != nil {
					t.Fatalf("have %+v, want nil", *f)
				}
				return
			}
			if f == nil || f.Class != row.class || f.Message != row.message {
				t.Fatalf("have %+v, want %s %q", f, row.class, row.message)
			}
			if n := FromNetwork(row.err); n == nil || n.Message != row.message {
				t.Errorf("FromNetwork returns %+v", n)
			}
			if !errors.Is(f, row.err) {
				t.Errorf("the error is not in the tree of its failure")
			}
		})
	}
}

func TestDelay(t *testing.T) {
	r := Retry{First: 5 * time.Second, Last: 5 * time.Minute}
	limited := Retry{After: time.Minute, First: 5 * time.Second, Last: 5 * time.Minute}
	for _, row := range []struct {
		name    string
		retry   Retry
		attempt int
		random  float64
		want    time.Duration
	}{
		{"first", r, 0, 0.5, 5 * time.Second},
		{"first, shortest", r, 0, 0, 4 * time.Second},
		{"first, longest", r, 0, 1, 6 * time.Second},
		{"it doubles", r, 3, 0.5, 40 * time.Second},
		{"up to the last", r, 7, 0.5, 5 * time.Minute},
		{"of any number", r, math.MaxInt, 0.5, 5 * time.Minute},
		{"a negative number", r, -1, 0.5, 5 * time.Second},
		{"never before the server's time", limited, 0, 0, time.Minute},
		{"spread behind the server's time", limited, 0, 1, 72 * time.Second},
		{"later than the server's time", limited, 6, 0.5, 5 * time.Minute},
		{"shortened to the server's time", Retry{After: 59 * time.Second, First: time.Minute, Last: time.Minute}, 0, 0, 59 * time.Second},
		{"constant", Retry{First: time.Minute, Last: time.Minute}, 9, 0.5, time.Minute},
		{"last before first", Retry{First: time.Minute, Last: time.Second}, 9, 0.5, time.Minute},
		{"nothing", Retry{}, 9, 0.5, 0},
		{"negative", Retry{After: -1, First: -1, Last: -1}, 9, 0.5, 0},
		{"no number", r, 0, math.NaN(), 5 * time.Second},
		{"out of range", r, 0, 7, 5 * time.Second},
		{"endless", Retry{First: math.MaxInt64 / 2, Last: math.MaxInt64}, 9, 1, math.MaxInt64},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := row.retry.Delay(row.attempt, row.random); have != row.want {
				t.Errorf("have %v, want %v", have, row.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	if have := (UntilGeneration | UntilCredentials | UntilDependency).String(); have != "generation or credentials or dependency" {
		t.Error(have)
	}
	if have := Until(0).String(); have != "" {
		t.Error(have)
	}
	if have := fmt.Sprint(ScopeObject, ScopeTenant, ScopeEndpoint); have != "object tenant endpoint" {
		t.Error(have)
	}
}

func TestRemaining(t *testing.T) {
	inUse := errors.New("the subnet has ports")
	for _, row := range []struct {
		left []string
		err  error
		want string
	}{
		{nil, nil, ""},
		{[]string{"b", "a"}, nil, "still exists: a, b"},
		{[]string{"b", "a"}, inUse, "still exists: a, b: the subnet has ports"},
		{nil, inUse, "the deletion is not complete: the subnet has ports"},
	} {
		f := Remaining(row.left, row.err)
		if row.want == "" {
			if f != nil {
				t.Errorf("have %+v, want nil", *f)
			}
			continue
		}
		if f.Message != row.want || f.Class != Deleting || !f.Known || f.Terminal() || !errors.Is(f, row.err) && row.err != nil {
			t.Errorf("have %+v, want %q", *f, row.want)
		}
	}
}

func TestOverdue(t *testing.T) {
	if f := (*Failure)(nil).Overdue(time.Hour, time.Minute); f != nil {
		t.Errorf("have %+v, want nil", *f)
	}
	down := &Failure{Class: ServiceUnavailable}
	if f := down.Overdue(time.Hour, time.Minute); f != down {
		t.Errorf("have %+v, want the same failure", *f)
	}
	building := InProgress("server a", "BUILD")
	if f := building.Overdue(29*time.Minute, 30*time.Minute); f != building {
		t.Errorf("have %+v, want the same failure", *f)
	}
	if f := building.Overdue(30*time.Minute, 30*time.Minute); f.Reason != "ProvisioningTimeout" || !f.Known || building.Known {
		t.Errorf("have %+v, before %+v", *f, *building)
	}
}

func TestInternal(t *testing.T) {
	if f := Internal(nil); f != nil {
		t.Errorf("have %+v, want nil", *f)
	}
	err := errors.New("line 1\nline 2 req-0f0e7c5e-5d3e-4c5b-8f4e-1d2c3b4a5f6e")
	if f := Internal(err); f.Message != "line 1 line 2" || f.Known || f.Unwrap() != err {
		t.Errorf("have %+v", *f)
	}
}
