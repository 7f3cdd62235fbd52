package status_test

import (
	"fmt"
	"testing"

	"kstatus.dev/status"
)

func TestResultString(t *testing.T) {
	for name, row := range map[string]struct {
		result status.Result
		want   string
	}{
		"it has the status, the reason and the message": {
			status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: "2/3 available"}, "InProgress NotAvailable: 2/3 available",
		},
		"it omits empty fields": {status.Result{Status: status.CurrentStatus}, "Current"},
	} {
		if have := fmt.Sprint(row.result); have != row.want {
			t.Errorf("%s: have %q, want %q", name, have, row.want)
		}
	}
}
