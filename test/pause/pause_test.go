package pause

import (
	"context"
	"slices"
	"testing"
	"time"

	"kstatus.dev/kube/pause"
)

func contextUntil(stop <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-stop
		cancel()
	}()
	return ctx, cancel
}

// goUntilEnd runs a function until the test ends, and waits for it.
func (f *fixture) goUntilEnd(do func(stop <-chan struct{})) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		do(stop)
	}()
	f.Cleanup(func() {
		close(stop)
		<-ended
	})
}

// states returns the objects of a result as "Kind/name State Reason".
func states(r *pause.Result) (all []string) {
	for _, o := range r.Objects {
		name := o.Kind + "/" + o.Name
		all = append(all, name+" "+string(o.State)+" "+string(o.Reason))
	}
	slices.Sort(all)
	return all
}

func TestPauseAndUnpause(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.createShop()
	target := pause.ClusterTarget(f.ns, "shop")
	r, err := pause.Pause(t.Context(), f.c.Config(), []pause.Target{target}, pause.Options{Timeout: 2 * time.Minute,
		OnNote: func(n string) { t.Log(n) }, OnChange: func(o pause.Object) { t.Log(o.Target, o.State, o.Reason, o.Message) }})
	if err != nil || !r.Done() {
		t.Fatalf("%v %+v", err, r.Targets)
	}
	t.Logf("%s, %d requests\n%s\n%+v", r.Duration, r.Requests, join(states(r)), r.Targets)
	t.Logf("%v %v", isPaused(f.get(clusters, "shop")), f.get(clusters, "shop").GetAnnotations())
	r, err = pause.Unpause(t.Context(), f.c.Config(), []pause.Target{target}, pause.Options{Timeout: 2 * time.Minute,
		OnNote: func(n string) { t.Log(n) }, OnChange: func(o pause.Object) { t.Log(o.Target, o.State, o.Reason, o.Message) }})
	if err != nil || !r.Done() {
		t.Fatalf("%v %+v", err, r.Targets)
	}
	t.Logf("%s, %d requests\n%s\n%+v", r.Duration, r.Requests, join(states(r)), r.Targets)
	t.Logf("%v %v", isPaused(f.get(clusters, "shop")), f.get(clusters, "shop").GetAnnotations())
}
