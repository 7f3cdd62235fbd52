package explain

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

var update = flag.Bool("update", false, "write the golden files")

// Each case is a file testdata/<name>.case. Most lines are JSON: an object, an Event, or
// {"log": ...}, {"list": ...}, {"absent": ID}, {"unknown": ID, "reason": ...}, {"gap":
// ...}. Lines that begin with # are comments, and "ask Kind/namespace/name" requests an
// object. <name>.txt holds the explanation.
func TestCases(t *testing.T) {
	files := caseFiles(t)
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			facts, requested := readCase(t, file)
			have := Explain(facts, requested...).Text(facts.Now)
			golden := strings.TrimSuffix(file, ".case") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(have), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if have != string(want) {
				t.Errorf("have:\n%s\nwant:\n%s", have, want)
			}
		})
	}
}

// caseName is the name of a case, for its file and its test.
func caseName(file string) string { return strings.TrimSuffix(filepath.Base(file), ".case") }

var caseNow = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// caseFiles returns the files of all cases.
func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.case")
	if err != nil || len(files) == 0 {
		t.Fatalf("glob: %v, %d files", err, len(files))
	}
	return files
}

// readCase reads a case. Objects are judged at caseNow, without earlier observations.
func readCase(t testing.TB, file string) (*Facts, []status.ID) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := &Facts{Now: caseNow}
	var requested []string
	var documents strings.Builder
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "ask "):
			requested = append(requested, strings.Fields(line)[1:]...)
		default:
			documents.WriteString(line)
		}
	}
	decode := json.NewDecoder(strings.NewReader(documents.String()))
	for decode.More() {
		var raw json.RawMessage
		err := decode.Decode(&raw)
		if err == nil {
			err = readFact(t, f, raw)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	var ids []status.ID
	for _, name := range requested {
		for _, thing := range f.Objects {
			if thing.ID.String() == name {
				ids = append(ids, thing.ID)
			}
		}
	}
	if len(ids) != len(requested) {
		t.Fatalf("%s: asked about %v, know %v", file, requested, ids)
	}
	return f, ids
}

// readFact reads one fact of a case: an object, an event, or a line with another key.
func readFact(t testing.TB, f *Facts, raw []byte) error {
	t.Helper()
	var m struct {
		Log             *Log
		Absent          *status.ID
		Unknown         *status.ID
		Reason, Message string
		List            *List
		Gap             *Gap
	}
	obj := status.Map{}
	if err := errors.Join(json.Unmarshal(raw, &obj), json.Unmarshal(raw, &m)); err != nil {
		return err
	}
	event, isEvent := EventFromObject(obj)
	switch {
	case m.Log != nil:
		f.Logs = append(f.Logs, *m.Log)
	case m.List != nil:
		f.Lists = append(f.Lists, *m.List)
	case m.Gap != nil:
		f.Gaps = append(f.Gaps, *m.Gap)
	case m.Absent != nil:
		f.Objects = append(f.Objects, ObjectFact{ID: *m.Absent, Result: status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist"}})
	case m.Unknown != nil:
		f.Objects = append(f.Objects, ObjectFact{ID: *m.Unknown, Result: status.Result{Status: status.UnknownStatus, Reason: m.Reason, Message: m.Message}})
	case isEvent:
		f.Events = append(f.Events, event)
	default:
		f.Objects = append(f.Objects, judged(t, obj))
	}
	return nil
}

func judged(t testing.TB, obj status.Map) ObjectFact {
	t.Helper()
	f := fields.Section{Map: obj}
	e := status.Evaluator{Now: func() time.Time { return caseNow }}
	result, reads, err := e.Explain(obj)
	if err != nil {
		t.Fatal(err)
	}
	return ObjectFact{
		ID:     status.ID{Kind: status.Kind{Group: groupOf(f.Text("apiVersion")), Kind: f.Text("kind")}, Namespace: f.Text("metadata.namespace"), Name: f.Text("metadata.name")},
		Object: obj, Result: *result, Reads: reads,
	}
}

// A Current object has warnings, and causes if it has not met the goals of a wait.
func TestWarningsOfCurrentObjects(t *testing.T) {
	e := &Explanation{
		Subjects: []Subject{{ID: status.ID{Kind: status.Kind{Kind: "Service"}, Namespace: "shop", Name: "web"}, Status: status.CurrentStatus, Since: caseNow.Add(-5 * time.Second), Causes: []int{0}}},
		Causes:   []Cause{{Text: "it selects no Pod", Blocks: []status.ID{{Kind: status.Kind{Kind: "Service"}, Namespace: "shop", Name: "web"}}, Chain: []Step{{ID: status.ID{Kind: status.Kind{Kind: "Service"}, Namespace: "shop", Name: "web"}}}}},
	}
	for _, row := range []struct {
		unmet bool
		want  string
	}{
		{false, "Service/web in shop: Current for 5s, with a warning\n\n  Service/web\n\n  Warning   it selects no Pod\n"},
		{true, "Service/web in shop: Current for 5s\n\n  Service/web\n\n  Cause     it selects no Pod\n"},
	} {
		e.OfUnmetGoals = row.unmet
		if have := e.Text(caseNow); have != row.want {
			t.Errorf("have\n%s\nwant\n%s", have, row.want)
		}
	}
}
