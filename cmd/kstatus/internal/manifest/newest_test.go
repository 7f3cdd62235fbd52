package manifest

import (
	"testing"
	"time"
)

func TestNewestTime(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct{ name, text, want string }{
		{"creation", "metadata:\n  creationTimestamp: \"2026-11-22T09:00:00Z\"\n", "2026-11-22T09:00:00Z"},
		{"plain YAML", "  lastTransitionTime: 2026-11-22T09:00:00Z", "2026-11-22T09:00:00Z"},
		{"JSON", `{"finishedAt":"2026-11-22T09:00:00Z","startedAt": "2026-11-22T08:00:00Z"}`, "2026-11-22T09:00:00Z"},
		{"single quotes", "- lastTimestamp: '2026-11-22T09:00:00Z'\n", "2026-11-22T09:00:00Z"},
		{"fractions", "eventTime: \"2026-11-22T09:00:00.123456Z\"\n", "2026-11-22T09:00:00.123456Z"},
		{"another zone", "time: \"2026-11-22T09:00:00+02:00\"\n", "2026-11-22T07:00:00Z"},
		{"the newest counts", "startedAt: \"2026-11-22T11:00:00Z\"\nlastHeartbeatTime: \"2026-11-22T10:00:00Z\"\n", "2026-11-22T11:00:00Z"},
		{"the future does not", "startedAt: \"2031-11-22T11:00:00Z\"\nstartTime: \"2026-11-22T10:00:00Z\"\n", "2026-11-22T10:00:00Z"},
		{"the clock itself does", "startedAt: \"2026-11-22T12:00:00Z\"\n", "2026-11-22T12:00:00Z"},
		{"what is due does not", "notAfter: \"2026-11-22T11:00:00Z\"\nstartTime: \"2026-11-22T10:00:00Z\"\n", "2026-11-22T10:00:00Z"},
		{"deletion", "  deletionGracePeriodSeconds: 600\n  deletionTimestamp: \"2026-11-22T09:10:00Z\"\n", "2026-11-22T09:00:00Z"},
		{"deletion in JSON", `"deletionGracePeriodSeconds":30,"deletionTimestamp":"2026-11-22T12:00:10Z"`, "2026-11-22T11:59:40Z"},
		{"deletion without grace", "deletionTimestamp: \"2026-11-22T09:10:00Z\"\n", "2026-11-22T09:10:00Z"},
		{"words", "message: restarted at 2026-11-22T11:00:00Z", ""},
		{"no time", "creationTimestamp: \"2026-99-22T11:00:00Z\"\nTTTT:TTTT-TTTTTTTTTTTTT", ""},
		{"cut", "creationTimestamp: \"2026-11-22T11:0", ""},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			have := NewestTime([]Input{{}, {Text: []byte(row.text)}}, now)
			want, _ := time.Parse(time.RFC3339Nano, row.want)
			if !have.Equal(want) {
				t.Errorf("it is %s, want %s", have, want)
			}
		})
	}
}
