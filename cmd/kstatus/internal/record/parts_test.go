package record

import (
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/status"
)

// A line has the parts of a message apart, without secrets, unless the message was cut.
func TestParts(t *testing.T) {
	lamp := func(message string) *status.Parts {
		return &status.Parts{Count: 1, Kind: "Lamp", Name: "a", Message: message}
	}
	rows := []struct {
		it, own string
		parts   *status.Parts
		wantOwn string
		want    *status.Parts
	}{
		{"keeps both", "0/1 ready", lamp("it is dark"), "0/1 ready", lamp("it is dark")},
		{"keeps a message that looks like one with parts", "0/1 ready; Lamp a: it is dark", lamp("it is dark"), "0/1 ready; Lamp a: it is dark", lamp("it is dark")},
		{"keeps no secret", "password=hunter2", lamp("password=hunter3"), "password=<redacted>", lamp("password=<redacted>")},
		{"keeps neither of a message that was cut", strings.Repeat("x", output.MaxRecordText), lamp("it is dark"), "0/1", nil},
		{"keeps nothing without parts", "0/1 ready; Lamp a: it is dark", nil, "0/1", nil},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			l := updateLine{}
			l.Message = "0/1"
			l.setParts(row.own, row.parts)
			own, parts := l.split()
			if own != row.wantOwn || (parts == nil) != (row.want == nil) || parts != nil && *parts != *row.want {
				t.Errorf("have %q and %+v, want %q and %+v", own, parts, row.wantOwn, row.want)
			}
		})
	}
}
