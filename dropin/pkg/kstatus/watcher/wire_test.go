package watcher_test

import (
	"context"
	"testing"

	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
)

// A wire is a cluster whose watches are recorded.
type wire struct{ *clustertest.Cluster }

// inBubble runs a test against a server. Time advances only while all goroutines wait.
func inBubble(t *testing.T, test func(w *wire)) {
	t.Helper()
	clustertest.Run(t, func(c *clustertest.Cluster) { test(&wire{c}) })
}

// inModes runs a test in both modes.
func inModes(t *testing.T, test func(w *wire, mode dropin.Mode)) {
	t.Helper()
	for _, mode := range []dropin.Mode{dropin.Compat, dropin.Right} {
		t.Run(mode.String(), func(t *testing.T) {
			inBubble(t, func(w *wire) { test(w, mode) })
		})
	}
}

// watch starts a watch in a mode, which ends with the test.
func (w *wire) watch(mode dropin.Mode, change func(*watcher.DefaultStatusWatcher), targets ...string) *clustertest.Events {
	w.Helper()
	return w.watchIn(watcher.RESTScopeAutomatic, mode, change, clustertest.IDs(w.T, targets...))
}

// watchIn is watch with a strategy.
func (w *wire) watchIn(s watcher.RESTScopeStrategy, mode dropin.Mode, change func(*watcher.DefaultStatusWatcher), targets object.ObjMetadataSet) *clustertest.Events {
	w.Helper()
	client, err := dynamic.NewForConfig(w.REST)
	if err != nil {
		w.Fatal(err)
	}
	d := watcher.NewDefaultStatusWatcher(client, w.Mapper)
	d.Mode = mode
	if change != nil {
		change(d)
	}
	return w.Receive(func(ctx context.Context) <-chan event.Event {
		return d.Watch(ctx, targets, watcher.Options{RESTScopeStrategy: s})
	})
}
