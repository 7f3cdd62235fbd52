package writes

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"kstatus.dev/author/audit"
)

var stream1 = []audit.Write{
	{Type: audit.WriteAdded, Time: time.Date(2026, 1, 1, 0, 0, 0, 123456789, time.UTC), Existing: true, Object: map[string]any{
		"apiVersion": "v1", "kind": "Lamp", "metadata": map[string]any{"name": "a", "generation": int64(1) << 60},
		"spec": map[string]any{"half": 0.5, "<>&\u202e\x00": nil, "deep": []any{[]any{}, map[string]any{}, true}}}},
	{Type: audit.WriteTick, Time: time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)},
	{Type: audit.WriteGap, Time: time.Date(2026, 1, 1, 0, 0, 2, 0, time.UTC), Object: map[string]any{"apiVersion": "v1", "kind": "Lamp"}},
	{Type: audit.WriteModified, Time: time.Date(2026, 1, 1, 0, 0, 3, 0, time.UTC), Related: true,
		Object:  map[string]any{"apiVersion": "v1", "kind": "Lamp", "metadata": map[string]any{"name": "a"}},
		Request: &audit.Request{ID: "1", Verb: "apply", Subresource: "status", User: "u", Agent: "a", Code: 409}},
}

func write(t *testing.T, out io.Writer, compressed bool, all []audit.Write) {
	t.Helper()
	w, err := NewWriter(out, compressed)
	for _, a := range all {
		if err == nil {
			err = w.Write(a)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readAll returns the writes and the notes of a Reader.
func readAll(in io.Reader) (all []audit.Write, notes []string, err error) {
	r := Reader{OnNote: func(note string) { notes = append(notes, note) }}
	err = r.Read(in, func(w audit.Write) { all = append(all, w) })
	return all, notes, err
}

func TestRecordRoundTrip(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		t.Run(fmt.Sprintf("compressed_%t", compressed), func(t *testing.T) {
			var file bytes.Buffer
			write(t, &file, compressed, stream1)
			have, notes, err := readAll(&file)
			if err != nil || len(notes) > 0 {
				t.Fatalf("compressed %t: %v %q", compressed, err, notes)
			}
			if !reflect.DeepEqual(have, stream1) {
				t.Errorf("compressed %t: have\n%v\nwant\n%v", compressed, have, stream1)
			}
		})
	}
}

// What a process that was killed has left is good as far as it goes.
func TestTruncatedRecords(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		t.Run(fmt.Sprintf("compressed_%t", compressed), func(t *testing.T) {
			var file bytes.Buffer
			write(t, &file, compressed, stream1)
			have, notes, err := readAll(bytes.NewReader(file.Bytes()[:file.Len()-30]))
			if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "is incomplete and was skipped") || len(have) < 2 || !reflect.DeepEqual(have, stream1[:len(have)]) {
				t.Errorf("compressed %t: %d writes are read, %v, %q", compressed, len(have), err, notes)
			}
		})
	}
}

func TestHostileFiles(t *testing.T) {
	const head = `{"v":1,"type":"WRITES"}` + "\n\n"
	const lamp = `"object":{"kind":"Lamp","metadata":{"name":"a"}}`
	for _, row := range []struct{ it, text, want string }{
		{"is empty", "", "line 1: want a recorded stream or an audit log, have nothing"},
		{"is another text", "hello", "line 1: want the first line of a recorded stream, {\"v\":1,\"type\":\"WRITES\"}, or an Event of audit.k8s.io; found invalid character 'h'"},
		{"is a list", "[]", "line 1: want the first line of a recorded stream"},
		{"is a manifest", `{"kind":"Lamp","apiVersion":"example.com/v1"}`, "line 1: want the first line of a recorded stream"},
		{"is of a later version", `{"v":2,"type":"WRITES"}`, "line 1: v: want 1, have 2"},
		{"is truncated in its first line", `{"v":1,`, "line 1: unexpected EOF"},
		{"has a line that is not JSON", head + `{"type":"TICK","time":"2026-01-01T00:00:00Z"}` + "\nx", "line 4: invalid character 'x'"},
		{"has a line of another type", head + `{"type":"START"}`, "line 3: type: want one of"},
		{"has a list as a line", head + `[]`, "line 3: json: cannot unmarshal array"},
		{"has no time", head + `{"type":"ADDED",` + lamp + `}`, "line 3: time: want a time, have none"},
		{"has an invalid time", head + `{"type":"ADDED","time":"now",` + lamp + `}`, "line 3: parsing time"},
		{"has an object that is not a map", head + `{"type":"ADDED","time":"2026-01-01T00:00:00Z","object":[1]}`, "line 3: object: "},
		{"has an object without a name", head + `{"type":"ADDED","time":"2026-01-01T00:00:00Z","object":{"kind":"Lamp","metadata":"a"}}`, "line 3: object: want one with a kind and a name"},
		{"is nested too deeply", head + strings.Repeat("[", 20000), "line 3: "},
		{"has an Event without a time", `{"kind":"Event","stage":"ResponseComplete","verb":"update","objectRef":{"resource":"lamps"}}`, "line 1: stageTimestamp: want a time, have none"},
		{"has an Event with an invalid response object", `{"kind":"Event","stage":"ResponseComplete","verb":"update","objectRef":{"resource":"lamps"},"stageTimestamp":"2026-01-01T00:00:00Z","responseObject":7}`, "line 1: responseObject: "},
		{"has a list with an invalid item", "{\"kind\":\"EventList\"}\n{\"kind\":\"EventList\",\"items\":[7]}", "line 2: items[0]: "},
		{"is compressed garbage", "\x1f\x8bgarbage", "line 1: "},
	} {
		t.Run(row.it, func(t *testing.T) {
			_, _, err := readAll(strings.NewReader(row.text))
			if err == nil || !strings.HasPrefix(err.Error(), row.want) {
				t.Errorf("have %v, want %s", err, row.want)
			}
		})
	}
}

// FuzzRead reads any file without a panic. It records the writes and reads them again.
func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	w, err := NewWriter(&file, false)
	for _, a := range stream1 {
		if err == nil {
			err = w.Write(a)
		}
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(logged("RequestResponse", "patch", "lamps", 200, lampBody)))
	f.Add([]byte(`{"kind":"EventList","items":[` + logged("Metadata", "delete", "lamps", 200, success) + `]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, _, err := readAll(bytes.NewReader(text))
		if err != nil || len(all) == 0 {
			return
		}
		auditor := audit.New(audit.Options{})
		for _, w := range all {
			auditor.Add(w)
		}
		auditor.Report()
		var file bytes.Buffer
		write(t, &file, false, all)
		if again, _, err := readAll(&file); err != nil || len(again) != len(all) {
			t.Errorf("of %d writes, %d are read again: %v", len(all), len(again), err)
		}
	})
}
