package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"kstatus.dev/internal/text"
)

// A printer shows verdicts in one of the formats of -o.
type printer interface {
	start(startLine) error
	object(verdict) error
	end(resultLine) error
}

// A flusher is a printer that holds objects back until it is told to print them.
type flusher interface {
	flush(now time.Time) error
}

// The formats of -o. Only the lines of json and yaml carry evidence.
var formats = []struct {
	name     string
	evidence bool
	open     func(io.Writer, look) printer
}{
	{"table", false, func(w io.Writer, l look) printer { return &table{out: w, look: l} }},
	{"wide", false, func(w io.Writer, l look) printer { return &table{out: w, look: l, wide: true} }},
	{"json", true, func(w io.Writer, _ look) printer { return newLines(w) }},
	{"yaml", true, func(w io.Writer, _ look) printer { return &documents{out: w} }},
	{"name", false, func(w io.Writer, _ look) printer { return names{w} }},
}

func formatIndex(name string) int {
	return max(0, slices.Index(formatNames(), name))
}

// A look is how text is shown to people.
type look struct {
	style
	now     time.Time
	headers bool
}

func formatNames() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.name)
	}
	return all
}

// lines prints one JSON object per line.
type lines struct {
	buffer *bufio.Writer
	encode *json.Encoder
}

func newLines(w io.Writer) *lines {
	buffer := bufio.NewWriterSize(w, 1<<16)
	return &lines{buffer, encoderOn(buffer)}
}

// encoderOn returns what writes values as lines of JSON that a terminal shows as
// they stand: what would steer it, or turn the direction of writing, is escaped.
func encoderOn(w io.Writer) *json.Encoder {
	encode := json.NewEncoder(escaping{w})
	encode.SetEscapeHTML(false)
	return encode
}

// An escaping writer escapes what encoding/json does not. Each write is a whole
// value.
type escaping struct{ io.Writer }

// Write writes a value.
func (w escaping) Write(value []byte) (int, error) {
	if _, err := w.Writer.Write(text.EscapeJSON(value)); err != nil {
		return 0, err
	}
	return len(value), nil
}

// start is written at once, so that a reader sees that there is life.
func (p *lines) start(l startLine) error {
	if err := p.encode.Encode(l); err != nil {
		return err
	}
	return p.buffer.Flush()
}

func (p *lines) object(v verdict) error { return p.encode.Encode(v.objectLine) }

func (p *lines) end(l resultLine) error {
	if err := p.encode.Encode(l); err != nil {
		return err
	}
	return p.buffer.Flush()
}

// documents prints the same lines as YAML documents.
type documents struct {
	out    io.Writer
	before string
}

func (p *documents) start(l startLine) error { return p.print(l) }
func (p *documents) object(v verdict) error  { return p.print(v.objectLine) }
func (p *documents) end(l resultLine) error  { return p.print(l) }
func (p *documents) print(line any) error {
	text, err := yaml.Marshal(line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s%s", p.before, text)
	p.before = "---\n"
	return err
}

// names prints what kubectl takes as TYPE/NAME: deployment.apps/web. Of several
// clusters the context stands in front, with a colon.
type names struct{ out io.Writer }

func (p names) start(startLine) error { return nil }
func (p names) end(resultLine) error  { return nil }
func (p names) object(v verdict) error {
	if v.ID.Kind == "" {
		return nil
	}
	kind := strings.ToLower(v.ID.Kind)
	if v.ID.Group != "" {
		kind += "." + v.ID.Group
	}
	if v.ID.Cluster != "" {
		kind = v.ID.Cluster + ":" + kind
	}
	_, err := fmt.Fprintf(p.out, "%s/%s\n", text.Line(kind), text.Line(v.ID.Name))
	return err
}
