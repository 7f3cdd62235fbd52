package status_test

import (
	"testing"

	"kstatus.dev/status"
)

func TestParts(t *testing.T) {
	crash := "container web exits repeatedly"
	rows := []struct {
		it    string
		parts *status.Parts
		own   string
		want  string
	}{
		{"names the only part", &status.Parts{Count: 1, Kind: "Pod", Name: "web-1", Message: crash}, "0/1 ready", "0/1 ready; Pod web-1: " + crash},
		{"counts several parts", &status.Parts{Count: 3, Kind: "Pod", Name: "web-1", Message: crash}, "0/3 ready", "0/3 ready; 3 Pods, such as web-1: " + crash},
		{"keeps full stops", &status.Parts{Count: 1, Kind: "Pod", Name: "web-1", Message: "it waits."}, "waiting..", "waiting..; Pod web-1: it waits."},
		{"is appended to an empty message", &status.Parts{Count: 1, Kind: "Pod", Name: "web-1", Message: crash}, "", "; Pod web-1: " + crash},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			have := row.parts.AppendTo(row.own)
			if have != row.want {
				t.Errorf("AppendTo(%q) = %q, want %q", row.own, have, row.want)
			}
		})
	}
}

func TestNoParts(t *testing.T) {
	var none *status.Parts
	if have := none.AppendTo("0/1 ready"); have != "0/1 ready" {
		t.Errorf("without parts, AppendTo adds to the message: %q", have)
	}
}
