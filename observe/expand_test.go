package observe_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// setTarget returns a target that represents other targets, once it has been found.
func setTarget() observe.Target {
	return observe.Target{Kind: status.Kind{Kind: "helm"}, Namespace: "shop", Name: "web"}
}

func setNotFound() observe.Event {
	return observe.Event{Target: setTarget(), Err: &observe.Unreadable{Reason: "NeverSeen", Text: "no release with that name"}}
}

func expandsTo(all ...observe.Target) observe.Event {
	return observe.Event{Target: setTarget(), Targets: all}
}

// setCondition returns the event that a set is being changed or has failed.
func setCondition(condition, message string) observe.Event {
	return observe.Event{Target: setTarget(), Object: status.Map{
		"apiVersion": "v1", "kind": "helm", "metadata": map[string]any{"name": "web", "namespace": "shop"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": condition, "status": "True", "reason": "Test", "message": message}}},
	}}
}

// A set with followed objects may change. Meanwhile it is not Current, and afterwards it
// may have other objects.
func TestTargetsThatExpand(t *testing.T) {
	met := func(name string) observe.Event { return widget(name, "True", "", nil) }
	rows := []struct {
		it     string
		source scriptedSource
		ends   observe.Outcome
		want   []string
	}{
		{"changes from the beginning", sendPaced(expandsTo(target("b")), setCondition("Reconciling", "6"), met("a"), met("b")), observe.OutcomeTimeout,
			[]string{"1s web InProgress/Reconciling open", "2s a Current/Reconciled met", "3s b Current/Reconciled met"}},
		{"changes until it is done", sendPaced(expandsTo(target("b")), setCondition("Reconciling", "6"), met("a"), met("b"), expandsTo(target("b"))), observe.OutcomeSuccess,
			[]string{"1s web InProgress/Reconciling open", "2s a Current/Reconciled met", "3s b Current/Reconciled met", "4s web InProgress/Reconciling ignored, left"}},
		{"has other objects afterwards", sendPaced(expandsTo(target("b"), target("c")), setCondition("Reconciling", "6"), met("a"), met("b"), expandsTo(target("c"), target("d")), met("c"), met("d")), observe.OutcomeSuccess,
			[]string{"1s web InProgress/Reconciling open", "2s a Current/Reconciled met", "3s b Current/Reconciled met", "4s b Current/Reconciled ignored, left",
				"5s c Current/Reconciled met", "6s d Current/Reconciled met", "6s web InProgress/Reconciling ignored, left"}},
		{"changes after its objects were ready", sendPaced(expandsTo(target("b")), met("a"), met("b"), setCondition("Reconciling", "7"), expandsTo(target("d")), met("d")), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s web InProgress/Reconciling open", "4s b Current/Reconciled ignored, left",
				"5s d Current/Reconciled met", "5s web InProgress/Reconciling ignored, left"}},
		{"keeps a target that was also requested by name", sendPaced(expandsTo(target("a"), target("b")), met("a"), met("b"), setCondition("Reconciling", "7"), expandsTo(target("b"))), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s web InProgress/Reconciling open", "4s web InProgress/Reconciling ignored, left"}},
		{"gets an object again", sendPaced(expandsTo(target("b")), met("a"), met("b"), expandsTo(target("c")), expandsTo(target("b")), met("b")), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s b Current/Reconciled ignored, left", "5s b Current/Reconciled met"}},
		{"loses an object before it was seen", sendAll(expandsTo(target("b"), target("c")), met("b"), expandsTo(target("c")), met("c"), met("a")), observe.OutcomeSuccess,
			[]string{"0s c Current/Reconciled met", "0s a Current/Reconciled met"}},
		{"fails", sendPaced(expandsTo(target("b")), met("a"), met("b"), setCondition("Stalled", "7")), observe.OutcomeFailure,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met", "3s web Failed/Stalled failed"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source}
				expect(t, history(t, w, setTarget(), target("a")), row.want...)
				ctx, stop := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer stop()
				board, last := new(observe.Board), observe.OutcomePending
				for u := range w.Updates(ctx, setTarget(), target("a")) { // to the end, since events may follow a success
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
func TestTargetsFoundLater(t *testing.T) {
	rows := []struct {
		it     string
		source scriptedSource
		ends   observe.Outcome
		want   []string
	}{
		{"is missing while others are watched", sendPaced(setNotFound(), widget("a", "True", "", nil)), observe.OutcomeTimeout,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met"}},
		{"is missing while another fails", sendPaced(setNotFound(), stalled("a")), observe.OutcomeFailure,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Failed/Stalled failed"}},
		{"is followed by its objects", sendPaced(setNotFound(), widget("a", "True", "", nil), expandsTo(target("b"), target("c")), widget("b", "True", "", nil), widget("c", "True", "", nil)), observe.OutcomeSuccess,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met", "3s b Current/Reconciled met", "4s c Current/Reconciled met", "4s web NotFound/NeverSeen ignored, left"}},
		{"is found after it was missing", sendPaced(expandsTo(target("b")), widget("a", "True", "", nil), widget("b", "True", "", nil)), observe.OutcomeSuccess,
			[]string{"1s a Current/Reconciled met", "2s b Current/Reconciled met"}},
		{"has an object that is watched already", sendPaced(setNotFound(), widget("a", "True", "", nil), expandsTo(target("a"))), observe.OutcomeSuccess,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met", "2s web NotFound/NeverSeen ignored, left"}},
		{"has an object that fails", sendPaced(setNotFound(), widget("a", "True", "", nil), expandsTo(target("b")), stalled("b")), observe.OutcomeFailure,
			[]string{"0s web NotFound/NeverSeen missing", "1s a Current/Reconciled met", "3s b Failed/Stalled failed", "3s web NotFound/NeverSeen ignored, left"}},
		{"is found at the same time as its objects", sendAll(setNotFound(), expandsTo(target("b")), widget("b", "True", "", nil), widget("a", "True", "", nil)), observe.OutcomeSuccess,
			[]string{"0s web NotFound/NeverSeen missing", "0s b Current/Reconciled met", "0s a Current/Reconciled met", "0s web NotFound/NeverSeen ignored, left"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source}
				expect(t, history(t, w, setTarget(), target("a")), row.want...)
				ctx, stop := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer stop()
				outcome, _, err := w.Wait(ctx, observe.Policy{}, setTarget(), target("a"))
				if err != nil || outcome != row.ends {
					t.Errorf("have %s, %v, want %s", outcome, err, row.ends)
				}
			})
		})
	}
}
