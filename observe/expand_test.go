package observe_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// set returns a target that represents other targets, once it has been found.
func set() observe.Target {
	return observe.Target{Kind: status.Kind{Kind: "helm"}, Namespace: "shop", Name: "web"}
}

func notFound() observe.Event {
	return observe.Event{Target: set(), Err: &observe.Unreadable{Reason: "NeverSeen", Text: "no release with that name"}}
}

func found(all ...observe.Target) observe.Event {
	return observe.Event{Target: set(), Targets: all}
}

// changing returns the event that a set is being changed or has failed.
func changing(condition, message string) observe.Event {
	return observe.Event{Target: set(), Object: status.Map{
		"apiVersion": "v1", "kind": "helm", "metadata": map[string]any{"name": "web", "namespace": "shop"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True", "reason": "Test", "message": message}}},
	}}
}

// A set with followed objects may change. Meanwhile it is not Current, and afterwards it
// may have other objects.
func TestTargetsThatChange(t *testing.T) {
	met := func(name string) observe.Event { return widget(name, "True", "", nil) }
	rows := []struct {
		it     string
		source script
		ends   observe.Outcome
		want   []string
	}{
		{"is being changed from the beginning", paced(found(target("b")), changing("Reconciling", "6"), met("a"), met("b")), observe.OutcomeTimeout,
			[]string{"1s web InProgress/Reconciling open", "2s a Current/Reconciled met", "3s b Current/Reconciled met"}},
		{"is being changed, and is done", paced(found(target("b")), changing("Reconciling", "6"), met("a"), met("b"), found(target("b"))), observe.OutcomeSuccess,
			[]string{"1s web InProgress/Reconciling open", "2s a Current/Reconciled met", "3s b Current/Reconciled met", "4s web InProgress/Reconciling ignored, left"}},
		{"has other objects afterwards", paced(found(target("b"), target("c")), changing("Reconciling", "6"), met("a"), met("b"), found(target("c"), target("d")), met("c"), met("d")), observe.OutcomeSuccess,
			[]string{"1s web InProgress/Reconciling open", "2s a Current/Reconciled met", "3s b Current/Reconciled met", "4s b Current/Reconciled ignored, left",
				"5s c Current/Reconciled met", "6s d Current/Reconciled met", "6s web InProgress/Reconciling ignored, left"}},
		{"is changed after its objects were there", paced(found(target("b")), met("a"), met("b"), changing("Reconciling", "7"), found(target("d")), met("d")), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s web InProgress/Reconciling open", "4s b Current/Reconciled ignored, left",
				"5s d Current/Reconciled met", "5s web InProgress/Reconciling ignored, left"}},
		{"keeps what was requested by itself", paced(found(target("a"), target("b")), met("a"), met("b"), changing("Reconciling", "7"), found(target("b"))), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s web InProgress/Reconciling open", "4s web InProgress/Reconciling ignored, left"}},
		{"has an object again", paced(found(target("b")), met("a"), met("b"), found(target("c")), found(target("b")), met("b")), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s b Current/Reconciled ignored, left", "5s b Current/Reconciled met"}},
		{"loses an object before it was seen", sights(found(target("b"), target("c")), met("b"), found(target("c")), met("c"), met("a")), observe.OutcomeSuccess,
			[]string{"0s c Current/Reconciled met", "0s a Current/Reconciled met"}},
		{"fails", paced(found(target("b")), met("a"), met("b"), changing("Stalled", "7")), observe.OutcomeFailure,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s web Failed/Stalled failed"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source}
				expect(t, history(t, w, set(), target("a")), row.want...)
				ctx, stop := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer stop()
				board, last := new(observe.Board), observe.OutcomePending
				for u := range w.Updates(ctx, set(), target("a")) { // to the end, since events may follow a success
					board.Add(u)
					last = board.Outcome(observe.Policy{})
				}
				if last == observe.OutcomePending {
					last = board.End(observe.Policy{}, observe.ErrTimeout)
				}
				if last != row.ends {
					t.Errorf("have %s, want %s", last, row.ends)
				}
			})
		})
	}
}

// Other targets are followed while a set is missing. Once it is found, its objects
// replace it.
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
