package record

import (
	"testing"

	"kstatus.dev/status"
)

func TestSplitMessage(t *testing.T) {
	lamp := &status.Parts{Count: 1, Kind: "Lamp", Name: "a", Message: "it is dark"}
	rows := []struct {
		it      string
		message string
		named   *status.Parts // the parts in the line
		own     string
		parts   *status.Parts
	}{
		{"takes the parts that the line names", "0/1 ready; Lamp a: it is dark", lamp, "0/1 ready", lamp},
		{"takes no parts that the message does not end with", "0/1 ready", lamp, "0/1 ready", nil},
		{"finds one Pod", "0/1 ready; Pod db-0: 0/4 nodes are available.", nil, "0/1 ready", &status.Parts{Count: 1, Kind: "Pod", Name: "db-0", Message: "0/4 nodes are available."}},
		{"finds several Pods", "0/9 ready; 12 Pods, such as web-1: it; waits", nil, "0/9 ready", &status.Parts{Count: 12, Kind: "Pod", Name: "web-1", Message: "it; waits"}},
		{"finds a text that has been cut", "0/1 ready; Pod db-0: 0/4 no…", nil, "0/1 ready", &status.Parts{Count: 1, Kind: "Pod", Name: "db-0", Message: "0/4 no…"}},
		{"finds none at the beginning", "2 Pods, such as web-7: it waits", nil, "2 Pods, such as web-7: it waits", nil},
		{"finds no number that kstatus does not write", "0/1 ready; 007 Pods, such as web-7: it waits", nil, "0/1 ready; 007 Pods, such as web-7: it waits", nil},
		{"finds no other kinds", "0/1 ready; Lamp web-7: it waits", nil, "0/1 ready; Lamp web-7: it waits", nil},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			own, parts := splitMessage(row.message, row.named)
			if own != row.own || (parts == nil) != (row.parts == nil) || parts != nil && *parts != *row.parts {
				t.Errorf("have %q and %+v, want %q and %+v", own, parts, row.own, row.parts)
			}
			if again := parts.AppendTo(own); again != row.message {
				t.Errorf("together they read %q, want %q", again, row.message)
			}
		})
	}
}

func TestPartsOf(t *testing.T) {
	parts := &status.Parts{Count: 1, Kind: "Lamp", Name: "a", Message: "password=hunter2"}
	redacted := &status.Parts{Count: 1, Kind: "Lamp", Name: "a", Message: "password=<redacted>"}
	rows := []struct {
		it      string
		parts   *status.Parts
		message string
		want    *status.Parts
	}{
		{"keeps no secret", parts, "0/1 ready; Lamp a: password=<redacted>", redacted},
		{"leaves out parts that have been cut", parts, "0/1 ready; Lamp a: passw…", nil},
		{"has nothing to keep without parts", nil, "0/1 ready", nil},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			have := partsOf(row.parts, row.message)
			if (have == nil) != (row.want == nil) || have != nil && *have != *row.want {
				t.Errorf("have %+v, want %+v", have, row.want)
			}
		})
	}
}
