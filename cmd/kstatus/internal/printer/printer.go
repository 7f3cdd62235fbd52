// Package printer prints a snapshot in the formats of -o: as a table, as a tree,
// as lines of JSON, as YAML and as names.
package printer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
)

// A Printer shows verdicts in one of the formats of -o.
type Printer interface {
	Start(output.Start) error    // once, at the beginning
	Object(output.Verdict) error // for each object
	End(output.Result) error     // once, at the end
}

// A Flusher is a printer that prints its objects when Flush or End is called.
type Flusher interface {
	// Flush prints the objects so far, with their ages at now.
	Flush(now time.Time) error
}

// A Format is one of the formats of -o.
type Format struct {
	name     string
	Evidence bool // it prints the fields that decided the status
	New      func(io.Writer, Options) Printer
}

// formats are the formats of -o, the default first.
var formats = []Format{
	{"table", false, func(w io.Writer, l Options) Printer { return &table{out: w, options: l} }},
	{"wide", false, func(w io.Writer, l Options) Printer { return &table{out: w, options: l, wide: true} }},
	{"json", true, func(w io.Writer, _ Options) Printer { return NewJSON(w) }},
	{"yaml", true, func(w io.Writer, _ Options) Printer { return &yamlPrinter{out: w} }},
	{"name", false, func(w io.Writer, _ Options) Printer { return Names{w} }},
}

// FormatOf returns the format with a name, or the default format.
func FormatOf(name string) Format {
	return formats[max(0, slices.Index(FormatNames(), name))]
}

// Options are the options of the text formats.
type Options struct {
	terminal.Style
	Now     time.Time
	Headers bool

	Labels       bool     // print a column with all labels
	LabelColumns []string // labels with a column each
}

// A Filter passes only some objects to its printer.
type Filter struct {
	Printer
	Keep func(output.Verdict) bool
}

// Object prints the object if the filter keeps it.
func (p Filter) Object(v output.Verdict) error {
	if !p.Keep(v) {
		return nil
	}
	return p.Printer.Object(v)
}

// Flush flushes the printer.
func (p Filter) Flush(now time.Time) error {
	if f, ok := p.Printer.(Flusher); ok {
		return f.Flush(now)
	}
	return nil
}

// FormatNames returns the values of -o.
func FormatNames() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.name)
	}
	return all
}

// jsonPrinter prints one JSON object per line.
type jsonPrinter struct {
	buffer  *bufio.Writer
	encoder *json.Encoder
}

// NewJSON returns a printer of one JSON object per line.
func NewJSON(w io.Writer) Printer {
	buffer := bufio.NewWriterSize(w, 1<<16)
	return &jsonPrinter{buffer, terminal.NewEncoder(buffer)}
}

// Start prints the first line at once, so that the reader knows that the command runs.
func (p *jsonPrinter) Start(l output.Start) error {
	if err := p.encoder.Encode(l); err != nil {
		return err
	}
	return p.buffer.Flush()
}

// Object prints the line of an object.
func (p *jsonPrinter) Object(v output.Verdict) error {
	v.Failing = v.IsFailing()
	return p.encoder.Encode(v.Object)
}

// End prints the last line.
func (p *jsonPrinter) End(l output.Result) error {
	if err := p.encoder.Encode(l); err != nil {
		return err
	}
	return p.buffer.Flush()
}

// yamlPrinter prints the same lines as YAML documents.
type yamlPrinter struct {
	out    io.Writer
	before string
}

// Start prints the first document.
func (p *yamlPrinter) Start(l output.Start) error { return p.print(l) }

// Object prints the document of an object.
func (p *yamlPrinter) Object(v output.Verdict) error { return p.print(v.Object) }

// End prints the last document.
func (p *yamlPrinter) End(l output.Result) error { return p.print(l) }

func (p *yamlPrinter) print(line any) error {
	text, err := terminal.MarshalYAML(line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s%s", p.before, text)
	p.before = "---\n"
	return err
}

// Names prints objects in the form of kubectl's arguments, TYPE/NAME: deployment.apps/web. With
// several clusters the context comes first, with a colon.
type Names struct{ Out io.Writer }

// Start prints nothing.
func (p Names) Start(output.Start) error { return nil }

// End prints nothing.
func (p Names) End(output.Result) error { return nil }

// Object prints the name of an object.
func (p Names) Object(v output.Verdict) error {
	if v.ID.Kind.Kind == "" {
		return nil
	}
	kind := strings.ToLower(v.ID.Kind.Kind)
	if v.ID.Group != "" {
		kind += "." + v.ID.Group
	}
	if v.ID.Cluster != "" {
		kind = v.ID.Cluster + ":" + kind
	}
	_, err := fmt.Fprintf(p.Out, "%s/%s\n", text.Line(kind), text.Line(v.ID.Name))
	return err
}
