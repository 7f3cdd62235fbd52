package observe_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// a set is a target that stands for others once it has been found.
func set() observe.Target {
	return observe.Target{Kind: status.Kind{Kind: "helm"}, Namespace: "shop", Name: "web"}
}

func notFound() observe.Event {
	return observe.Event{Target: set(), Err: &observe.Unreadable{Reason: "NeverSeen", Text: "no release of that name"}}
}

func found(all ...observe.Target) observe.Event {
	return observe.Event{Target: set(), Targets: all}
}

// Other targets are followed while a set is missing. Once it is found, its objects are
// followed in its place.
func TestTargetsThatAreFoundLater(t *testing.T) {
	rows := []struct {
		it     string
		source script
		ends   observe.Outcome
		want   []string
	}{
		{"is missing, and others are followed", paced(notFound(), widget("a", "True", "", nil)), observe.OutcomeTimeout,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met"}},
		{"is missing, and another fails", paced(notFound(), stalled("a")), observe.OutcomeFailure,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Failed/Stalled failed"}},
		{"is followed by its objects", paced(notFound(), widget("a", "True", "", nil), found(target("b"), target("c")), widget("b", "True", "", nil), widget("c", "True", "", nil)), observe.OutcomeSuccess,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met", "3s b Current/Reconciled met", "4s c Current/Reconciled met", "4s web NotFound/NeverSeen ignored, left"}},
		{"is found before it was missing", paced(found(target("b")), widget("a", "True", "", nil), widget("b", "True", "", nil)), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met"}},
		{"has an object that is followed already", paced(notFound(), widget("a", "True", "", nil), found(target("a"))), observe.OutcomeSuccess,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met", "2s web NotFound/NeverSeen ignored, left"}},
		{"has an object that fails", paced(notFound(), widget("a", "True", "", nil), found(target("b")), stalled("b")), observe.OutcomeFailure,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met", "3s b Failed/Stalled failed", "3s web NotFound/NeverSeen ignored, left"}},
		{"is found at the same time as its objects", sights(notFound(), found(target("b")), widget("b", "True", "", nil), widget("a", "True", "", nil)), observe.OutcomeSuccess,
			[]string{"0s web NotFound/NeverSeen missing", "0s b Current/Reconciled met", "0s a Current/Reconciled met", "0s web NotFound/NeverSeen ignored, left"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source}
				expect(t, history(t, w, set(), target("a")), row.want...)
				ctx, stop := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer stop()
				outcome, _, err := w.Wait(ctx, observe.Policy{}, set(), target("a"))
				if err != nil || outcome != row.ends {
					t.Errorf("have %s, %v, want %s", outcome, err, row.ends)
				}
			})
		})
	}
}
