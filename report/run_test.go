package report

import (
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// began is the start time of test runs.
var began = time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)

func timeAt(d time.Duration) time.Time { return began.Add(d) }

func target(group, kind, namespace, name string) observe.Target {
	return observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}
}

// A step is an update with its time.
type step struct {
	at time.Duration
	u  observe.Update
}

// recordSteps records steps in a run of objects from files.
func recordSteps(start Start, from map[observe.Target]*Source, steps ...step) (*Run, *observe.Board) {
	r, b := New(start), new(observe.Board)
	for _, s := range steps {
		if r.byTarget[s.u.Target] == nil {
			r.AddTarget(s.u.Target, from[s.u.Target])
		}
	}
	for _, s := range steps {
		b.Add(s.u)
		r.AddUpdate(s.u, timeAt(s.at))
	}
	return r, b
}

// empty returns a run without objects.
func empty() *Run {
	r := New(Start{Time: began})
	r.End(new(observe.Board), Result{Time: timeAt(time.Hour), Outcome: "missing", ExitCode: 5})
	return r
}

// failing returns a failed run: a container crashes repeatedly, and its owners are not ready.
func failing() *Run {
	api, web := target("apps", "Deployment", "shop", "api"), target("apps", "Deployment", "shop", "web")
	db, tls := target("apps", "StatefulSet", "shop", "db"), target("cert-manager.io", "Certificate", "shop", "web-tls")
	config, catalog := target("", "ConfigMap", "shop", "api-config"), target("shop.example.com", "Catalog", "shop", "main")
	optional, hidden := target("", "Service", "shop", "metrics"), target("", "Secret", "shop", "db-creds")
	current := status.Result{Status: status.CurrentStatus, Reason: "NoStatusExpected", Message: "its kind has no status", Confidence: status.ConfidenceExplicit, Rule: "kind"}
	available := status.Result{Status: status.CurrentStatus, Reason: "Available", Message: "2/2 available", Confidence: status.ConfidenceExplicit, Rule: "kind"}
	assumed := status.Result{Status: status.CurrentStatus, Reason: "NoControllerEvidence", Message: "its status does not show whether it is ready", Confidence: status.ConfidenceAssumed, Rule: "expectation"}
	progress := func(text string) status.Result {
		return status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: text, Confidence: status.ConfidenceExplicit, Rule: "kind"}
	}
	crash := progress("2/3 available; Pod api-7c9f-x2x4p: CrashLoopBackOff: container api exits with code 1 (4 restarts)")
	crash.Reason, crash.Failure = "CrashLoop", status.FailureRecoverable
	failed := crash
	failed.Status = status.FailedStatus
	forbidden := status.Result{Status: status.UnknownStatus, Reason: "Forbidden", Message: `secrets "db-creds" is forbidden: User "ci" cannot get it`}
	reads := []status.Read{{Path: "status.availableReplicas", Value: int64(2)}, {Path: "spec.replicas", Value: int64(3)}}
	from := map[observe.Target]*Source{
		api: {"deploy/api.yaml", 12}, web: {"deploy/web.yaml", 1}, db: {"deploy/db.yaml", 30}, tls: {"deploy/tls.yaml", 4},
		config: {"deploy/api.yaml", 1}, catalog: {"deploy/catalog.yaml", 1}, optional: {"deploy/web.yaml", 40}, hidden: {"deploy/db.yaml", 1},
	}
	start := Start{
		Time: began, Version: "v0.1.0", Command: []string{"kstatus", "wait", "-f=deploy/", "--timeout=10m"}, Goal: []string{"current"},
		Timeout: "10m0s", Profile: "default",
	}
	r, b := recordSteps(start, from,
		step{200 * time.Millisecond, observe.Update{Target: config, Result: current, Progress: observe.ProgressReached}},
		step{200 * time.Millisecond, observe.Update{Target: catalog, Result: progress("its controller has not reported yet"), Progress: observe.ProgressPending}},
		step{210 * time.Millisecond, observe.Update{Target: hidden, Result: forbidden, Progress: observe.ProgressUnreadable}},
		step{300 * time.Millisecond, observe.Update{Target: optional, Result: progress("no endpoints"), Progress: observe.ProgressIgnored}},
		step{400 * time.Millisecond, observe.Update{Target: web, Result: progress("0/2 available"), Progress: observe.ProgressPending}},
		step{500 * time.Millisecond, observe.Update{Target: api, Result: progress("0/3 available"), Progress: observe.ProgressPending}},
		step{500 * time.Millisecond, observe.Update{Target: db, Result: progress("1/3 ready"), Progress: observe.ProgressPending}},
		step{600 * time.Millisecond, observe.Update{Target: tls, Result: progress("Ready is False: Issuing certificate as Secret does not exist"), Progress: observe.ProgressPending, Synced: true}},
		step{9 * time.Second, observe.Update{Target: web, Result: progress("1/2 available"), Progress: observe.ProgressPending}},
		step{14 * time.Second, observe.Update{Target: web, Result: available, Progress: observe.ProgressReached}},
		step{20 * time.Second, observe.Update{Target: api, Result: progress("2/3 available"), Progress: observe.ProgressPending}},
		step{30 * time.Second, observe.Update{Target: catalog, Result: assumed, Progress: observe.ProgressReached}},
		step{31 * time.Second, observe.Update{Target: api, Result: crash, Progress: observe.ProgressFailing, FailsAt: timeAt(61 * time.Second), Evidence: reads}},
		step{40 * time.Second, observe.Update{Target: db, Result: progress("2/3 ready"), Progress: observe.ProgressPending}},
		step{61 * time.Second, observe.Update{Target: api, Result: failed, Progress: observe.ProgressFailed, Evidence: reads}},
	)
	r.AddExplanation(&explain.Explanation{
		Causes: []explain.Cause{crashing(api.ID(), tls.ID())},
		Gaps:   []explain.Gap{{Subject: "events in namespace db", Reason: "forbidden (list events)"}},
	})
	r.End(b, Result{Time: timeAt(61200 * time.Millisecond), Outcome: "failed", ExitCode: 3})
	return r
}

// crashing returns the cause of a container that crashes at once.
func crashing(blocked ...status.ID) explain.Cause {
	set := status.ID{Kind: status.Kind{Group: "apps", Kind: "ReplicaSet"}, Namespace: "shop", Name: "api-7c9f"}
	pod := status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "api-7c9f-x2x4p"}
	return explain.Cause{
		Kind: "CrashLoop", Text: `container "api" exits with code 1 right after start`, Count: 1, Objects: []status.ID{pod}, Blocks: blocked, Certain: true,
		Chain: []explain.Step{
			{ID: blocked[0], Status: status.FailedStatus, Text: "2/3 available, revision 14"},
			{ID: set, Status: status.InProgressStatus, Text: "2/3 ready"},
			{ID: pod, Container: "api", Status: status.FailedStatus, Text: "CrashLoopBackOff, exit 1, 5 restarts"},
		},
		Evidence: []explain.Evidence{
			{From: explain.OriginStatus, Object: pod, Path: ".status.containerStatuses[api].lastState.terminated.exitCode", Value: "1"},
			{From: explain.OriginEvent, Object: pod, Value: "Warning BackOff (x11 in 2m) Back-off restarting failed container api"},
			{From: explain.OriginLog, Object: pod, Log: "api, previous run", Lines: []string{"config: DB_URL is not set", "panic: missing configuration"}},
		},
		Changed: []string{"revision 13 -> 14: image shop/api:1.8.2 -> 1.9.0; env DB_URL removed"},
		Next:    []string{"kubectl -n shop logs api-7c9f-x2x4p -c api --previous", "kubectl -n shop rollout undo deployment/api"},
	}
}
