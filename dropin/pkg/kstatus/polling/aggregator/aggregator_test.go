package aggregator_test

import (
	"testing"

	"kstatus.dev/dropin/pkg/kstatus/polling/aggregator"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
)

func TestAggregateStatus(t *testing.T) {
	const current, gone, failed, unknown, progress = status.CurrentStatus, status.NotFoundStatus, status.FailedStatus, status.UnknownStatus, status.InProgressStatus
	for _, c := range []struct {
		statuses      []status.Status
		desired, want status.Status
	}{
		{nil, current, current},
		{[]status.Status{current, current}, current, current},
		{[]status.Status{current, gone}, current, progress},
		{[]status.Status{current, gone}, gone, progress},
		{[]status.Status{unknown, current}, current, unknown},
		{[]status.Status{unknown, failed}, current, failed},
		{[]status.Status{unknown}, unknown, unknown},
		{[]status.Status{failed}, failed, failed},
		{[]status.Status{status.TerminatingStatus}, gone, progress},
	} {
		var rss []*event.ResourceStatus
		for _, s := range c.statuses {
			rss = append(rss, &event.ResourceStatus{Status: s})
		}
		if have := aggregator.AggregateStatus(rss, c.desired); have != c.want {
			t.Errorf("%v, desired %s: have %s, want %s", c.statuses, c.desired, have, c.want)
		}
	}
}
