package observe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/status"
)

// TestTranscripts gives the events of each file in testdata/tracker to a tracker, and compares its
// updates with those of the file. No goroutine runs, and no time passes but that of the file.
//
// A line "#" is a comment. The first other lines are the targets: "a" is an object, "*" the selection
// of all. Then each line has a time and an event:
//
//	30s a CrashLoop uid=u2   the object a in a phase, and fields of its metadata
//	30s a in * Busy          the same, as an object of the selection
//	30s p of a CrashLoop     the part p of a
//	30s a missing            a does not exist; "left" for an object of the selection
//	30s a unreadable         the cluster of a cannot be reached
//	30s * listed             all objects of the selection have been reported
//	30s a is b c             b and c take the place of a
//	30s                      nothing but the time
//	30s busy                 the reader takes no updates until "30s reads"
//
// The indented lines below are the updates that follow.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/tracker/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if have := transcribe(t, string(text)); have != string(text) {
				t.Errorf("%s is now:\n%s", file, have)
			}
		})
	}
}

// A transcript is a tracker that is read while its events are written down.
type transcript struct {
	strings.Builder
	tracker *tracker
	now     time.Time // of the evaluator
	busy    bool      // the reader takes no updates
}

// transcribe repeats the events of a transcript, with the updates that follow now.
func transcribe(t *testing.T, text string) string {
	s := &transcript{now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	w := &Watcher{Requirements: Requirements{}.withDefaults()}
	w.Evaluator.Now = func() time.Time { return s.now }
	w.Evaluator.Rules = status.Rules{transcriptKind: {Rule: phaseRule}}
	var targets []Target
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, " "):
			continue
		case len(words) == 0 || words[0] == "#":
		case words[0] == "settle":
			w.Requirements.Settle = mustParse(t, words[1])
		case words[0] == "timeout":
			w.Requirements.Timeout = mustParse(t, words[1])
		case words[0][0] < '0' || words[0][0] > '9':
			targets = append(targets, transcriptTarget(words[0]))
		default:
			if s.tracker == nil {
				s.tracker, _ = newTracker(w, targets)
			}
			s.advance(mustParse(t, words[0]))
			s.WriteString(line)
			s.send(t, words[1:])
			continue
		}
		s.WriteString(line)
	}
	return s.String()
}

func mustParse(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var transcriptKind = status.Kind{Group: "example.com", Kind: "Widget"}

func transcriptTarget(name string) Target {
	t := Target{Kind: transcriptKind, Namespace: "shop", Name: name}
	if name == "*" {
		t.Name = ""
	}
	return t
}

// advance lets the timers fire until an offset, each at its time.
func (s *transcript) advance(to time.Duration) {
	end := offset(1).add(to)
	for next := s.tracker.nextTimer(); next != 0 && next <= end; next = s.tracker.nextTimer() {
		s.setTime(next)
		s.tracker.expire(next)
		s.read()
	}
	s.setTime(end)
}

func (s *transcript) setTime(o offset) { s.now = s.tracker.time(o) }

// send gives the event of a line to the tracker.
func (s *transcript) send(t *testing.T, words []string) {
	switch {
	case len(words) == 0:
		return
	case len(words) == 1:
		s.busy = words[0] == "busy"
	default:
		s.tracker.step(s.tracker.judge(transcriptEvent(t, words)), offset(1).add(s.now.Sub(s.tracker.time(1))))
	}
	s.read()
}

func transcriptEvent(t *testing.T, words []string) Event {
	e := Event{Target: transcriptTarget(words[0])}
	if words[1] == "in" || words[1] == "of" {
		e.Of = transcriptTarget(words[2])
		words = words[2:]
	}
	switch words[1] {
	case "missing", "left", "listed":
		return e
	case "unreadable":
		e.Err = &Unreadable{Reason: status.ReasonTransport, Text: "no answer"}
		return e
	case "is":
		e.Targets = []Target{}
		for _, name := range words[2:] {
			e.Targets = append(e.Targets, transcriptTarget(name))
		}
		return e
	}
	meta := map[string]any{"name": e.Target.Name, "namespace": "shop", "uid": "u1"}
	for _, word := range words[2:] {
		field, value, ok := strings.Cut(word, "=")
		if !ok {
			t.Fatalf("%q has no value", word)
		}
		meta[field] = value
	}
	e.Object = status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": meta, "spec": map[string]any{}, "status": map[string]any{"phase": words[1]}}
	return e
}

// phaseRule fails with the phase as its reason, unless the phase is Ready or Busy.
func phaseRule(o *status.Fields) status.Result {
	switch phase := o.Text("status.phase", ""); phase {
	case "Ready":
		return status.Current("Reconciled", "it is ready")
	case "Busy":
		return status.InProgress("NotAvailable", "it works")
	case "Dead":
		return status.FailedTerminal(phase, "it is dead")
	default:
		return status.FailedRecoverable(phase, "it ails")
	}
}

// read writes down the updates that the reader takes.
func (s *transcript) read() {
	if s.busy {
		return
	}
	for u, ok := s.tracker.next(); ok; u, ok = s.tracker.next() {
		began := s.tracker.time(1)
		name := u.Target.Name
		if name == "" {
			name = "*"
		}
		line := fmt.Sprintf("    %s %s %s/%s %s", s.now.Sub(began), name, u.Result.Status, u.Result.Reason, u.Progress)
		if u.Parts != nil {
			line += fmt.Sprintf(", %d %s like %s", u.Parts.Count, u.Parts.Reason, u.Parts.Name)
		}
		if !u.FailsAt.IsZero() {
			line += fmt.Sprintf(", fails at %s", u.FailsAt.Sub(began))
		}
		if !u.StaleSince.IsZero() {
			line += fmt.Sprintf(", stale since %s", u.StaleSince.Sub(began))
		}
		if u.Removed {
			line += ", removed"
		}
		if u.Synced {
			line += ", synced"
		}
		fmt.Fprintln(s, line)
	}
}
