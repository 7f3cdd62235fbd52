package waitview

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// crashing returns an update about a Deployment with a Pod that crashes.
func crashing(of observe.Target, pod string, restarts int, progress observe.Progress) observe.Update {
	u := observe.Update{Target: of, Progress: progress, Result: status.Result{Status: status.InProgressStatus, Reason: "CrashLoop", Message: "0/1 available", Failure: status.FailureRecoverable},
		Parts: &status.Parts{Count: 1, Kind: "Pod", Name: "web-" + pod, Reason: "CrashLoop", Message: "container c exits with code 1 (" + text.Count(restarts, "restart") + ")"}}
	if progress == observe.ProgressFailed {
		u.Result.Status = status.FailedStatus
	}
	return u
}

// pull returns an update about a Deployment whose image cannot be pulled.
func pull(of observe.Target, pod string) observe.Update {
	u := crashing(of, pod, 1, observe.ProgressFailing)
	u.Result.Reason, u.Parts.Reason, u.Parts.Message = "ImagePullBackOff", "ImagePullBackOff", "ErrImagePull"
	return u
}

// A log has a line where something has changed for a person.
func TestFailuresInLog(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	web := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	const failing, failed = observe.ProgressFailing, observe.ProgressFailed
	current := observe.Update{Target: web, Result: status.Result{Status: status.CurrentStatus}, Progress: observe.ProgressReached}
	const first = "00:00 Failing     Deployment/shop/web: 0/1 available; Pod web-a: container c exits with code 1 (1 restart)\n"
	for _, c := range []struct {
		it      string
		updates []observe.Update // at intervals of three seconds
		want    string
	}{
		{"does not count restarts", []observe.Update{crashing(web, "a", 1, failing), crashing(web, "a", 2, failing), crashing(web, "a", 3, failing)}, first},
		{"does not alternate between Pods", []observe.Update{crashing(web, "a", 1, failing), crashing(web, "b", 1, failing), crashing(web, "a", 2, failing)}, first},
		{"has each state of a failure once", []observe.Update{crashing(web, "a", 1, failing), crashing(web, "a", 2, failed), crashing(web, "a", 2, failing), crashing(web, "a", 3, failed)},
			first + "00:03 Failed      Deployment/shop/web: 0/1 available; Pod web-a: container c exits with code 1 (2 restarts)\n"},
		{"has each cause once", []observe.Update{crashing(web, "a", 1, failing), pull(web, "b"), crashing(web, "a", 2, failing), pull(web, "b")},
			first + "00:03 Failing     Deployment/shop/web: 0/1 available; Pod web-b: ErrImagePull\n"},
		{"has a failure again after a recovery", []observe.Update{crashing(web, "a", 1, failing), current, crashing(web, "a", 3, failing)},
			first + "00:03 Current     Deployment/shop/web\n00:06 Failing     Deployment/shop/web: 0/1 available; Pod web-a: container c exits with code 1 (3 restarts)\n"},
	} {
		t.Run(c.it, func(t *testing.T) {
			var out bytes.Buffer
			now := began
			l := NewLog(Config{Out: &out, EventTime: func() time.Time { return now }, Began: began})
			l.SetTargets([]Target{{Target: web}})
			b := new(observe.Board)
			for _, u := range c.updates {
				u.Synced = true
				b.Add(u)
				if err := l.Update(NewEvent(u), b); err != nil {
					t.Fatal(err)
				}
				now = now.Add(3 * time.Second)
			}
			if err := l.End(b, Result{Code: exit.Failed}); err != nil {
				t.Fatal(err)
			}
			if have := out.String(); have != c.want {
				t.Errorf("have\n%swant\n%s", have, c.want)
			}
		})
	}
}

// TestWaitLog passes updates to the plain log of a wait for two Deployments and a selection of
// Pods. An update without a target is a heartbeat.
func TestWaitLog(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	web := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	api := observe.Target{Kind: web.Kind, Namespace: "shop", Name: "api"}
	pods := observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", LabelSelector: "app=web"}
	pod := observe.Target{Kind: pods.Kind, Namespace: "shop", Name: "web-1"}
	current := status.Result{Status: status.CurrentStatus, Confidence: status.ConfidenceStrong}
	progress := status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: "0/1 available"}
	gone := status.Result{Status: status.NotFoundStatus, Reason: "Deleted", Message: "it was deleted, or does not match any more"}
	missing := status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "0 of 1 objects match"}
	outage := errors.New("watch deployments.apps: connection refused")
	first := []observe.Update{
		{Target: web, Result: progress, Progress: observe.ProgressPending, Since: began},
		{Target: api, Result: progress, Progress: observe.ProgressPending, Since: began},
		{Target: pods, Result: missing, Progress: observe.ProgressMissing, Since: began, Synced: true},
	}
	const start = "00:00 InProgress  Deployment/shop/api: 0/1 available\n" +
		"00:00 InProgress  Deployment/shop/web: 0/1 available\n" +
		"00:00 NotFound    Pod/shop/* -l app=web: 0 of 1 objects match\n"
	for _, c := range []struct {
		it      string
		updates []observe.Update // at intervals of one second
		want    string
	}{
		{"tells of an outage once, and that it is over", []observe.Update{
			{Target: web, Result: progress, Previous: progress.Status, Progress: observe.ProgressPending, StaleSince: began, Err: outage},
			{Target: api, Result: progress, Previous: progress.Status, Progress: observe.ProgressPending, StaleSince: began, Err: outage, Unmet: "it cannot be looked at"},
			{},
			{Target: web, Result: progress, Previous: progress.Status, Progress: observe.ProgressPending},
			{Target: api, Result: progress, Previous: progress.Status, Progress: observe.ProgressPending},
		}, "00:01 STALE       connection lost; showing the last known state: watch deployments.apps: connection refused\n" +
			"00:03 WAITING     3 of 3: Deployment/shop/api (not seen for 3s), Deployment/shop/web (not seen for 3s), Pod/shop/* -l app=web\n" +
			"00:05 FRESH       all objects are read again\n"},
		{"tells of the objects of a selection, and not of a selection that has them", []observe.Update{
			{Target: pod, Result: current, Progress: observe.ProgressReached},
			{Target: pods, Result: current, Previous: missing.Status, Progress: observe.ProgressReached},
			{Target: pod, Result: gone, Previous: current.Status, Progress: observe.ProgressIgnored, Removed: true},
		}, "00:01 Current     Pod/shop/web-1\n" +
			"00:03 NotFound    Pod/shop/web-1: it was deleted, or does not match any more\n"},
		{"tells that a time is over, and that something is ignored", []observe.Update{
			{Target: web, Result: progress, Progress: observe.ProgressTimedOut},
			{Target: api, Result: progress, Progress: observe.ProgressIgnored},
			{},
		}, "00:01 InProgress  Deployment/shop/web: 0/1 available; its own timeout has passed\n" +
			"00:02 InProgress  Deployment/shop/api: 0/1 available; ignored\n" +
			"00:03 WAITING     2 of 2: Deployment/shop/web, Pod/shop/* -l app=web\n"},
		{"does not repeat itself", first[:2], ""},
	} {
		t.Run(c.it, func(t *testing.T) {
			var out bytes.Buffer
			now := began
			look := Config{Out: &out, EventTime: func() time.Time { return now }, Began: began}
			l := NewLog(look)
			l.SetTargets([]Target{{Target: web}, {Target: api}, {Target: pods}})
			b := new(observe.Board)
			for i, u := range append(first[:3:3], c.updates...) {
				if i >= len(first) {
					now = now.Add(time.Second)
				}
				b.Add(u)
				if err := l.Update(NewEvent(u), b); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.End(b, Result{Code: exit.Failed}); err != nil {
				t.Fatal(err)
			}
			if have := strings.TrimPrefix(out.String(), start); have != c.want {
				t.Errorf("it %s: have\n%swant\n%s", c.it, have, c.want)
			}
		})
	}
}

// TestWaitLines checks the fields of a wait's lines that verdicts do not have.
func TestWaitLines(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	web := observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "web", Cluster: "east"}
	progress := status.Result{Status: status.InProgressStatus, Reason: "NotAvailable"}
	for _, c := range []struct {
		it   string
		u    observe.Update
		want map[string]any
	}{
		{"says since when an object cannot be looked at", observe.Update{StaleSince: began}, map[string]any{"stale": true, "staleSince": "2026-11-21T12:00:00Z"}},
		{"says that it is ignored", observe.Update{Progress: observe.ProgressIgnored}, map[string]any{"ignored": true, "met": false}},
		{"says that its time is over", observe.Update{Progress: observe.ProgressTimedOut}, map[string]any{"late": true, "met": false}},
		{"says that it has left", observe.Update{Progress: observe.ProgressIgnored, Removed: true}, map[string]any{"left": true, "ignored": nil}},
		{"says nothing of it otherwise", observe.Update{Progress: observe.ProgressReached}, map[string]any{"met": true, "stale": nil, "ignored": nil, "late": nil, "left": nil}},
	} {
		var out bytes.Buffer
		p := NewJSON(Config{Out: &out, EventTime: func() time.Time { return began }})
		p.SetTargets([]Target{{Target: web}})
		c.u.Target, c.u.Result = web, progress
		if err := p.Update(NewEvent(c.u), nil); err != nil {
			t.Fatal(err)
		}
		var have map[string]any
		if err := json.Unmarshal(out.Bytes(), &have); err != nil {
			t.Fatal(err)
		}
		for field, want := range c.want {
			if have[field] != want {
				t.Errorf("it %s: %s is %v, want %v", c.it, field, have[field], want)
			}
		}
		if id, _ := have["id"].(map[string]any); id["cluster"] != "east" {
			t.Errorf("it %s: the cluster is %v, want east", c.it, id["cluster"])
		}
	}
}

// A verdict that rests only on words or on a hint for its kind has grounds, since a rule of the
// user may be better.
func TestEvidenceText(t *testing.T) {
	for _, row := range []struct {
		name, version, kind string
		status              map[string]any
		want                string
	}{
		{"an unknown word", "example.com/v1", "Widget", map[string]any{"phase": "Steeped"}, ""},
		{"a built-in rule of medium confidence", "networking.k8s.io/v1", "Ingress", nil, ""},
		{"a word", "example.com/v1", "Widget", map[string]any{"phase": "Booting"}, "judged by the words of its status"},
		{"a count", "example.com/v1", "Widget", map[string]any{"readyNodes": 1, "totalNodes": 3}, "judged by the words of its status"},
		{"a summary", "example.com/v1", "Widget", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False"}}}, ""},
		{"a summary that is known and not there", "cert-manager.io/v1", "Certificate", map[string]any{"revision": 1}, "judged by the hint for its kind"},
		{"a rule", "v1", "Pod", map[string]any{"phase": "Pending"}, ""},
	} {
		obj := status.Map{"apiVersion": row.version, "kind": row.kind, "metadata": map[string]any{"name": "x"}, "status": row.status}
		r, err := status.Compute(obj)
		if err != nil {
			t.Fatal(err)
		}
		if got := evidenceText(*r); got != row.want {
			t.Errorf("%s: have %q, want %q, of %s by %s, %s", row.name, got, row.want, r.Reason, r.Rule, r.Confidence)
		}
	}
}

// The suggested command contains no text from an invalid kind.
func TestHintsOmitInvalidKinds(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for kind, want := range map[string]bool{"Widget": true, "Widget --server=https://evil.example": false, "--token": false} {
		var out bytes.Buffer
		l := NewLog(Config{Out: &out, EventTime: func() time.Time { return began }, Began: began})
		target := observe.Target{Kind: status.Kind{Group: "example.com", Kind: kind}, Name: "x"}
		l.SetTargets([]Target{{Target: target}})
		l.MarkReported(target)
		b := new(observe.Board)
		b.Add(observe.Update{Target: target, Result: status.Result{Status: status.InProgressStatus, Rule: "report"}})
		if err := l.notMet(b, Result{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "by the hint for its kind") || strings.Contains(out.String(), "--explain-rule "+target.Kind.String()+";") != want {
			t.Errorf("of kind %q it prints %q", kind, out.String())
		}
	}
}

// After an error response of the server, the log does not say that the server did not respond.
func TestServerErrorsCountAsResponses(t *testing.T) {
	for _, row := range []struct {
		it   string
		end  Result
		want string
	}{
		{"has answered", Result{Code: exit.Missing, Err: errors.New("no release of that name")}, ""},
		{"has not", Result{Code: exit.Uncertain, Cut: true, Err: errors.New("connection refused")}, "00:00 NOT MET     helm/none: the API server has not responded yet\n"},
	} {
		var out bytes.Buffer
		l := NewLog(Config{Out: &out, Quiet: true, Began: liveStart, EventTime: func() time.Time { return liveStart }, Brief: Brief{Request: output.Summary{Names: []string{"helm/none"}}}})
		if err := l.unread(row.end); err != nil {
			t.Fatal(err)
		}
		if out.String() != row.want {
			t.Errorf("a server that %s: have %q, want %q", row.it, out.String(), row.want)
		}
	}
}
