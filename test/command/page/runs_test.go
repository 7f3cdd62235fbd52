package page

import (
	"fmt"
	"strings"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

var began = time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)

// An objectHistory is the history of an object.
type objectHistory struct {
	group, kind, namespace, name string
	steps                        []step
}

// A step is one change: its time in seconds, its word, and its message.
type step struct {
	at   float64
	word string
	text string
}

// newRun creates a run from lives, with a length in seconds.
func newRun(seconds float64, outcome string, code int, causes []explain.Cause, lives ...objectHistory) *report.Run {
	r := report.New(report.Start{
		Time: began, Version: "kstatus v0.1.0", Goal: []string{"current"}, Timeout: "5m0s", Profile: "default", Contexts: []string{"production"},
		Command: []string{"kstatus", "wait", "-f", "shop/", "--report", "html=shop.html"},
	})
	b := new(observe.Board)
	at := func(s float64) time.Time { return began.Add(time.Duration(s * float64(time.Second))) }
	for i, l := range lives {
		r.AddTarget(l.target(), &report.Source{File: "shop/" + l.name + ".yaml", Line: 1 + i})
	}
	for _, l := range lives {
		for _, s := range l.steps {
			u := s.update()
			u.Target = l.target()
			b.Add(u)
			r.AddUpdate(u, at(s.at))
		}
	}
	r.AddExplanation(&explain.Explanation{Causes: causes, Gaps: []explain.Gap{{Subject: "events in namespace payments", Reason: "forbidden (list events)"}}})
	r.End(b, report.Result{Time: at(seconds), Outcome: outcome, ExitCode: code})
	return r
}

func (l objectHistory) target() observe.Target {
	return observe.TargetOf(l.id())
}

func (l objectHistory) id() status.ID {
	return status.ID{Kind: status.Kind{Group: l.group, Kind: l.kind}, Namespace: l.namespace, Name: l.name}
}

func (s step) update() observe.Update {
	u := observe.Update{Progress: observe.ProgressPending, Result: status.Result{Status: status.Status(s.word), Reason: "NotAvailable", Message: s.text, Rule: "kind"}}
	switch s.word {
	case "Current":
		u.Progress, u.Result.Reason, u.Result.Confidence = observe.ProgressReached, "Available", status.ConfidenceExplicit
	case "Assumed":
		u.Progress, u.Result.Status, u.Result.Confidence = observe.ProgressReached, status.CurrentStatus, status.ConfidenceAssumed
	case "Failing":
		u.Progress, u.Result.Status, u.Result.Failure = observe.ProgressFailing, status.InProgressStatus, status.FailureRecoverable
	case "Failed":
		u.Progress, u.Result.Failure = observe.ProgressFailed, status.FailureRecoverable
		u.Evidence = []status.Read{{Path: "status.availableReplicas", Value: int64(2)}, {Path: "spec.replicas", Value: int64(3)}}
	case "Unknown":
		u.Progress, u.Result.Reason = observe.ProgressUnreadable, "Forbidden"
	}
	return u
}

func deployment(name string, steps ...step) objectHistory {
	return objectHistory{"apps", "Deployment", "shop", name, steps}
}

// shop returns a typical run: some objects become ready, one crashes, others wait for it.
func shop() *report.Run {
	api := deployment("api", step{.4, "InProgress", "0/3 available"}, step{9, "InProgress", "1/3 available"}, step{15, "InProgress", "2/3 available"},
		step{31, "Failing", "2/3 available; Pod api-7c9f-x2x4p: CrashLoopBackOff: container api exits with code 1 (4 restarts)"},
		step{61, "Failed", "2/3 available; Pod api-7c9f-x2x4p: CrashLoopBackOff: container api exits with code 1 (5 restarts)"})
	tls := objectHistory{"cert-manager.io", "Certificate", "shop", "web-tls", []step{{.3, "InProgress", "Ready is False: Issuing certificate as Secret does not exist"}}}
	ingress := objectHistory{"networking.k8s.io", "Ingress", "shop", "web", []step{{.3, "InProgress", "no address yet"}, {22, "InProgress", "backend Service api has no endpoints that are ready"}}}
	db := objectHistory{"apps", "StatefulSet", "shop", "db", []step{{.4, "InProgress", "0/3 ready"}, {12, "InProgress", "1/3 ready"}, {27, "InProgress", "2/3 ready"}, {44, "Current", "3/3 ready"}}}
	return newRun(61.4, "failed", 3, []explain.Cause{crash(api.id(), ingress.id())}, api, ingress, tls,
		objectHistory{"", "Secret", "payments", "stripe-key", []step{{.2, "Unknown", `secrets "stripe-key" is forbidden: User "ci" cannot get it`}}}, db,
		deployment("web", step{.4, "InProgress", "0/2 available"}, step{8, "InProgress", "1/2 available"}, step{14, "Current", "2/2 available"}),
		deployment("worker", step{.4, "InProgress", "0/4 available"}, step{19, "Failing", "container worker cannot pull its image"}, step{26, "InProgress", "2/4 available"}, step{33, "Current", "4/4 available"}),
		objectHistory{"batch", "Job", "shop", "migrate", []step{{.5, "InProgress", "1 active"}, {11, "Current", "it has completed"}}},
		objectHistory{"shop.example.com", "Catalog", "shop", "main", []step{{.3, "InProgress", "its controller has not reported yet"}, {30.3, "Assumed", "its status does not show whether it is ready"}}},
		objectHistory{"", "Service", "shop", "api", []step{{.2, "Current", "it has an address"}}},
		objectHistory{"", "Service", "shop", "web", []step{{.2, "Current", "it has an address"}}},
		objectHistory{"", "ConfigMap", "shop", "api-config", []step{{.2, "Current", "its kind has no status"}}},
		objectHistory{"", "ConfigMap", "shop", "web-config", []step{{.2, "Current", "its kind has no status"}}},
		objectHistory{"", "PersistentVolumeClaim", "shop", "data-db-0", []step{{.3, "InProgress", "Pending"}, {4, "Current", "Bound"}}})
}

// crash is the cause of a container that exits at once.
func crash(blocked ...status.ID) explain.Cause {
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

// many returns a run of n objects that are in progress for a while.
func many(n int) *report.Run {
	lives := make([]objectHistory, n)
	for i := range lives {
		kind := []string{"Deployment", "StatefulSet", "Job", "Service"}[i%4]
		l := objectHistory{"apps", kind, fmt.Sprintf("team-%d", i%20), fmt.Sprintf("web-%04d", i), nil}
		for k := range 5 {
			l.steps = append(l.steps, step{float64(k)*9 + float64(i%7), "InProgress", fmt.Sprintf("%d/5 available, generation %d observed", k, i)})
		}
		if i%50 == 0 {
			l.steps = append(l.steps, step{55, "Failed", "it has timed out progressing"})
		} else {
			l.steps = append(l.steps, step{55, "Current", "5/5 available"})
		}
		lives[i] = l
	}
	return newRun(60, "failed", 3, []explain.Cause{crash(lives[0].id())}, lives...)
}

// Hostile texts from a cluster.
const markupText = `</script><script>owned()</script><img src=x onerror="owned()"><svg onload=owned()>"'><a href="javascript:owned()">x</a>` +
	"\u202eback\u2066\x1b[31m\x00\u2028${owned()}`{{owned}}<!-- "

// hostile returns a run with hostile text in every field that comes from a cluster.
func hostile() *report.Run {
	l := objectHistory{markupText, markupText, markupText, markupText, []step{{1, "InProgress", markupText}, {2, "Failed", strings.Repeat(markupText, 2000)}}}
	c := crash(l.id())
	c.Text, c.Kind, c.Chain[0].Text, c.Chain[0].Status, c.Chain[1].ID = markupText, markupText, markupText, markupText, l.id()
	c.Evidence[0].Path, c.Evidence[1].Value, c.Evidence[1].From, c.Evidence[2].Lines = markupText, markupText, markupText, []string{markupText}
	c.Changed, c.Next = []string{markupText}, []string{markupText}
	proto := objectHistory{"", "Pod", "__proto__", "constructor", []step{{1, "toString", "a word that no status is"}}}
	return newRun(3, "failed", 3, []explain.Cause{c}, l, proto)
}
