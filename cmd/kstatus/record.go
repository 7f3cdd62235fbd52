package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
)

// A recordFlags says where a run is recorded.
type recordFlags struct {
	record string
}

func (f *recordFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.record, "record", "", "`FILE` to record the run in, which get, explain and wait show again with --local -f FILE; it holds no values of secrets")
	// An error would mean that the flag does not exist, just above.
	_ = cmd.MarkFlagFilename("record")
}

// open opens the file of a record, nil if none is asked for. Only its owner may
// read it: it tells much of a cluster.
func (f *recordFlags) open() (*record, error) {
	if f.record == "" {
		return nil, nil
	}
	file, err := os.OpenFile(f.record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, usagef("--record: %w", err)
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		if err := file.Chmod(0o600); err != nil {
			return nil, usagef("--record: %w", errors.Join(err, file.Close()))
		}
	}
	return &record{name: f.record, file: file}, nil
}

// A record is written line by line, as things happen, so that it is good as far
// as it goes when the process is killed.
type record struct {
	name string
	file io.WriteCloser
	size int64
	err  error // the first that a write has had; nothing is written after it
}

// mostRecord is how large a record may become by changes. What is there at the
// end is written in any case.
const mostRecord = 128 << 20

// full reports whether there is no room for changes any more.
func (r *record) full() bool { return r.size >= mostRecord }

// write writes one line.
func (r *record) write(line any) {
	var text bytes.Buffer
	if err := encoderOn(&text).Encode(line); err != nil {
		r.fail(err)
		return
	}
	r.text(text.Bytes())
}

// text writes whole lines.
func (r *record) text(lines []byte) {
	if r.err != nil {
		return
	}
	n, err := r.file.Write(lines)
	r.size += int64(n)
	r.fail(err)
}

func (r *record) fail(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("record: %w", err)
	}
}

// close ends the record, and returns what has gone wrong with it.
func (r *record) close() error {
	r.fail(r.file.Close())
	return r.err
}

// recorded returns facts as one who reads them from a record gets them, so that
// they are explained in the same way, and their lines. Long texts are cut.
func recorded(facts *explain.Facts) (same *explain.Facts, lines []byte, err error) {
	brief := *facts
	brief.Things, brief.Events, brief.Logs = nil, nil, nil
	for _, t := range facts.Things {
		if t.Object != nil {
			t.Object, _ = briefly(map[string]any(t.Object)).(map[string]any)
		}
		if message := t.Message(); len(message) > mostSaid {
			t.Result.Message, t.Parts = text.Cut(message, mostSaid), nil
		}
		t.Reads = slices.Clone(t.Reads)
		for i, read := range t.Reads {
			t.Reads[i].Value = briefly(read.Value)
		}
		brief.Things = append(brief.Things, t)
	}
	for _, e := range facts.Events {
		e.Message = text.Cut(e.Message, mostSaid)
		brief.Events = append(brief.Events, e)
	}
	for _, l := range facts.Logs {
		l.Lines = slices.Clone(l.Lines)
		for i, line := range l.Lines {
			l.Lines[i] = text.Cut(line, mostSaid)
		}
		brief.Logs = append(brief.Logs, l)
	}
	var text bytes.Buffer
	if err := brief.Write(escaping{&text}); err != nil {
		return nil, nil, err
	}
	lines = bytes.Clone(text.Bytes())
	same, err = explain.ReadFacts(&text)
	return same, lines, err
}

// briefly returns a value without long texts. The one given stays as it is.
func briefly(value any) any {
	switch value := value.(type) {
	case string:
		return text.Cut(value, mostSaid)
	case map[string]any:
		m := make(map[string]any, len(value))
		for key, v := range value {
			m[key] = briefly(v)
		}
		return m
	case []any:
		list := make([]any, len(value))
		for i, v := range value {
			list[i] = briefly(v)
		}
		return list
	}
	return value
}
