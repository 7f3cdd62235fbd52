package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

func TestLostCredentialsEndTheWait(t *testing.T) {
	config := live.Cluster(t).Config()
	config.BearerToken = "not-a-token"
	w := observe.Watcher{Source: &source.Cluster{Client: clientOf(t, config, live.Cluster(t).Config())}}
	_, _, err := w.Wait(t.Context(), observe.Policy{}, manifest.Target("", "ConfigMap", "default", "x"))
	if err == nil || !strings.HasPrefix(err.Error(), "wait: the credentials are not accepted: ") {
		t.Errorf("have %v", err)
	}
}

func TestServerOutOfReach(t *testing.T) {
	config := &rest.Config{Host: "https://127.0.0.1:1"}
	w := observe.Watcher{Source: &source.Cluster{Client: clientOf(t, config, live.Cluster(t).Config())}}
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout) // without Once, a wait has no end
	defer cancel()
	outcome, _, err := w.Wait(ctx, observe.Policy{Once: true}, manifest.Target("", "ConfigMap", "default", "x"))
	if err != nil || outcome != observe.OutcomeUnknown || ctx.Err() != nil {
		t.Errorf("have %s, %v, %v, want %s", outcome, err, ctx.Err(), observe.OutcomeUnknown)
	}
}

// The known state survives faults of the server: a restart, and objects that were deleted and
// created during the outage.
func TestWaitOutlivesARestartOfTheServer(t *testing.T) {
	t.Parallel()
	c, err := cluster.Start(t.Context(), cluster.Options{Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	}()
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("stays")+"---\n"+manifest.ConfigMap("goes"))
	targets := []observe.Target{manifest.Target("", "ConfigMap", ns, "stays"), manifest.Target("", "ConfigMap", ns, "goes"), manifest.Target("", "ConfigMap", ns, "comes")}
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var seen []string
	restarted := false
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, targets...) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Synced && !restarted {
			restarted = true
			if err := c.Restart(ctx, cluster.APIServer); err != nil {
				t.Fatal(err)
			}
			c.Delete(t, ns, manifest.ConfigMap("goes"))
			c.Apply(t, ns, manifest.ConfigMap("comes"))
			continue
		}
		if restarted {
			seen = append(seen, u.Target.Name+" "+string(u.Result.Reason))
		}
		if len(seen) == 2 {
			break
		}
	}
	text := strings.Join(seen, ", ")
	if text != "goes Deleted, comes NoStatusExpected" && text != "comes NoStatusExpected, goes Deleted" {
		t.Errorf("after the restart: have %s", text)
	}
}

// A wait finds a kind that is defined later, and reads the expectations from its definition.
// When the definition is removed, its objects are gone.
func TestKindsThatComeAndGo(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	group := ns + ".example.org"
	definition := manifest.Definition(group, "Widget", manifest.V1("status: {type: object, properties: {phase: {type: string}}}"))
	widget := manifest.Object(group+"/v1", "Widget", "w")
	w := observe.Watcher{Source: &source.Cluster{Config: c.Config()}}
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var seen []string
	for u, err := range w.Updates(ctx, manifest.Target(group, "Widget", ns, "w")) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, string(u.Result.Reason))
		switch u.Result.Reason {
		case "NoMatch":
			c.Apply(t, ns, definition+"---\n"+widget)
		case "NotObserved":
			c.Delete(t, ns, definition)
		case "KindRemoved":
			cancel()
		}
	}
	// Between the definition and the object, and before its end, more updates are possible.
	text := strings.Join(seen, " ")
	for _, skip := range []string{"NeverSeen ", "Finalizers ", "Deleting ", "Deleted "} {
		text = strings.ReplaceAll(text, skip, "")
	}
	if text != "NoMatch NotObserved KindRemoved" {
		t.Errorf("have %s, want NoMatch NotObserved KindRemoved", strings.Join(seen, " "))
	}
}

func TestCauseOfATimeoutIsKept(t *testing.T) {
	c := live.Cluster(t)
	cause := errors.New("lunch")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, cause)
	defer cancel()
	outcome, _, err := observe.Watcher{Source: &source.Cluster{Config: c.Config()}}.Wait(ctx, observe.Policy{}, manifest.Target("", "Node", "", "nope"))
	if err != nil || outcome != observe.OutcomeInterrupted {
		t.Errorf("have %s, %v, want %s", outcome, err, observe.OutcomeInterrupted)
	}
}
