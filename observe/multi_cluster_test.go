package observe_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
)

// inCluster returns a target in a cluster.
func inCluster(cluster string, t observe.Target) observe.Target {
	t.Cluster = cluster
	return t
}

// sendAndFail sends events and ends with an error a second later.
func sendAndFail(err error, all ...observe.Event) scriptedSource {
	return func(ctx context.Context, report func(observe.Event) bool) error {
		for _, s := range all {
			report(s)
		}
		bubble.Sleep(time.Second)
		return err
	}
}

func TestMultiCluster(t *testing.T) {
	expired := &observe.Unreadable{Reason: "Forbidden", Text: "the token has expired"}
	rows := []struct {
		it      string
		sources map[string]observe.Source
		targets []observe.Target
		want    []string
		err     string
	}{
		{"keeps equal names in different clusters separate", map[string]observe.Source{"x": sendAll(widget("a", "True", "", nil)), "y": sendPaced(missing("a"), widget("a", "False", "", nil))},
			[]observe.Target{inCluster("x", target("a")), inCluster("y", target("a"))},
			[]string{"0s x:Widget/shop/a Current/Reconciled met", "0s y:Widget/shop/a NotFound/NeverSeen missing", "1s y:Widget/shop/a InProgress/SummaryConditionNotTrue open"}, ""},
		{"has selections and parts in each cluster", map[string]observe.Source{"x": sendPaced(member(shops, "a", "False"), listed(shops), crashLoopPod(target("a"), "p", 4))},
			[]observe.Target{inCluster("x", shops)},
			[]string{"0s x:Widget/shop/a InProgress/SummaryConditionNotTrue open", "1s x:Widget/shop/* -l app=web Current/NoStatusExpected met", "2s x:Widget/shop/a InProgress/CrashLoop failing"}, ""},
		{"continues without a failed cluster", map[string]observe.Source{"x": sendAndFail(expired, widget("a", "True", "", nil)), "y": sendAt(timedEvent{2 * time.Second, widget("a", "True", "", nil)})},
			[]observe.Target{inCluster("x", target("a")), inCluster("y", target("a"))},
			[]string{"0s x:Widget/shop/a Current/Reconciled met", "1s x:Widget/shop/a Unknown/Forbidden barred", "2s y:Widget/shop/a Current/Reconciled met"}, ""},
		{"keeps the last verdicts of an unreachable cluster", map[string]observe.Source{"x": sendAndFail(errors.New("cut off"), widget("a", "True", "", nil)), "y": sendAll(missing("a"))},
			[]observe.Target{inCluster("x", target("a")), inCluster("y", target("a"))},
			[]string{"0s x:Widget/shop/a Current/Reconciled met", "0s y:Widget/shop/a NotFound/NeverSeen missing", "1s x:Widget/shop/a Current/Reconciled open"}, ""},
		{"ends when all clusters have failed", map[string]observe.Source{"x": sendAndFail(expired), "y": silentSource{}},
			[]observe.Target{inCluster("y", target("a")), inCluster("x", target("a"))},
			[]string{"0s y:Widget/shop/a Unknown/Transport open", "1s x:Widget/shop/a Unknown/Forbidden barred"},
			"cluster x: the token has expired\ncluster y: the source stopped by itself"},
		{"rejects an unknown cluster", map[string]observe.Source{"x": sendAll()}, []observe.Target{target("a")}, nil, `observe Widget/shop/a: there is no cluster ""`},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // fails if a goroutine remains
				var got []string
				var last error
				start := time.Now()
				for u, err := range (observe.Watcher{Source: observe.MultiCluster(row.sources)}).Updates(contextWithTimeout(t, 10*time.Second), row.targets...) {
					if last = err; err == nil {
						got = append(got, fmt.Sprintf("%s %s %s/%s %s", time.Since(start), u.Target, u.Result.Status, u.Result.Reason, u.Progress))
					}
				}
				sortWithin(got)
				expect(t, got, row.want...)
				if have := fmt.Sprint(last); last != nil && have != row.err || last == nil && row.err != "" {
					t.Errorf("it ends with %q, want %q", have, row.err)
				}
			})
		})
	}
}

// The sources of other clusters end with the watch. The error of the lost cluster can be
// recognized.
func TestMultiClusterEndsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken, ended := errors.New("broken"), 0
		slow := scriptedSource(func(ctx context.Context, report func(observe.Event) bool) error {
			<-ctx.Done()
			bubble.Sleep(time.Second)
			ended++
			return nil
		})
		all := observe.MultiCluster(map[string]observe.Source{"x": slow, "y": sendAndFail(broken)})
		if err := all.Observe(minute(t), []observe.Target{inCluster("x", target("a")), inCluster("y", target("a"))}, func(observe.Event) bool { return true }); err != nil || ended != 1 {
			t.Errorf("have %v and %d ended, want neither to be an error nor to be left", err, ended)
		}
		all = observe.MultiCluster(map[string]observe.Source{"y": sendAndFail(broken)})
		if err := all.Observe(minute(t), []observe.Target{inCluster("y", target("a"))}, func(observe.Event) bool { return true }); !errors.Is(err, broken) {
			t.Errorf("have %v", err)
		}
	})
}
