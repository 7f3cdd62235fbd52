package sets

import (
	"testing"
	"time"
)

// The time of a failed revision is that of the failure if Helm has recorded it.
func TestRevisionText(t *testing.T) {
	began, failed := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)
	rows := []struct {
		revision Revision
		want     string
	}{
		{Revision{Number: 3, Status: "failed", Began: began, Since: failed, Description: "no."}, "revision 3 failed at 2026-03-01T12:05:00Z: no"},
		{Revision{Number: 3, Status: "failed", Began: began}, "revision 3 began at 2026-03-01T12:00:00Z and failed"},
		{Revision{Number: 3, Status: "pending-upgrade", Began: began, Since: began}, "revision 3 is pending-upgrade since 2026-03-01T12:00:00Z"},
		{Revision{Number: 3, Status: "uninstalled", Began: began}, "revision 3 began at 2026-03-01T12:00:00Z and is uninstalled"},
		{Revision{Number: 3, Status: "failed"}, "revision 3 failed"},
		{Revision{Number: 3, Status: "failed", Description: "password=hunter2-and-more"}, "revision 3 failed: password=<redacted>"},
	}
	for _, row := range rows {
		if have := row.revision.String(); have != row.want {
			t.Errorf("have %q, want %q", have, row.want)
		}
	}
}
