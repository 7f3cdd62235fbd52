package conditions_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/metrics"
	"kstatus.dev/status"
)

var errRejected = errors.New("refused by the test")

// failingWriter is a Writer that rejects every request.
type failingWriter struct{}

func (failingWriter) Get(context.Context, conditions.Object) error { return errRejected }
func (failingWriter) PatchStatus(context.Context, conditions.Object, conditions.Patch) error {
	return errRejected
}

// metricsLog records the calls of a metrics recorder.
type metricsLog struct{ lines []string }

func (m *metricsLog) RecordTransition(t metrics.Transition) {
	m.lines = append(m.lines, fmt.Sprintf("%s %s/%s %s %s->%s %s %s", t.Kind.Kind, t.Namespace, t.Name, t.Type, t.From, t.To, t.Reason, t.Duration))
}

func (m *metricsLog) RecordCommit(c metrics.Commit) {
	m.lines = append(m.lines, fmt.Sprintf("%s %s/%s %s after %d conflicts", c.Kind.Kind, c.Namespace, c.Name, c.Outcome, c.Conflicts))
}

func TestMetrics(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(setHealthy)
	m := &metricsLog{}
	o := b.set.Options()
	o.Metrics = m
	b.set = b.set.WithOptions(o)
	b.reconcile(setHealthy)
	b.clock.Advance(time.Minute)
	pass := b.begin()
	pass.False("ServerUp", "CreateFailed", "")
	b.BeforeNextWrite = func() { b.Update(addForeign) }
	b.commit(pass)
	b.FailNextWrite = errRejected
	pass = b.begin()
	setHealthy(pass)
	if _, err := pass.Commit(context.Background(), b); !errors.Is(err, errRejected) {
		t.Fatal(err)
	}
	want := []string{
		"Server shop/web Unchanged after 0 conflicts",
		"Server shop/web Ready True->False CreateFailed 1m0s",
		"Server shop/web ServerUp True->False CreateFailed 1m0s",
		"Server shop/web Written after 1 conflicts",
		"Server shop/web Failed after 0 conflicts",
	}
	if have := strings.Join(m.lines, "\n"); have != strings.Join(want, "\n") {
		t.Errorf("metrics are\n%s\nwant\n%s", have, strings.Join(want, "\n"))
	}
}

func TestVerdict(t *testing.T) {
	deleted := metav1.NewTime(start)
	for name, c := range map[string]struct {
		change     func(*Server)
		statements func(*conditions.Pass)
		ours       status.Status
		ofOthers   status.Status // by the algorithm of cli-utils, which most tools use
	}{
		"it is in progress at the first reconcile":    {func(*Server) {}, setNone, status.InProgressStatus, status.InProgressStatus},
		"it is current if all conditions are healthy": {func(*Server) {}, setHealthy, status.CurrentStatus, status.CurrentStatus},
		"it is terminating during the deletion":       {func(s *Server) { s.DeletionTimestamp = &deleted }, setHealthy, status.TerminatingStatus, status.TerminatingStatus},
		"it has failed if it is stalled":              {func(*Server) {}, func(p *conditions.Pass) { p.True("Stalled", "Broken", "for good") }, status.FailedStatus, status.FailedStatus},
		"it is in progress if the pass failed":        {func(*Server) {}, func(p *conditions.Pass) { setHealthy(p); p.Fail(errRejected) }, status.InProgressStatus, status.InProgressStatus},
		"it is in progress while it is not ready":     {func(*Server) {}, func(p *conditions.Pass) { p.False("ServerUp", "Creating", "") }, status.InProgressStatus, status.InProgressStatus},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer()
			c.change(s)
			b := newFixture(t, s)
			pass := b.begin()
			c.statements(pass)
			for profile, want := range map[string]status.Status{"default": c.ours, "compat": c.ofOthers} {
				p, err := status.ParseProfile(profile)
				if err != nil {
					t.Fatal(err)
				}
				result, err := pass.Verdict(status.Evaluator{Profile: p, Now: b.clock.Now})
				if err != nil || result.Status != want {
					t.Errorf("%s: verdict is %v, %v; want %s", profile, result, err, want)
				}
			}
			if b.WriteCount() > 0 {
				t.Error("asking for a verdict has written")
			}
		})
	}
}

func TestPrint(t *testing.T) {
	at := func(ago time.Duration) metav1.Time { return metav1.NewTime(start.Add(-ago)) }
	list := []metav1.Condition{
		{Type: "Scanned\x1b[2J", Status: "True", Reason: "Clean", LastTransitionTime: at(100 * time.Hour)},
		{Type: "Degraded", Status: "True", Reason: "DiskFull", Message: "90 %\nof \u202ethe disk", LastTransitionTime: at(3 * time.Minute), ObservedGeneration: 2},
		{Type: "ServerUp", Status: "True", Reason: "Running", Message: "not shown", LastTransitionTime: at(50 * time.Hour), ObservedGeneration: 3},
		{Type: "Ready", Status: "False", Reason: "DiskFull", Message: "Degraded: 90 %", LastTransitionTime: at(90 * time.Second), ObservedGeneration: 3},
		{Type: "Paused", Status: "False", Reason: "NotPaused", LastTransitionTime: at(5 * time.Hour), ObservedGeneration: 3},
	}
	how := conditions.PrintOptions{Generation: 3, Now: start}
	for name, c := range map[string]struct{ have, want string }{
		"line":  {declared.Line(list, how), "Ready=False(DiskFull)! ServerUp=True Degraded=True(DiskFull)!< Paused=False Scanned [2J=True"},
		"plain": {declared.Line(list[2:3], conditions.PrintOptions{}), "ServerUp=True"},
		"colour": {declared.Line(list[1:3], conditions.PrintOptions{Color: true}),
			"\x1b[32mServerUp=True\x1b[0m \x1b[31mDegraded=True(DiskFull)!\x1b[0m"},
		"table": {declared.Table(list, how), `
Ready        False  DiskFull   90s   Degraded: 90 %
├─ ServerUp  True   Running    2d
└─ Degraded  True   DiskFull   3m    90 % of the disk  (of generation 2, the object is at 3)
Paused       False  NotPaused  5h
Scanned [2J  True   Clean      4d
`},
	} {
		t.Run(name, func(t *testing.T) {
			if have, want := strings.TrimSpace(c.have), strings.TrimSpace(c.want); have != want {
				t.Errorf("%s is\n%q\nwant\n%q", name, have, want)
			}
		})
	}
}

func TestApply(t *testing.T) {
	b := newFixture(t, newServer())
	o := b.set.Options()
	o.ServerSideApply = &conditions.ServerSideApply{FieldOwner: "servers.example.com", Fields: []string{"addresses"}}
	b.set = b.set.WithOptions(o)
	b.Update(addForeign)
	pass := b.begin()
	b.server().Status.Addresses = []string{"10.0.0.1"}
	catch := &recordingWriter{}
	if _, err := pass.Commit(context.Background(), catch); !errors.Is(err, errRejected) {
		t.Fatal(err)
	}
	body := string(catch.patch.Data)
	for _, part := range []string{`"apiVersion":"example.com/v1"`, `"kind":"Server"`, `"uid":"u1"`, `"resourceVersion":"2"`, `"addresses":["10.0.0.1"]`, `"observedGeneration":1`, `"type":"Ready"`} {
		if !strings.Contains(body, part) {
			t.Errorf("the apply lacks %s: %s", part, body)
		}
	}
	if strings.Contains(body, "Scanned") || !catch.patch.Force || catch.patch.FieldOwner != "servers.example.com" {
		t.Errorf("the apply takes what belongs to others, or is not in our name: %s %+v", body, catch.patch)
	}
	b.Update(func(c map[string]any) {
		stored(c)["conditions"] = []any{map[string]any{"type": "ServerReady", "status": "True"}}
	})
	if !b.reconcile(setNone) { // the test server supports merge patches only
		t.Error("the obsolete field was not removed by a merge patch")
	}
	pass = b.begin()
	b.server().Status.Initialization = &ServerInitialization{}
	b.set.Options().ServerSideApply.Fields = nil
	b.server().Status.Addresses = []string{"10.0.0.2"}
	if _, err := pass.Commit(context.Background(), catch); err == nil || !strings.Contains(err.Error(), "status.addresses was changed, but is not in ServerSideApply.Fields") {
		t.Errorf("error is %v", err)
	}
}

// recordingWriter keeps the last patch.
type recordingWriter struct {
	failingWriter
	patch conditions.Patch
}

func (c *recordingWriter) PatchStatus(_ context.Context, _ conditions.Object, patch conditions.Patch) error {
	c.patch = patch
	return errRejected
}

func TestGetDuringPass(t *testing.T) {
	b := newFixture(t, newServer())
	pass := b.begin()
	conditionstest.Assert(t, []metav1.Condition{pass.Get("ServerUp")}, metav1.Condition{Type: "ServerUp", Status: "Unknown", Reason: "NotYetReconciled"})
	setHealthy(pass)
	conditionstest.Assert(t, []metav1.Condition{pass.Get("ServerUp"), pass.Get("Ready"), pass.Get("Never")},
		metav1.Condition{Type: "ServerUp", Status: "True"}, metav1.Condition{Type: "Ready", Status: "True"},
		metav1.Condition{Type: "Never", Status: "Unknown", Reason: "NotYetReconciled"})
}
