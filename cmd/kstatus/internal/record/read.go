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

// A Recording is a record that has been read.
type Recording struct {
	name   string
	Start  startLine
	all    []waitview.Target // the targets
	goals  map[observe.Target][]string
	known  bool   // that is all
	steps  []step // in order
	facts  *explain.Facts
	Result *resultLine // nil: the run was cut off
	torn   int         // the number of the last line, if it is not whole; zero: it is
}

// A step is one thing that has happened.
type step struct {
	line updateLine
	tick bool
}

// A record, and the output of -o json, begins with this.
var opensRecord = regexp.MustCompile(`^\s*\{"v":\d+,"type":"start"`)

// Open returns the record that the inputs are, nil if they are something
// else.
func Open(inputs []manifest.Input) (*Recording, error) {
	for _, in := range inputs {
		if !in.OpensWith(opensRecord) {
			continue
		}
		if len(inputs) > 1 {
			return nil, exit.Usagef("-f %s: a record stands alone", in.Name)
		}
		return readRecording(manifest.Source{File: in.Name}.String(), in.Text)
	}
	return nil, nil
}

// Replayed returns the record in the inputs, nil if they are something else. It refuses to
// record a replay.
func (f *Flags) Replayed(inputs []manifest.Input) (*Recording, error) {
	rec, err := Open(inputs)
	if rec != nil && f.File != "" {
		return nil, exit.Usagef("--record: want it without a record, which tells what was seen and judged then")
	}
	return rec, err
}

// readRecording reads a record. What it does not know it leaves alone, as a later
// version may have written it; a last line that is not whole is left out.
func readRecording(name string, text []byte) (*Recording, error) {
	r := &Recording{name: name, goals: map[observe.Target][]string{}}
	for n := 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		err := r.take(line)
		if errors.Is(err, io.ErrUnexpectedEOF) && len(bytes.TrimSpace(rest)) == 0 {
			r.torn = n
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

// take takes one line.
func (r *Recording) take(line []byte) error {
	var kind struct {
		V    int
		Type string
	}
	if err := decode(line, &kind); err != nil {
		return err
	}
	if kind.V > output.Version {
		return fmt.Errorf("it is of version %d, which a later kstatus has written; this one reads version %d", kind.V, output.Version)
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
	if !tick && s.line.ID.Kind == "" && s.line.ID.Name == "" {
		if s.line.Error == "" {
			return errors.New("id: want a kind and a name, have none")
		}
		return nil // of a document that was no object
	}
	r.steps = append(r.steps, s)
	return nil
}

// redact removes secrets from a line, which may be from an output with secrets.
func (l *updateLine) redact() {
	l.Object = l.Object.Redact()
	l.Wants, l.Unreachable = output.RedactText(l.Wants), output.RedactText(l.Unreachable)
	l.Parts = partsOf(l.Parts, l.Message)
}

// decode reads a line of JSON, with numbers as they are written.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("read a line of a record: %w", err)
	}
	return nil
}

// Notes prints oddities of a record.
func (r *Recording) Notes(out io.Writer) {
	note := func(format string, args ...any) {
		fmt.Fprintln(out, text.Line("note: "+r.name+fmt.Sprintf(format, args...)))
	}
	if r.torn > 0 {
		note(":%d: the last line is cut off, and left out", r.torn)
	}
	switch {
	case r.Result == nil:
		note(": the record ends before the run did")
	case r.Result.Left > 0:
		note(": %s not recorded, for the size of the record", text.Count(r.Result.Left, "change"))
	}
}
