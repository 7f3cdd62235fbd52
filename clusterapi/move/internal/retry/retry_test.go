package retry

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// blocks is a request that is never answered.
func blocks(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// fails returns requests that fail with errors, and then block.
func fails(errs ...error) func(context.Context) error {
	return func(ctx context.Context) error {
		if len(errs) == 0 {
			return blocks(ctx)
		}
		err := errs[0]
		errs = errs[1:]
		return err
	}
}

func TestDoEnds(t *testing.T) {
	unavailable := apierrors.NewServiceUnavailable("it restarts")
	for _, row := range []struct {
		it        string
		do        func(context.Context) error
		interrupt time.Duration // when the context ends; 0: never
		least     time.Duration
		most      time.Duration
		want      string
	}{
		{"ends with success", func(context.Context) error { return nil }, 0, 0, 0, ""},
		{"repeats what may succeed", fails(unavailable, unavailable, nil), 0, 100 * time.Millisecond, time.Second, ""},
		{"does not repeat what cannot succeed", fails(errors.New("no room"), nil), 0, 0, 0, "read it: no room"},
		{"ends at the timeout if no answer comes", blocks, 0, time.Minute, time.Minute, "read it: no success within 1m: context deadline exceeded"},
		{"names the last answer if no other comes", fails(unavailable), 0, time.Minute, time.Minute, "read it: no success within 1m: it restarts"},
		{"does not wait longer than the timeout", fails(apierrors.NewTooManyRequests("wait", 3600), nil), 0, 0, 0, "read it: wait"},
		{"waits as long as the server wants", fails(apierrors.NewTooManyRequests("wait", 50), nil), 0, 50 * time.Second, 50 * time.Second, ""},
		{"ends with its context in a request", blocks, time.Second, time.Second, time.Second, "read it: stopped by the test"},
		{"ends with its context between requests", fails(apierrors.NewTooManyRequests("wait", 50), nil), time.Second, time.Second, time.Second, "read it: stopped by the test"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if row.interrupt > 0 {
					time.AfterFunc(row.interrupt, func() { cancel(errors.New("stopped by the test")) })
				}
				began := time.Now()
				err := Do(ctx, time.Minute, "read it", func(error) {}, row.do)
				if took := time.Since(began); took < row.least || took > row.most {
					t.Errorf("it takes %s, want between %s and %s", took, row.least, row.most)
				}
				switch {
				case row.want == "" && err != nil:
					t.Error(err)
				case row.want != "" && (err == nil || !strings.HasPrefix(err.Error(), row.want)):
					t.Errorf("have the error %v, want %q", err, row.want)
				}
			})
		})
	}
}

func TestDoNotesTheFirstError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notes []string
		err := Do(t.Context(), time.Minute, "read it", func(err error) { notes = append(notes, err.Error()) },
			fails(apierrors.NewServiceUnavailable("first"), apierrors.NewServiceUnavailable("second"), nil))
		if err != nil || len(notes) != 1 || notes[0] != "first" {
			t.Errorf("have the notes %q and the error %v, want the first", notes, err)
		}
	})
}

// An object that changes all the time is given up after some attempts, and at once when the context
// ends.
func TestOnConflictEnds(t *testing.T) {
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "boxs"}, "one", errors.New("changed"))
	synctest.Test(t, func(t *testing.T) {
		n := 0
		err := OnConflict(t.Context(), func() error { n++; return conflict })
		if !apierrors.IsConflict(err) || n != maxConflicts+1 {
			t.Errorf("have %v after %d attempts, want a conflict after %d", err, n, maxConflicts+1)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		err = OnConflict(ctx, func() error { return conflict })
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("have %v after %s", err, took)
		}
	})
}

func TestJoin(t *testing.T) {
	var errs []error
	for _, text := range strings.Fields("a b a c d e f g h i j k l") {
		errs = append(errs, errors.New(text), nil)
	}
	if have, want := Join(errs).Error(), "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nand 2 other errors"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}
