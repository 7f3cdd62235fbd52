package conditions_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/author/conditions"
)

// In each row ServerUp is stored as True since start; the times are relative
// to it.
func TestTransitionTime(t *testing.T) {
	up := func(p *conditions.Pass) { p.True("ServerUp", "Running", "") }
	down := func(p *conditions.Pass) { p.False("ServerUp", "Creating", "") }
	since := func(status metav1.ConditionStatus, at time.Duration) func(*conditions.Pass) {
		return func(p *conditions.Pass) {
			p.Set(metav1.Condition{Type: "ServerUp", Status: status, Reason: "Creating", LastTransitionTime: metav1.NewTime(start.Add(at))})
		}
	}
	for name, c := range map[string]struct {
		after      time.Duration
		statements []func(*conditions.Pass)
		want       time.Duration
	}{
		"it changes with the status":                                        {time.Minute, []func(*conditions.Pass){down}, time.Minute},
		"it stays with the status":                                          {time.Minute, []func(*conditions.Pass){up}, 0},
		"it stays without a statement":                                      {time.Minute, nil, 0},
		"it stays with another reason":                                      {time.Minute, []func(*conditions.Pass){func(p *conditions.Pass) { p.True("ServerUp", "Creating", "") }}, 0},
		"it stays with another message":                                     {time.Minute, []func(*conditions.Pass){func(p *conditions.Pass) { p.True("ServerUp", "Running", "new") }}, 0},
		"it stays if the status changes back within a pass":                 {time.Minute, []func(*conditions.Pass){down, up}, 0},
		"it changes once if the status changes several times within a pass": {time.Minute, []func(*conditions.Pass){down, up, down}, time.Minute},
		"it does not decrease with the clock":                               {-time.Hour, []func(*conditions.Pass){down}, 0},
		"it is that of the source if the status changes":                    {time.Hour, []func(*conditions.Pass){since("False", time.Minute)}, time.Minute},
		"it is not that of the source if the status stays":                  {time.Hour, []func(*conditions.Pass){since("True", time.Minute)}, 0},
		"it does not decrease with the source":                              {time.Hour, []func(*conditions.Pass){since("False", -time.Hour)}, 0},
		"it is not later than now with the source":                          {time.Minute, []func(*conditions.Pass){since("False", time.Hour)}, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, newServer())
			b.reconcile(up)
			b.clock.Advance(c.after)
			b.reconcile(func(p *conditions.Pass) {
				for _, statements := range c.statements {
					statements(p)
				}
			})
			want := start.Truncate(time.Second).Add(c.want)
			if have := b.condition("ServerUp").LastTransitionTime; !have.Time.Equal(want) {
				t.Errorf("last transition is %s, want %s", have.UTC(), want)
			}
		})
	}
}

// After a conflict the newly stored condition counts.
func TestTransitionTimeAfterAConflict(t *testing.T) {
	b := newFixture(t, newServer())
	b.reconcile(func(p *conditions.Pass) { p.False("ServerUp", "Creating", "") })
	pass := b.begin()
	pass.True("ServerUp", "Running", "")
	b.clock.Advance(time.Hour)
	b.BeforeNextWrite = func() { // an earlier pass, which the cache did not show yet
		b.Update(func(c map[string]any) {
			for _, item := range stored(c)["conditions"].([]any) {
				if m := item.(map[string]any); m["type"] == "ServerUp" {
					m["status"], m["reason"], m["lastTransitionTime"] = "True", "Running", "2026-03-01T12:30:00Z"
				}
			}
		})
	}
	b.commit(pass)
	if have, want := b.condition("ServerUp").LastTransitionTime.UTC(), time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC); !have.Equal(want) {
		t.Errorf("last transition is %s, want %s", have, want)
	}
}
