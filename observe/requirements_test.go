package observe_test

import (
	"cmp"
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

const working, ready, failed = "False", "True", "Stalled"

// A step is the state of the widget a from a second on.
type step struct {
	second int
	ready  string // the status of its condition Ready, or trouble
}

// sendStates sends the states of the widget a.
func sendStates(meta map[string]any, steps ...step) scriptedSource {
	var events []timedEvent
	for _, step := range steps {
		s := widget("a", step.ready, "", meta)
		if step.ready == failed {
			s = stalled("a")
		}
		events = append(events, timedEvent{time.Duration(step.second) * time.Second, s})
	}
	return sendAt(events...)
}

func TestRequirements(t *testing.T) {
	noted := func(annotation, value string) map[string]any {
		return map[string]any{"annotations": map[string]any{annotation: value}}
	}
	ten := 10 * time.Second
	rows := []struct {
		it           string
		requirements observe.Requirements
		source       scriptedSource
		want         []string
		of           observe.Target // if it is not the widget a
	}{
		{it: "is met only while all goals hold", source: sendStates(nil, step{0, ready}, step{1, working}),
			want: []string{"0s a Current/Reconciled met", "1s a InProgress/SummaryConditionNotTrue open"}},
		{it: "stays met with Latch", requirements: observe.Requirements{Latch: true}, source: sendStates(nil, step{0, ready}, step{1, working}),
			want: []string{"0s a Current/Reconciled met", "1s a InProgress/SummaryConditionNotTrue met"}},
		{it: "stays met until it fails", requirements: observe.Requirements{Latch: true}, source: sendStates(nil, step{0, ready}, step{1, failed}, step{2, working}, step{3, ready}),
			want: []string{"0s a Current/Reconciled met", "1s a Failed/Stalled failed", "2s a InProgress/SummaryConditionNotTrue open", "3s a Current/Reconciled met"}},
		{it: "stays met until it is changed", requirements: observe.Requirements{Latch: true},
			source: sendPaced(widget("a", "True", "", nil), widget("a", "False", "", map[string]any{"generation": int64(2)})),
			want:   []string{"0s a Current/Reconciled met", "1s a InProgress/SummaryConditionNotTrue open"}},
		{it: "stays met until it is replaced", requirements: observe.Requirements{Latch: true},
			source: sendPaced(widget("a", "True", "", nil), widget("a", "False", "", map[string]any{"uid": "u2"})),
			want:   []string{"0s a Current/Reconciled met", "1s a InProgress/SummaryConditionNotTrue open"}},
		{it: "stays met until it is deleted", requirements: observe.Requirements{Latch: true}, source: sendPaced(widget("a", "True", "", nil), missing("a")),
			want: []string{"0s a Current/Reconciled met", "1s a NotFound/Deleted failing, fails at 1m1s", "1m1s a NotFound/Deleted failed"}},
		{it: "stays met while it cannot be read", requirements: observe.Requirements{Latch: true}, source: sendPaced(widget("a", "True", "", nil), unreadable("a", "Forbidden")),
			want: []string{"0s a Current/Reconciled met", "1s a Unknown/Forbidden met"}},
		{it: "settles", requirements: observe.Requirements{Settle: ten}, source: sendStates(nil, step{0, ready}), want: []string{"0s a Current/Reconciled open", "10s a Current/Reconciled met"}},
		{it: "settles without an interruption", requirements: observe.Requirements{Settle: ten}, source: sendStates(nil, step{0, ready}, step{9, working}, step{10, ready}),
			want: []string{"0s a Current/Reconciled open", "9s a InProgress/SummaryConditionNotTrue open", "10s a Current/Reconciled open", "20s a Current/Reconciled met"}},
		{it: "settles before it stays met", requirements: observe.Requirements{Settle: ten, Latch: true}, source: sendStates(nil, step{0, ready}, step{9, working}, step{10, ready}, step{21, working}),
			want: []string{"0s a Current/Reconciled open", "9s a InProgress/SummaryConditionNotTrue open", "10s a Current/Reconciled open",
				"20s a Current/Reconciled met", "21s a InProgress/SummaryConditionNotTrue met"}},
		{it: "times out after its own timeout", requirements: observe.Requirements{Timeout: ten}, source: sendStates(nil, step{0, working}), want: []string{"0s a InProgress/SummaryConditionNotTrue open", "10s a InProgress/SummaryConditionNotTrue late"}},
		{it: "does not time out once it is met", requirements: observe.Requirements{Timeout: ten}, source: sendStates(nil, step{0, ready}), want: []string{"0s a Current/Reconciled met"}},
		{it: "is met after its own timeout while the wait goes on", requirements: observe.Requirements{Timeout: ten}, source: sendStates(nil, step{0, working}, step{11, ready}),
			want: []string{"0s a InProgress/SummaryConditionNotTrue open", "10s a InProgress/SummaryConditionNotTrue late", "11s a Current/Reconciled met"}},
		{it: "fails rather than times out", requirements: observe.Requirements{Timeout: ten}, source: sendStates(nil, step{0, working}, step{11, failed}),
			want: []string{"0s a InProgress/SummaryConditionNotTrue open", "10s a InProgress/SummaryConditionNotTrue late", "11s a Failed/Stalled failed"}},
		{it: "times out if it never exists", requirements: observe.Requirements{Timeout: ten}, source: sendAll(missing("a")), want: []string{"0s a NotFound/NeverSeen missing", "10s a NotFound/NeverSeen late"}},
		{it: "has the timeout of its annotation", requirements: observe.Requirements{ObjectDirectives: true}, source: sendStates(noted("kstatus.dev/timeout", "7s"), step{0, working}),
			want: []string{"0s a InProgress/SummaryConditionNotTrue open", "7s a InProgress/SummaryConditionNotTrue late"}},
		{it: "prefers the configured timeout to its annotation", requirements: observe.Requirements{Timeout: ten, ObjectDirectives: true}, source: sendStates(noted("kstatus.dev/timeout", "7s"), step{0, working}),
			want: []string{"0s a InProgress/SummaryConditionNotTrue open", "10s a InProgress/SummaryConditionNotTrue late"}},
		{it: "is ignored by its annotation", requirements: observe.Requirements{Timeout: ten, ObjectDirectives: true}, source: sendStates(noted("kstatus.dev/ignore", "true"), step{0, failed}, step{1, working}),
			want: []string{"0s a Failed/Stalled failed", "1s a InProgress/SummaryConditionNotTrue ignored"}},
		{it: "is not ignored by its annotation without ObjectDirectives", requirements: observe.Requirements{}, source: sendStates(noted("kstatus.dev/ignore", "true"), step{0, failed}, step{1, working}),
			want: []string{"0s a Failed/Stalled failed", "1s a InProgress/SummaryConditionNotTrue open"}},
		{it: "has no timeout by its annotation without ObjectDirectives", requirements: observe.Requirements{}, source: sendStates(noted("kstatus.dev/timeout", "7s"), step{0, working}),
			want: []string{"0s a InProgress/SummaryConditionNotTrue open"}},
		{it: "is ignored by the requirements", requirements: observe.Requirements{Ignore: true}, source: sendStates(nil, step{0, working}), want: []string{"0s a InProgress/SummaryConditionNotTrue ignored"}},
		{it: "is not ignored if its annotation is false", requirements: observe.Requirements{ObjectDirectives: true}, source: sendStates(noted("kstatus.dev/ignore", "false"), step{0, working}), want: []string{"0s a InProgress/SummaryConditionNotTrue open"}},
		{it: "needs only one of its goals with Any", requirements: observe.Requirements{Any: true, Goals: []observe.Goal{goal.Condition("Ready", "Unknown"), goal.Current()}},
			source: sendStates(nil, step{0, working}, step{1, ready}, step{2, "Unknown"}, step{3, working}),
			want:   []string{"0s a InProgress/SummaryConditionNotTrue open", "1s a Current/Reconciled met", "2s a InProgress/SummaryConditionNotTrue met", "3s a InProgress/SummaryConditionNotTrue open"}},
		{it: "settles by a terminal failure", requirements: observe.Requirements{Goals: []observe.Goal{goal.Settled()}}, source: sendPaced(job("Running", nil, nil), job("Failed", nil, nil)),
			want: []string{"0s a InProgress/Running open", "1s a Failed/JobFailed met"}, of: jobTarget},
		{it: "settles by becoming Current", requirements: observe.Requirements{Goals: []observe.Goal{goal.Settled()}}, source: sendPaced(job("Running", nil, nil), job("Complete", nil, nil), notCounted(job("Complete", nil, nil))),
			want: []string{"0s a InProgress/Running open", "1s a Current/Completed met", "2s a NotFound/ExpiredTTL met"}, of: jobTarget},
		{it: "does not settle by a recoverable failure, which has grace", requirements: observe.Requirements{Goals: []observe.Goal{goal.Settled()}}, source: sendStates(nil, step{0, failed}, step{120, ready}),
			want: []string{"0s a Failed/Stalled open", "2m0s a Current/Reconciled met"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source, Requirements: row.requirements}
				expect(t, history(t, w, cmp.Or(row.of, target("a"))), row.want...)
			})
		})
	}
}

func TestRequirementsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		patient := &observe.Requirements{Timeout: 20 * time.Second}
		w := observe.Watcher{Source: sendAll(missing("a"), missing("b")), Requirements: observe.Requirements{Timeout: 10 * time.Second}}
		w.RequirementsFor = func(of observe.Target) *observe.Requirements {
			if of == target("b") {
				return patient
			}
			return nil
		}
		expect(t, history(t, w, target("a"), target("b")),
			"0s a NotFound/NeverSeen missing", "0s b NotFound/NeverSeen missing", "10s a NotFound/NeverSeen late", "20s b NotFound/NeverSeen late")
		if patient.Goals != nil {
			t.Error("the caller's terms were changed")
		}
	})
}

// A warning reports each annotation that applies or would apply. An annotation that
// changes nothing has no warning.
func TestObjectDirectives(t *testing.T) {
	all := map[string]any{"kstatus.dev/ignore": "true", "kstatus.dev/timeout": "7s", "kstatus.dev/first-status": "1s"}
	rows := []struct {
		it           string
		requirements observe.Requirements
		notes        map[string]any
		want         string
	}{
		{"the annotation is not used", observe.Requirements{}, all,
			"[its annotations kstatus.dev/ignore, kstatus.dev/timeout, kstatus.dev/first-status were not used; kstatus wait uses them with --object-directives]"},
		{"an invalid annotation is not used", observe.Requirements{}, map[string]any{"kstatus.dev/timeout": "soon", "kstatus.dev/ignore": "yes"}, "[]"},
		{"the annotation equals the requirements", observe.Requirements{FirstStatus: time.Second, Timeout: time.Second}, map[string]any{"kstatus.dev/timeout": "7s", "kstatus.dev/first-status": "1s"}, "[]"},
		{"the annotation has no effect", observe.Requirements{Ignore: true}, all, "[]"},
		{"counts", observe.Requirements{ObjectDirectives: true}, all, "[it is not waited for, by its annotation kstatus.dev/ignore " +
			"its timeout is 7s, by its annotation kstatus.dev/timeout its controller has 1s for a first report, by its annotation kstatus.dev/first-status]"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Requirements: row.requirements, Source: sendAll(widget("a", "True", "", map[string]any{"annotations": row.notes}))}
				for u := range w.Updates(second(t), target("a")) {
					if have := fmt.Sprint(u.Result.Warnings); have != row.want {
						t.Errorf("it says %s, want %s", have, row.want)
					}
				}
			})
		})
	}
}

func TestInvalidAnnotations(t *testing.T) {
	rows := []struct {
		it    string
		notes any
		want  string
	}{
		{"warns of an invalid duration", map[string]any{"kstatus.dev/timeout": "ten minutes"}, `[annotation kstatus.dev/timeout: want a duration such as 10m, have "ten minutes"]`},
		{"warns of a negative timeout", map[string]any{"kstatus.dev/timeout": "-1s"}, `[annotation kstatus.dev/timeout: want a duration such as 10m, have "-1s"]`},
		{"warns of an invalid boolean", map[string]any{"kstatus.dev/ignore": "yes"}, `[annotation kstatus.dev/ignore: want true or false, have "yes"]`},
		{"ignores a number", map[string]any{"kstatus.dev/timeout": 7}, `[]`},
		{"ignores annotations that are not a map", "odd", `[]`},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				for u := range (observe.Watcher{Requirements: observe.Requirements{ObjectDirectives: true}, Source: sendAll(widget("a", "True", "", map[string]any{"annotations": row.notes}))}).Updates(second(t), target("a")) {
					if n++; fmt.Sprint(u.Result.Warnings) != row.want || u.Progress != observe.ProgressReached {
						t.Errorf("it says %v and is %s, want %s", u.Result.Warnings, u.Progress, row.want)
					}
				}
				if n != 1 {
					t.Errorf("%d updates, want 1", n)
				}
			})
		})
	}
}

func TestSettleIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wants []string
		w := observe.Watcher{Source: sendStates(nil, step{0, ready}, step{3, ready}, step{6, ready}), Requirements: observe.Requirements{Settle: 10 * time.Second}}
		outcome, _, err := w.Wait(t.Context(), observe.Policy{}, target("a"))
		if err != nil || outcome != observe.OutcomeSuccess {
			t.Errorf("have %s, %v", outcome, err)
		}
		for u := range w.Updates(second(t), target("a")) {
			wants = append(wants, u.Unmet)
		}
		expect(t, wants, "it must stay so for 10s")
	})
}

// crd returns the definition of widgets whose status has these fields.
func crd(fields map[string]any) schema.Expectations {
	expect, err := schema.FromCRDs(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "widgets.example.com"},
		"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": "Widget"}, "versions": []any{map[string]any{
			"name": "v1", "served": true, "subresources": map[string]any{"status": map[string]any{}},
			"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
				"status": map[string]any{"type": "object", "properties": fields}}}}}}}})
	if err != nil {
		panic(err)
	}
	return expect
}

func TestSilentControllers(t *testing.T) {
	whole := crd(map[string]any{"observedGeneration": map[string]any{"type": "integer"}, "conditions": map[string]any{"type": "array"}})
	waiting := []any{map[string]any{"type": "Ready", "status": "Unknown"}}
	announcing := func(string, string) schema.Expectation {
		return schema.Expectation{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes, DefaultsStatus: true}
	}
	printed := func(string, string) schema.Expectation {
		return schema.Expectation{Status: schema.TristateYes, SummaryCondition: "Synchronized"}
	}
	shown := func(declared schema.Expectations) schema.Expectations {
		return func(apiVersion, kind string) schema.Expectation {
			e := declared(apiVersion, kind)
			e.Peers = schema.Peers{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes, Example: "Widget shop/b"}
			return e
		}
	}
	var seen time.Time // when the watch began
	pending := func(declared schema.Expectations, last time.Duration) schema.Expectations {
		return func(apiVersion, kind string) schema.Expectation {
			e := declared(apiVersion, kind)
			e.Peers.Pending = time.Since(seen) < last
			return e
		}
	}
	unreported := func(state map[string]any) observe.Event {
		s := widget("a", "", "", nil)
		s.Object.UnstructuredContent()["status"] = state
		return s
	}
	job := func() observe.Event {
		s := unreported(nil)
		s.Object.UnstructuredContent()["kind"] = "RenderJob"
		return s
	}
	newborn := func() observe.Event { // in synctest's time
		s := unreported(map[string]any{"conditions": []any{map[string]any{"type": "Configured", "status": "True"}}})
		s.Object.UnstructuredContent()["metadata"].(map[string]any)["creationTimestamp"] = "2000-01-01T00:00:00Z"
		return s
	}
	untouched := func(state map[string]any) observe.Event {
		s := unreported(state)
		s.Object.UnstructuredContent()["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{"manager": "user", "fieldsV1": map[string]any{"f:spec": nil}}}
		return s
	}
	noted := func(first string) observe.Event {
		s := unreported(nil)
		s.Object.UnstructuredContent()["metadata"].(map[string]any)["annotations"] = map[string]any{"kstatus.dev/first-status": first}
		return s
	}
	route := func(parents ...any) observe.Event {
		return observe.Event{Target: target("a"), Object: status.Map{
			"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": map[string]any{"name": "a", "namespace": "shop", "generation": 1},
			"spec":   map[string]any{"parentRefs": []any{map[string]any{"name": "edge"}, map[string]any{"name": "mesh"}}},
			"status": map[string]any{"parents": parents},
		}}
	}
	accepted := map[string]any{"controllerName": "example.com/edge", "parentRef": map[string]any{"name": "edge"}, "conditions": []any{map[string]any{"type": "Accepted", "status": "True"}}}
	half := observe.Requirements{FirstStatus: 30 * time.Second}
	obeying := observe.Requirements{FirstStatus: 30 * time.Second, ObjectDirectives: true}
	conditions := []any{map[string]any{"type": "Ready", "status": "True"}}
	rows := []struct {
		it           string
		requirements observe.Requirements
		profile      status.Profile
		expect       schema.Expectations
		source       scriptedSource
		want         []string
	}{
		{"assumes that an object without a report is Current after the time", half, status.Profile{}, whole, sendAll(unreported(nil)),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/NoControllerEvidence met"}},
		{"assumes that an object that runs to completion is Current after the time", half, status.Profile{}, nil, sendAll(job()),
			[]string{"0s a InProgress/NotStarted open", "30s a Current/NoControllerEvidence met"}},
		{"continues to wait in the strict profile", half, status.StrictProfile(), whole, sendAll(unreported(nil)),
			[]string{"0s a InProgress/NotObserved open", "30s a InProgress/NoControllerEvidence open"}},
		{"continues to wait without a time", observe.Requirements{}, status.Profile{}, whole, sendAll(unreported(nil)), []string{"0s a InProgress/NotObserved open"}},
		{"accepts a late report of the controller", half, status.Profile{}, whole, sendAt(timedEvent{0, unreported(nil)}, timedEvent{29 * time.Second, generation("a", 1, 1)}),
			[]string{"0s a InProgress/NotObserved open", "29s a Current/Reconciled met"}},
		{"counts from the time at which the object was first seen", half, status.Profile{}, whole, sendAt(timedEvent{0, unreported(nil)}, timedEvent{20 * time.Second, unreported(map[string]any{})}),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/NoControllerEvidence met"}},
		{"restarts for another object", half, status.Profile{}, whole, sendAt(timedEvent{0, unreported(nil)}, timedEvent{20 * time.Second, observe.Event{Target: target("a"),
			Object: status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "a", "uid": "u2", "generation": 1}}}}),
			[]string{"0s a InProgress/NotObserved open", "20s a InProgress/NotObserved open", "50s a Current/NoControllerEvidence met"}},
		{"accepts conditions without a generation after the time, as assumed", half, status.Profile{}, whole, sendAll(unreported(map[string]any{"conditions": conditions})),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/ObservedGenerationNeverAdvanced met"}},
		{"does not wait without end for an observed generation of zero", half, status.Profile{}, whole,
			sendAll(unreported(map[string]any{"observedGeneration": 0, "conditions": conditions})),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/ObservedGenerationNeverAdvanced met"}},
		{"waits if a default of -1 announces a controller", half, status.Profile{}, whole, sendAll(unreported(map[string]any{"observedGeneration": -1})),
			[]string{"0s a InProgress/NotObserved open", "30s a InProgress/NoControllerEvidence open"}},
		{"waits if the defaults of the schema announce a controller", half, status.Profile{}, announcing, sendAll(untouched(map[string]any{"conditions": waiting})),
			[]string{"0s a InProgress/NotObserved open", "30s a InProgress/NoControllerEvidence open"}},
		{"ignores defaults that are not in the object", half, status.Profile{}, whole, sendAll(untouched(map[string]any{"observedGeneration": -1, "conditions": waiting})),
			[]string{"0s a InProgress/NotObserved open", "30s a InProgress/NoControllerEvidence open"}},
		{"uses malformed conditions", half, status.Profile{}, whole, sendAll(unreported(map[string]any{"conditions": waiting})),
			[]string{"0s a InProgress/NotObserved open", "30s a InProgress/SummaryConditionNotTrue open"}},
		{"uses conditions without a summary after the time, as assumed", half, status.Profile{}, nil,
			sendAll(unreported(map[string]any{"conditions": []any{map[string]any{"type": "Example", "status": "True"}}})),
			[]string{"0s a InProgress/NoSummary open", "30s a Current/NoEvidence met"}},
		{"waits for a slow controller if other objects of the kind have reports", half, status.Profile{}, shown(whole), sendAll(unreported(nil)), []string{"0s a InProgress/NotObserved open", "30s a InProgress/NotObserved open"}},
		{"waits until other objects of the kind have been read", half, status.Profile{}, pending(whole, 38*time.Second), sendAll(unreported(nil)),
			[]string{"0s a InProgress/NotObserved open", "38s a Current/NoControllerEvidence met"}},
		{"does not wait for other objects if they do not count", half, status.Profile{}, pending(printed, 38*time.Second), sendAll(generation("a", 1, 1)),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/Reconciled met"}},
		{"does not wait for a condition that only the table declares", half, status.Profile{}, shown(printed), sendAll(generation("a", 1, 1)),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/Reconciled met"}},
		{"evaluates a new object again", half, status.Profile{}, whole, sendAll(newborn()),
			[]string{"0s a InProgress/NotObserved open", "10s a InProgress/NotObserved open", "30s a Current/ObservedGenerationNeverAdvanced met"}},
		{"continues to wait for an outdated status", half, status.Profile{}, whole, sendAll(generation("a", 2, 1)), []string{"0s a InProgress/LatestGenerationNotObserved open"}},
		{"prefers the configured time to the annotation", half, status.Profile{}, whole, sendAll(noted("1s")),
			[]string{"0s a InProgress/NotObserved open", "30s a Current/NoControllerEvidence met"}},
		{"has the time of its annotation", obeying, status.Profile{}, whole, sendAll(noted("1s")), []string{"0s a InProgress/NotObserved open", "1s a Current/NoControllerEvidence met"}},
		{"has no limit by its annotation", obeying, status.Profile{}, whole, sendAll(noted("0")), []string{"0s a InProgress/NotObserved open"}},
		{"is not needed without an observed generation", half, status.Profile{}, crd(map[string]any{"conditions": map[string]any{"type": "array"}}),
			sendAll(unreported(map[string]any{"conditions": conditions})), []string{"0s a Current/Reconciled met"}},
		{"assumes that a route on which no parent reports is Current after the time", half, status.Profile{}, nil, sendAll(route()),
			[]string{"0s a InProgress/NoControllerEvidence open", "30s a Current/NoControllerEvidence met"}},
		{"waits for a parent of a route if another one has reported", half, status.Profile{}, nil, sendAll(route(accepted)), []string{"0s a InProgress/NoControllerEvidence open"}},
		{"waits for the parents of a route if other routes have reports", half, status.Profile{}, shown(whole), sendAll(route()),
			[]string{"0s a InProgress/NoControllerEvidence open", "30s a InProgress/NoControllerEvidence open"}},
		{"waits although one goal is met from the start", observe.Requirements{FirstStatus: 30 * time.Second, Goals: []observe.Goal{goal.Condition("Ready", "True")}}, status.Profile{}, whole,
			sendAll(unreported(map[string]any{"conditions": conditions})), []string{"0s a InProgress/NotObserved met", "30s a Current/ObservedGenerationNeverAdvanced met"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen = time.Now()
				w := observe.Watcher{Source: row.source, Requirements: row.requirements, Evaluator: status.Evaluator{Profile: row.profile, Expect: row.expect}}
				expect(t, history(t, w, target("a")), row.want...)
			})
		})
	}
}

func TestMessagesForSilentControllers(t *testing.T) {
	whole := crd(map[string]any{"observedGeneration": map[string]any{"type": "integer"}, "conditions": map[string]any{"type": "array"}})
	mute := widget("a", "True", "", nil)
	delete(mute.Object.UnstructuredContent(), "status")
	rows := []struct{ it, want string }{
		{"silent", "its status does not show whether it is ready " +
			"[waited for 30s without success: its controller has not reported an observed generation, which the schema of CustomResourceDefinition widgets.example.com declares]"},
		{"without generation", "Ready is True " +
			"[waited for 30s without success: its controller has not reported an observed generation, which the schema of CustomResourceDefinition widgets.example.com declares]"},
	}
	for i, s := range []observe.Event{mute, widget("a", "True", "", nil)} {
		synctest.Test(t, func(t *testing.T) {
			w := observe.Watcher{Source: sendAll(s), Requirements: observe.Requirements{FirstStatus: 30 * time.Second}, Evaluator: status.Evaluator{Expect: whole}}
			var last string
			for u := range w.Updates(minute(t), target("a")) {
				last = fmt.Sprint(u.Result.Message, " ", u.Result.Warnings)
			}
			if last != rows[i].want {
				t.Errorf("it %s:\nhave %s\nwant %s", rows[i].it, last, rows[i].want)
			}
		})
	}
}

// An optional target counts once it exists.
func TestOptionalTargets(t *testing.T) {
	missing := observe.Event{Target: target("a")}
	for it, row := range map[string]struct {
		source scriptedSource
		ends   observe.Outcome
	}{
		"it is ignored while it does not exist": {sendPaced(missing, widget("b", "True", "", nil)), observe.OutcomeSuccess},
		"it counts when it exists":              {sendPaced(stalled("a"), widget("b", "True", "", nil)), observe.OutcomeFailure},
		"it counts when it appears":             {sendPaced(missing, stalled("a"), widget("b", "True", "", nil)), observe.OutcomeFailure},
	} {
		t.Run(it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source, Requirements: observe.Requirements{Optional: true}}
				ctx, stop := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer stop()
				outcome, _, err := w.Wait(ctx, observe.Policy{}, target("a"), target("b"))
				if err != nil || outcome != row.ends {
					t.Errorf("have %s, %v, want %s", outcome, err, row.ends)
				}
			})
		})
	}
}
