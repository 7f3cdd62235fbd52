package waitview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// logOf returns the log of updates at the start, and of a result.
func logOf(t *testing.T, config Config, e Result, updates ...observe.Update) string {
	t.Helper()
	var out bytes.Buffer
	config.Out, config.Began, config.EventTime = &out, liveStart, func() time.Time { return liveStart }
	l := NewLog(config)
	b := new(observe.Board)
	var all []Target
	for _, u := range updates {
		all = append(all, Target{Target: u.Target})
	}
	l.SetTargets(all)
	for i, u := range updates {
		u.Since, u.Synced = liveStart, i == len(updates)-1
		b.Add(u)
		if err := l.Update(NewEvent(u), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := Finish(l, b, e); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A line says whether an object meets the goals, if its status alone would mislead.
func TestWordsOfGoals(t *testing.T) {
	look := Config{Brief: Brief{Goals: []observe.Goal{{Name: "condition=Fancy"}}}}
	settings := targetOf("ConfigMap", "", "settings")
	web := targetOf("Deployment", "apps", "web")
	for _, c := range []struct {
		it   string
		u    observe.Update
		code exit.Code
		want string
	}{
		{"says that what was to be deleted is gone", observe.Update{
			Target: settings, Progress: observe.ProgressReached, Result: status.Result{Status: status.NotFoundStatus, Reason: "Deleted", Message: "it was deleted"},
		}, exit.OK, "00:00 Gone        ConfigMap/shop/settings\n00:00 RESULT      ok: 1 gone, took 0s\n"},
		{"says so of what has lost its type", observe.Update{
			Target: settings, Progress: observe.ProgressReached, Result: status.Result{Status: status.UnknownStatus, Reason: "NoMatch", Message: "the cluster does not serve it"},
		}, exit.OK, "00:00 Gone        ConfigMap/shop/settings\n00:00 RESULT      ok: 1 gone, took 0s\n"},
		{"says that a goal about something else than the status is met", observe.Update{
			Target: web, Progress: observe.ProgressReached, Result: status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: "0/1 available"},
		}, exit.OK, "00:00 Met         Deployment/shop/web: InProgress; 0/1 available\n00:00 RESULT      ok: 1 met, took 0s\n"},
		{"says that what is Current does not meet its goal", observe.Update{
			Target: web, Progress: observe.ProgressPending, Unmet: "it has no condition Fancy",
			Result: status.Result{Status: status.CurrentStatus, Reason: "Reconciled", Message: "1/1 available", Confidence: status.ConfidenceStrong},
		}, exit.Timeout, "00:00 Unmet       Deployment/shop/web: Current; it has no condition Fancy\n" +
			"00:00 NOT MET     Deployment/shop/web: Current, Reconciled: 1/1 available; it has no condition Fancy\n" +
			"00:00 RESULT      timeout: 1 unmet, took 0s, exit 4\n"},
		{"says nothing of the goal to be Current", observe.Update{
			Target: web, Progress: observe.ProgressReached, Result: status.Result{Status: status.CurrentStatus, Confidence: status.ConfidenceStrong},
		}, exit.OK, "00:00 Current     Deployment/shop/web\n00:00 RESULT      ok: 1 current, took 0s\n"},
		{"says how an object that was deleted may come back", observe.Update{
			Target: web, Progress: observe.ProgressFailing, FailsAt: liveStart.Add(time.Minute),
			Result: status.Result{Status: status.NotFoundStatus, Reason: "Deleted", Message: "it was deleted"},
		}, exit.Failed, "00:00 NotFound    Deployment/shop/web: it was deleted; fails at 01:00 unless it is created again\n00:00 RESULT      failed: 1 not found, took 0s, exit 3\n"},
	} {
		if have := logOf(t, look, Result{Code: c.code, Cut: c.code == exit.Timeout}, c.u); have != c.want {
			t.Errorf("it %s: have\n%swant\n%s", c.it, have, c.want)
		}
	}
}

// hundredUpdates returns updates about a hundred Deployments, one of which has failed.
func hundredUpdates() (all []observe.Update) {
	for i := range 100 {
		all = append(all, observe.Update{
			Target: targetOf("Deployment", "apps", fmt.Sprintf("web-%02d", i)), Progress: observe.ProgressPending,
			Result: status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: "0/1 available"},
		})
	}
	all[50].Progress, all[50].Result = observe.ProgressFailed, status.Result{Status: status.FailedStatus, Reason: "ProgressDeadlineExceeded", Message: "it took too long", Failure: status.FailureRecoverable}
	return all
}

func TestSimilarObjectsAreListedInPart(t *testing.T) {
	have := logOf(t, Config{}, Result{Code: exit.Timeout, Cut: true}, hundredUpdates()...)
	for _, want := range []string{
		"00:00 InProgress  99: Deployment 99; such as Deployment/shop/web-00: 0/1 available\n",
		"00:00 Failed      Deployment/shop/web-50: it took too long\n",
		"00:00 NOT MET     Deployment/shop/web-50: Failed, ProgressDeadlineExceeded: it took too long\n00:00 NOT MET     Deployment/shop/web-00: InProgress",
		"00:00 NOT MET     and 89 more alike: InProgress, NotAvailable (--progress=full lists all)\n",
	} {
		if !strings.Contains(have, want) {
			t.Errorf("want %q in\n%s", want, have)
		}
	}
	if n := strings.Count(have, "\n"); n != 15 {
		t.Errorf("%d lines, want 15:\n%s", n, have)
	}
	if full := logOf(t, Config{Full: true}, Result{Code: exit.Timeout, Cut: true}, hundredUpdates()...); strings.Count(full, "\n") != 201 {
		t.Errorf("the full log has %d lines, want 201", strings.Count(full, "\n"))
	}
}

// The alternating messages about an image that cannot be pulled are printed once.
func TestPullErrorsThatAlternateArePrintedOnce(t *testing.T) {
	const pulling, waiting = `ErrImagePull: container c: no such host`, `ImagePullBackOff: container c: Back-off pulling image "x"`
	pod := func(message string) observe.Update {
		return observe.Update{Target: targetOf("Pod", "", "web"), Progress: observe.ProgressFailing, Result: status.Result{Status: status.InProgressStatus, Reason: imagePull, Message: message}}
	}
	owner := func(counts, message string) observe.Update {
		return observe.Update{Target: targetOf("Deployment", "apps", "web"), Progress: observe.ProgressFailing,
			Result: status.Result{Status: status.InProgressStatus, Reason: imagePull, Message: counts}, Parts: &status.Parts{Count: 1, Kind: "Pod", Name: "web", Reason: imagePull, Message: message}}
	}
	var out bytes.Buffer
	now := liveStart
	l := NewLog(Config{Out: &out, Began: liveStart, EventTime: func() time.Time { return now }})
	l.SetTargets(nil)
	b := new(observe.Board)
	for i, u := range []observe.Update{
		pod(pulling), owner("0/2 available", pulling), pod(waiting), owner("0/2 available", waiting), pod(pulling), owner("0/2 available", pulling),
		owner("1/2 available", waiting), owner("1/2 available", pulling),
	} {
		now, u.Synced = liveStart.Add(time.Duration(i)*10*time.Second), true
		b.Add(u)
		if err := l.Update(NewEvent(u), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.End(b, Result{Code: exit.Failed}); err != nil {
		t.Fatal(err)
	}
	want := "00:00 Failing     Pod/shop/web: ErrImagePull: container c: no such host\n" +
		"00:10 Failing     Deployment/shop/web: 0/2 available; Pod web: ErrImagePull: container c: no such host\n" +
		"01:00 Failing     Deployment/shop/web: 1/2 available; Pod web: ImagePullBackOff: container c: Back-off pulling image \"x\"\n"
	if out.String() != want {
		t.Errorf("have\n%swant\n%s", &out, want)
	}
}

// On a terminal of any width, long lines are wrapped at words.
func TestLinesOfALogAreCutAtWords(t *testing.T) {
	u := hundredUpdates()[0]
	u.Result.Message = "Job has reached the specified backoff limit"
	for _, columns := range []int{25, 30, 39, 60, 80, 200} {
		have := logOf(t, Config{Columns: columns, Page: terminal.Page{Style: terminal.Style{Width: columns}}}, Result{Code: exit.Timeout, Cut: true}, u)
		for line := range strings.Lines(have) {
			if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > columns {
				t.Errorf("%d columns of %d: %q", n, columns, line)
			}
		}
		for _, word := range strings.Fields(u.Result.Message) {
			if !strings.Contains(have, word) {
				t.Errorf("at %d columns %q is cut:\n%s", columns, word, have)
			}
		}
	}
}
