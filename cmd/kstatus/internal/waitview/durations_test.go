package waitview

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/history"
	"kstatus.dev/status"
)

// TestMalformedHistory checks that an unreadable history file stays unchanged, and affects the
// wait only by a note.
func TestMalformedHistory(t *testing.T) {
	for name, text := range map[string]string{
		"it takes no text that is cut": `{"v":1,"objects":[{"kind":"Pod","na`,
		"it takes no other version":    `{"v":2,"objects":[]}`,
		"it takes no other file":       "kind: Pod\n",
		"it takes no huge file":        `{"v":1,"objects":[]}` + strings.Repeat(" ", 4<<20),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "history.json")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			now := time.Date(2026, 7, 3, 10, 0, 0, 0, time.UTC)
			notes := 0
			past := NewDurations(file, "", func() time.Time { return now }, func(string, ...any) { notes++ })
			past.took = []history.Sample{{ID: status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "p"}, Took: time.Second, At: now}}
			if err := past.End(nil, Result{}); err != nil || notes != 1 {
				t.Errorf("%d notes and %v, want a note", notes, err)
			}
			if err := history.Add(file, past.took); err == nil {
				t.Error("it is taken")
			}
			if have, err := os.ReadFile(file); err != nil || string(have) != text {
				t.Errorf("it is changed: %v", err)
			}
		})
	}
}

// A history without measured durations is not written, and a note says so once.
func TestUnwritableHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.json")
	var notes []string
	past := NewDurations(file, "", time.Now, func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) })
	if err := past.End(nil, Result{}); err != nil || len(notes) != 1 || !strings.HasSuffix(notes[0], "is not written, because no object became ready during the wait") {
		t.Errorf("have %q, %v, want a note", notes, err)
	}
	past.took = []history.Sample{{ID: status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "p"}, Took: time.Second, At: time.Now()}}
	for range 2 {
		if err := past.End(nil, Result{}); err != nil || len(notes) != 1 {
			t.Errorf("have %q, %v, want no more notes", notes, err)
		}
		past.took = nil
	}
}
