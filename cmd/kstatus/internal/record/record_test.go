package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// TestRecordSchemaNamesEveryField checks that the schema of records has every field that records
// have in addition to -o json.
func TestRecordSchemaNamesEveryField(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/reference/record.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type shape struct {
		Properties map[string]json.RawMessage
	}
	var schema struct {
		Defs map[string]shape `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var head shape
	if err := json.Unmarshal(schema.Defs["start"].Properties["record"], &head); err != nil {
		t.Fatal(err)
	}
	for line, has := range map[reflect.Type]shape{
		reflect.TypeFor[startLine]():   schema.Defs["start"],
		reflect.TypeFor[header]():      head,
		reflect.TypeFor[targetLine]():  schema.Defs["target"],
		reflect.TypeFor[markLine]():    schema.Defs["mark"],
		reflect.TypeFor[updateLine]():  schema.Defs["object"],
		reflect.TypeFor[printedLine](): schema.Defs["object"],
		reflect.TypeFor[resultLine]():  schema.Defs["result"],
	} {
		for i := range line.NumField() {
			field := line.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.Anonymous && has.Properties[name] == nil {
				t.Errorf("%s has %q, which docs/reference/record.schema.json does not name", line, name)
			}
		}
	}
}

// TestUpdatesThroughARecord checks that updates are read from a record as they were written.
func TestUpdatesThroughARecord(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 123456789, time.UTC)
	web := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web", Cluster: "east"}
	rows := []struct {
		it string
		u  observe.Update
	}{
		{"keeps a verdict", observe.Update{
			Target: web, Previous: status.InProgressStatus, Since: at, Progress: observe.ProgressFailing, FailsAt: at.Add(time.Minute), Synced: true,
			Version: observe.Version{UID: "u", ReplacedUID: "v", Generation: 3, ObservedGeneration: 2, Created: at.Unix()},
			Result: status.Result{Status: status.InProgressStatus, Reason: "CrashLoop", Message: "it crashes", Failure: status.FailureRecoverable,
				Confidence: status.ConfidenceExplicit, Rule: "kind", Warnings: []string{"odd"}},
			Evidence: []status.Read{{Path: "status.replicas", Value: json.Number("3")}},
		}},
		{"keeps that it cannot be looked at", observe.Update{
			Target: web, StaleSince: at, Err: unreachable("no route"), Progress: observe.ProgressPending, Unmet: "it cannot be read at the moment",
			Result: status.Result{Status: status.UnknownStatus, Reason: "Transport", Message: "no route"},
		}},
		{"keeps a selection", observe.Update{
			Target:   observe.Target{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", LabelSelector: "app=web", FieldSelector: "status.phase=Running"},
			Progress: observe.ProgressMissing, Result: status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen"},
		}},
		{"keeps parts", observe.Update{
			Target: web, Progress: observe.ProgressPending, Result: status.Result{Status: status.InProgressStatus, Reason: "CrashLoop", Message: "0/3 available"},
			Parts: &status.Parts{Count: 3, Group: "g", Kind: "Lamp", Name: "web-1", Reason: "CrashLoop", Message: "it is dark"},
		}},
		{"keeps that it has left", observe.Update{Target: web, Removed: true, Progress: observe.ProgressIgnored, Result: status.Result{Status: status.NotFoundStatus}}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			line := throughJSON(t, newUpdateLine(row.u, at, nil))
			if have := line.update(); !reflect.DeepEqual(have, row.u) {
				t.Errorf("have %+v\nwant %+v", have, row.u)
			}
			if output.ParseTime(line.Time) != at {
				t.Errorf("have the time %s, want %s", line.Time, at)
			}
		})
	}
}

// throughJSON writes and reads a line.
func throughJSON(t *testing.T, line updateLine) (read updateLine) {
	t.Helper()
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := decode(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// A sink is a file with a limited size.
type sink struct {
	bytes.Buffer
	most   int
	closed bool
}

func (s *sink) Write(p []byte) (int, error) {
	if s.Len()+len(p) > s.most {
		return 0, errors.New("no space left")
	}
	return s.Buffer.Write(p)
}

func (s *sink) Close() error {
	s.closed = true
	return nil
}

// TestFullRecordKeepsLastVerdicts checks that a full record omits changes, but has the last
// verdict on each object.
func TestFullRecordKeepsLastVerdicts(t *testing.T) {
	began := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	now := began
	file := &sink{most: 1 << 20}
	config := waitview.Config{EventTime: func() time.Time { return now }, Began: began}
	r := NewView(config, &Writer{file: file})
	board := new(observe.Board)
	web := observe.Target{Kind: status.Kind{Kind: "Widget"}, Name: "web"}
	tell := func(message string) {
		now = now.Add(time.Second)
		u := observe.Update{Target: web, Synced: true, Progress: observe.ProgressPending, Since: began,
			Result: status.Result{Status: status.InProgressStatus, Reason: "Running", Message: message}}
		board.Add(u)
		if err := r.Update(waitview.NewEvent(u), board); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	r.SetTargets([]waitview.Target{{Target: web}})
	tell("first")
	r.size = maxRecordSize
	for i := range 1000 {
		tell(fmt.Sprint("change ", i))
	}
	end := waitview.Result{Code: exit.Timeout, Cut: true}
	if err := errors.Join(r.End(board, end), r.Result(board, end)); err != nil {
		t.Fatal(err)
	}
	if !file.closed || strings.Count(file.String(), `"object"`) != 2 {
		t.Fatalf("have a record with other than two verdicts:\n%s", file.String())
	}
	rec, err := readRecording("r", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.board().Updates()[0].Result.Message; got != "change 999" {
		t.Errorf("at the end it says %q, want the last change", got)
	}
	var said strings.Builder
	rec.Notes(&said)
	if want := "note: r: 1000 changes not recorded, for the size of the record\n"; said.String() != want {
		t.Errorf("have %q, want %q", said.String(), want)
	}
}

// TestUnwritableRecord checks that the error is returned at the end, and that the
// written lines are valid.
func TestUnwritableRecord(t *testing.T) {
	file := &sink{most: 400}
	config := waitview.Config{EventTime: func() time.Time { return time.Unix(0, 0) }}
	r := NewView(config, &Writer{file: file})
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	r.SetTargets([]waitview.Target{{Target: observe.Target{Kind: status.Kind{Kind: "Widget"}, Name: strings.Repeat("w", 300)}}})
	err := r.Result(new(observe.Board), waitview.Result{Code: exit.OK})
	if err == nil || err.Error() != "record: no space left" || !file.closed {
		t.Errorf("have %v, want that there is no space left", err)
	}
	if _, err := readRecording("r", file.Bytes()); err != nil {
		t.Errorf("what was written cannot be read: %v", err)
	}
}

// FuzzRecord checks that any text is replayed or rejected without a panic.
func FuzzRecord(f *testing.F) {
	seed, err := os.ReadFile(filepath.Join("..", "..", "testdata", "script", "record.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	_, seed, _ = bytes.Cut(seed, []byte("-- wait.ndjson --\n"))
	seed, _, _ = bytes.Cut(seed, []byte("-- saved.yaml --\n"))
	f.Add(seed)
	f.Fuzz(func(t *testing.T, lines []byte) {
		rec, err := readRecording("r", lines)
		if err != nil {
			return
		}
		var out strings.Builder
		clock := waitview.NewEventClock(output.ParseTime(rec.Start.Time))
		log := waitview.NewLog(waitview.Config{Out: &out, EventTime: clock.Now, Began: clock.First, Brief: rec.Brief()})
		_ = rec.Play(log, clock) // the error has the exit code
		rows := printer.FormatOf("wide").New(&out, printer.Options{Now: rec.EndTime()})
		for _, v := range rec.Verdicts() {
			if err := rows.Object(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.End(output.Result{}); err != nil {
			t.Fatal(err)
		}
		facts, about := rec.Explanations()
		if err := (terminal.Page{Out: &out}).Print(explain.Explain(facts, output.IDs(about)...).Lines(facts.Now)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > 64<<10 || strings.ContainsFunc(strings.TrimSuffix(line, "\n"), text.Unsafe) {
				t.Errorf("a line of %d bytes is not fit for people: %q", len(line), line[:min(len(line), 80)])
			}
		}
	})
}
