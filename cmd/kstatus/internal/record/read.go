package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
)

// A Recording is the content of a record.
type Recording struct {
	name           string
	Start          startLine
	all            []waitview.Target // the targets
	goals          map[observe.Target][]string
	known          bool   // all targets are known
	steps          []step // in the order of the record
	facts          *explain.Facts
	Result         *resultLine // nil if the run was cut off
	incompleteLine int         // the number of an incomplete last line, or zero
}

// A step is one event of the run.
type step struct {
	line updateLine
	tick bool
}

// opensRecord matches the beginning of a record, and of the output of -o json.
var opensRecord = regexp.MustCompile(`^\s*\{"v":\d+,"type":"start"`)

// Open returns the record in the inputs, or nil if they are not a record.
func Open(inputs []manifest.Input) (*Recording, error) {
	for _, in := range inputs {
		if !in.OpensWith(opensRecord) {
			continue
		}
		if len(inputs) > 1 {
			return nil, exit.Usagef("-f %s: a record cannot be combined with other inputs", in.Name)
		}
		return readRecording(manifest.Source{File: in.Name}.String(), in.Text)
	}
	return nil, nil
}

// Replay returns the record in the inputs, or nil if they are not a record. It returns an
// error for a replay with --record.
func (f *Flags) Replay(inputs []manifest.Input) (*Recording, error) {
	rec, err := Open(inputs)
	if rec != nil && f.File != "" {
		return nil, exit.Usagef("--record cannot be used with a record, which already has its verdicts")
	}
	return rec, err
}

// readRecording parses a record. It ignores unknown lines and fields, which a later version may
// have written. It also ignores an incomplete last line.
func readRecording(name string, text []byte) (*Recording, error) {
	r := &Recording{name: name, goals: map[observe.Target][]string{}}
	for n := 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		err := r.addLine(line)
		if errors.Is(err, io.ErrUnexpectedEOF) && len(bytes.TrimSpace(rest)) == 0 {
			r.incompleteLine = n
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if r.facts != nil {
		same, _, err := explainer.RecordCopy(r.facts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		r.facts = same
	}
	if r.Start.Type == "" {
		return nil, fmt.Errorf("%s: want a record, have none of its lines", name)
	}
	return r, nil
}

// addLine processes one line.
func (r *Recording) addLine(line []byte) error {
	var kind struct {
		V    int
		Type string
	}
	if err := decode(line, &kind); err != nil {
		return err
	}
	if kind.V > output.Version {
		return fmt.Errorf("want version %d at most, have version %d; use a later kstatus", output.Version, kind.V)
	}
	switch kind.Type {
	case "start":
		return decode(line, &r.Start)
	case "target":
		return r.target(line)
	case "known":
		r.known = true
	case "tick":
		return r.step(line, true)
	case "object":
		return r.step(line, false)
	case "result":
		r.Result = new(resultLine)
		return decode(line, r.Result)
	case "facts":
		r.facts = new(explain.Facts)
	}
	if r.facts != nil {
		return r.facts.Decode(line)
	}
	return nil
}

func (r *Recording) target(line []byte) error {
	var l targetLine
	if err := decode(line, &l); err != nil {
		return err
	}
	t := recordedTarget(l.ID, l.Selection)
	r.all = append(r.all, waitview.Target{Target: t, Source: l.Source})
	if len(l.Goals) > 0 {
		r.goals[t] = l.Goals
	}
	return nil
}

func (r *Recording) step(line []byte, tick bool) error {
	s := step{tick: tick}
	if err := decode(line, &s.line); err != nil {
		return err
	}
	s.line.redact()
	if !tick && s.line.ID.Kind.Kind == "" && s.line.ID.Name == "" {
		if s.line.Error == "" {
			return errors.New("id: want a kind and a name, have none")
		}
		return nil // of a document that was not an object
	}
	r.steps = append(r.steps, s)
	return nil
}

// redact removes secrets from a line. The record may be an output with --show-secrets.
func (l *updateLine) redact() {
	l.Object = l.Object.Redact()
	l.Wants, l.Unreachable = output.RedactText(l.Wants), output.RedactText(l.Unreachable)
	l.setParts(l.Own, l.Parts)
}

// decode decodes a line of JSON, with exact numbers.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("read a line of a record: %w", err)
	}
	return nil
}

// Notes prints problems of the record.
func (r *Recording) Notes(out io.Writer) {
	note := func(format string, args ...any) {
		fmt.Fprintln(out, text.Line("note: "+r.name+fmt.Sprintf(format, args...)))
	}
	if r.incompleteLine > 0 {
		note(":%d: the last line is cut off, and left out", r.incompleteLine)
	}
	switch {
	case r.Result == nil:
		note(": the record ends before the end of the run")
	case r.Result.Left > 0:
		note(": %s not recorded, for the size of the record", text.Count(r.Result.Left, "change"))
	}
}
