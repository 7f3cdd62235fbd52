package witness

import (
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestDiffers(t *testing.T) {
	verdict := func(s status.Status) status.Result { return status.Result{Status: s} }
	there := Version{UID: "u", Resource: 7, Generation: 2, Observed: 2, Result: verdict(status.CurrentStatus)}
	told := observe.Update{Version: observe.Version{UID: "u", Generation: 2, ObservedGeneration: 2, ResourceVersion: "7"}, Result: verdict(status.CurrentStatus)}
	rows := []struct {
		it     string
		change func(u *observe.Update, now *Version)
		want   bool
	}{
		{"agrees", func(*observe.Update, *Version) {}, false},
		{"says current of what is in progress", func(_ *observe.Update, now *Version) { now.Result = verdict(status.InProgressStatus) }, true},
		{"says current of what is gone", func(_ *observe.Update, now *Version) { *now = Version{} }, true},
		{"says that what is there does not exist", func(u *observe.Update, _ *Version) { u.Result = verdict(status.NotFoundStatus) }, true},
		{"says that what is gone does not exist", func(u *observe.Update, now *Version) {
			u.Result, *now = verdict(status.NotFoundStatus), Version{}
		}, false},
		{"speaks of an earlier object of that name", func(u *observe.Update, _ *Version) { u.Version.UID = "t" }, true},
		{"speaks of an earlier generation", func(u *observe.Update, _ *Version) { u.Version.Generation = 1 }, true},
		{"speaks of an earlier status", func(u *observe.Update, _ *Version) { u.Version.ObservedGeneration = 1 }, true},
		{"is stale", func(u *observe.Update, _ *Version) { u.StaleSince = time.Now() }, true},
		{"gives what fails its time", func(u *observe.Update, now *Version) {
			u.Result, now.Result = verdict(status.InProgressStatus), verdict(status.FailedStatus)
		}, false},
		{"says nothing", func(u *observe.Update, _ *Version) { *u = observe.Update{} }, true},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			u, now := told, there
			row.change(&u, &now)
			if d := Differs(u, now); (d != "") != row.want {
				t.Errorf("it %s: differs in %q, want a difference: %v", row.it, d, row.want)
			}
		})
	}
}
