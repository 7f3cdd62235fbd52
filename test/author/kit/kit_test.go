package kit

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	peer "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/status"
)

var servers = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, "ServerUp", "Degraded"),
	conditions.Positive("ServerUp", "Running", "Creating"),
	conditions.Negative("Degraded", "DiskFull", "Healthy"),
	conditions.PresentOnlyWhenTrue(wellknown.TypeStalled),
	conditions.Neutral(wellknown.TypePaused),
).WithOptions(conditions.Options{Kind: version.WithKind("Server"), Strict: true, MaxAttempts: 50})

func reportReady(p *conditions.Pass) {
	p.True("ServerUp", "Running", "")
	p.False("Degraded", "Healthy", "")
}

// The steps of a life, each with its expected number of status requests. Every reader sees what
// the kit promises.
func TestRequestsPerObject(t *testing.T) {
	for name, set := range map[string]*conditions.Set{
		"by merge patch": servers,
		"by apply": servers.WithOptions(conditions.Options{Kind: version.WithKind("Server"), Strict: true,
			ServerSideApply: &conditions.ServerSideApply{FieldOwner: "kit", Fields: []string{"addresses"}}}),
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t)
			clock := conditionstest.NewClock(time.Now()) // the steps are minutes apart
			set := conditionstest.StrictSet(set, clock)
			recorder := conditionstest.NewRecorder(b.writer(), "kit", clock.Now)
			recorder.Kind = version.WithKind("Server")
			err := recorder.RecordChange(b.obj, audit.WriteAdded)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				name   string
				say    func(*conditions.Pass)
				writes int64
				ready  metav1.ConditionStatus
			}{
				{"first visit", func(*conditions.Pass) {}, 1, "Unknown"},
				{"second visit", func(*conditions.Pass) {}, 0, "Unknown"},
				{"progress", func(p *conditions.Pass) { p.False("ServerUp", "Creating", "asked for it") }, 1, "False"},
				{"message", func(p *conditions.Pass) { p.False("ServerUp", "Creating", "still booting") }, 1, "False"},
				{"ready", func(p *conditions.Pass) {
					reportReady(p)
					p.MarkInitialized("provisioned")
					b.obj.Status.Addresses = []string{"10.0.0.1"}
				}, 1, "True"},
				{"steady", reportReady, 0, "True"},
				{"error", func(p *conditions.Pass) { p.Fail(fmt.Errorf("no answer")) }, 1, "Unknown"},
				{"stalled", func(p *conditions.Pass) {
					p.False("ServerUp", "Creating", "no such size")
					p.True("Stalled", "Broken", "no such size")
				}, 1, "False"},
				{"new spec", func(p *conditions.Pass) { reportReady(p); p.False("Stalled", "Fine", "") }, 1, "True"},
				{"down and up in one pass", func(p *conditions.Pass) { p.False("ServerUp", "Creating", ""); reportReady(p) }, 0, "True"},
				{"paused", func(p *conditions.Pass) { p.Pause("ClusterPaused", "") }, 1, "True"},
				{"still paused", func(p *conditions.Pass) { p.Pause("ClusterPaused", "") }, 0, "True"},
				{"goes on", reportReady, 1, "True"},
			} {
				clock.Advance(time.Minute)
				if step.name == "new spec" {
					if err := b.resize(t.Context(), 3); err != nil {
						t.Fatal(err)
					}
					if b.obj, err = b.read(t.Context()); err != nil {
						t.Fatal(err)
					}
					if err := recorder.RecordChange(b.obj, audit.WriteModified); err != nil {
						t.Fatal(err)
					}
				}
				before := b.writes.Load()
				pass, err := set.Begin(b.obj)
				if err != nil {
					t.Fatal(err)
				}
				step.say(pass)
				told, err := pass.Verdict(status.Evaluator{Profile: status.CompatProfile()})
				if err != nil {
					t.Fatal(err)
				}
				changed, err := pass.Commit(t.Context(), recorder)
				if err != nil {
					t.Fatalf("%s: %v", step.name, err)
				}
				if n := b.writes.Load() - before; n != step.writes || changed != (n > 0) {
					t.Errorf("%s: made %d requests and says %t, want %d", step.name, n, changed, step.writes)
				}
				now, err := b.read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				conditionstest.Assert(t, now.Status.Conditions, metav1.Condition{Type: wellknown.TypeReady, Status: step.ready})
				if have := cliUtilsStatus(t, now); string(told.Status) != have {
					t.Errorf("%s: the kit says that readers see %s, kstatus sees %s", step.name, told.Status, have)
				}
			}
			auditor := audit.New(audit.Options{})
			for _, w := range recorder.Writes() {
				if w.Object["kind"] != "Server" {
					t.Errorf("a write was recorded of kind %v", w.Object["kind"])
				}
				auditor.Add(w)
			}
			for _, f := range auditor.Report().Findings {
				t.Errorf("the auditor finds %s %s: %s", f.Rule, f.Name, f.Evidence)
			}
		})
	}
}

// cliUtilsStatus returns the verdict of the present kstatus on an object.
func cliUtilsStatus(t *testing.T, s *Server) string {
	t.Helper()
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s)
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{Object: content}
	u.SetGroupVersionKind(version.WithKind("Server"))
	result, err := peer.Compute(u)
	if err != nil {
		t.Fatal(err)
	}
	return result.Status.String()
}

// Two controllers report on one object at the same time, each from its last read. Neither loses
// anything, and undeclared conditions stay.
func TestTwoWriters(t *testing.T) {
	b := newFixture(t)
	b.obj.Status.Conditions = []metav1.Condition{{Type: "Scanned", Status: "True", Reason: "Clean", LastTransitionTime: metav1.Now()}}
	if err := b.Status().Update(t.Context(), b.obj); err != nil {
		t.Fatal(err)
	}
	others := conditions.MustSet(conditions.Positive("Backed")).WithOptions(conditions.Options{Strict: true, MaxAttempts: 50})
	start := b.obj.ResourceVersion
	const rounds = 15
	var both sync.WaitGroup
	for typ, set := range map[string]*conditions.Set{"ServerUp": servers, "Backed": others} {
		obj := b.obj.DeepCopyObject().(*Server)
		both.Go(func() {
			for i := range rounds {
				pass, err := set.Begin(obj)
				if err != nil {
					t.Error(err)
					return
				}
				reason := "Running"
				if typ == "Backed" {
					reason = "Saved"
				}
				pass.True(typ, reason, fmt.Sprintf("round %c", 'a'+i))
				if changed, err := pass.Commit(t.Context(), b.writer()); err != nil || !changed {
					t.Errorf("%s, round %d: changed %t, %v", typ, i, changed, err)
				}
			}
		})
	}
	both.Wait()
	now, err := b.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last := fmt.Sprintf("round %c", 'a'+rounds-1)
	conditionstest.Assert(t, now.Status.Conditions,
		metav1.Condition{Type: "ServerUp", Status: "True", Message: last},
		metav1.Condition{Type: "Backed", Status: "True", Message: last},
		metav1.Condition{Type: "Scanned", Status: "True", Reason: "Clean"})
	t.Logf("%d requests for %d changes since version %s", b.writes.Load(), 2*rounds, start)
}

// A watcher sees each version; the spec changes between the reports of the controller.
func TestNoWatcherSeesReadyWithAnOldGeneration(t *testing.T) {
	b := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(version.WithKind("ServerList"))
	watch, err := b.Watch(ctx, list, client.InNamespace(b.obj.Namespace))
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	const specs = 20
	var users sync.WaitGroup
	users.Go(func() {
		for i := range specs {
			if err := b.resize(ctx, int64(i+1)); err != nil {
				t.Error(err)
			}
		}
	})
	edited := make(chan struct{})
	go func() { users.Wait(); close(edited) }()
	reconcile := func() int64 {
		s, err := b.read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		pass, err := servers.Begin(s)
		if err != nil {
			t.Fatal(err)
		}
		reportReady(pass)
		if _, err := pass.Commit(ctx, b.writer()); err != nil {
			t.Fatal(err)
		}
		return s.Generation
	}
	for open := true; open; {
		reconcile()
		select {
		case <-edited:
			open = false
		default:
		}
	}
	reconcile()
	final, err := b.read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if final.Status.ObservedGeneration != final.Generation || final.Generation < specs {
		t.Errorf("observed generation %d of %d in the end", final.Status.ObservedGeneration, final.Generation)
	}
	seen, was, whole := 0, int64(0), false
	for event := range watch.ResultChan() {
		u, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			t.Fatalf("watch: %v", event.Object)
		}
		s := &Server{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, s); err != nil {
			t.Fatal(err)
		}
		seen++
		for _, c := range s.Status.Conditions {
			if c.Type != wellknown.TypeReady || c.Status != metav1.ConditionTrue {
				continue
			}
			// A version with a new generation is the user's; all others are ours.
			if c.ObservedGeneration != s.Status.ObservedGeneration || s.Generation == was && s.Status.ObservedGeneration < s.Generation {
				t.Errorf("version %s: Ready is True of generation %d, observed is %d, the object is at %d",
					s.ResourceVersion, c.ObservedGeneration, s.Status.ObservedGeneration, s.Generation)
			}
		}
		was = s.Generation
		if whole = s.ResourceVersion == final.ResourceVersion; whole {
			break
		}
	}
	if !whole {
		t.Error("the watch ended before the last version")
	}
	t.Logf("%d versions seen", seen)
}
