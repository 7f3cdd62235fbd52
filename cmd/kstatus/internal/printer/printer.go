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

	"sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
)

// A Printer shows verdicts in one of the formats of -o.
type Printer interface {
	Start(output.Start) error
	Object(output.Verdict) error
	End(output.Result) error
}

// A Flusher is a printer that holds objects back until it is told to print them.
type Flusher interface {
	Flush(now time.Time) error
}

// The Formats of -o. Only the lines of json and yaml carry evidence.
var Formats = []struct {
	name     string
	Evidence bool
	Open     func(io.Writer, Options) Printer
}{
	{"table", false, func(w io.Writer, l Options) Printer { return &Table{Out: w, Look: l} }},
	{"wide", false, func(w io.Writer, l Options) Printer { return &Table{Out: w, Look: l, Wide: true} }},
	{"json", true, func(w io.Writer, _ Options) Printer { return NewLines(w) }},
	{"yaml", true, func(w io.Writer, _ Options) Printer { return &YAML{out: w} }},
	{"name", false, func(w io.Writer, _ Options) Printer { return Names{w} }},
}

func FormatIndex(name string) int {
	return max(0, slices.Index(FormatNames(), name))
}

// A Options is how text is shown to people.
type Options struct {
	terminal.Style
	Now     time.Time
	Headers bool
}

func FormatNames() []string {
	var all []string
	for _, f := range Formats {
		all = append(all, f.name)
	}
	return all
}

// Lines prints one JSON object per line.
type Lines struct {
	Buffer *bufio.Writer
	Encode *json.Encoder
}

func NewLines(w io.Writer) *Lines {
	buffer := bufio.NewWriterSize(w, 1<<16)
	return &Lines{buffer, terminal.NewEncoder(buffer)}
}

// Start is written at once, so that a reader sees that there is life.
func (p *Lines) Start(l output.Start) error {
	if err := p.Encode.Encode(l); err != nil {
		return err
	}
	return p.Buffer.Flush()
}

func (p *Lines) Object(v output.Verdict) error { return p.Encode.Encode(v.Object) }

func (p *Lines) End(l output.Result) error {
	if err := p.Encode.Encode(l); err != nil {
		return err
	}
	return p.Buffer.Flush()
}

// YAML prints the same lines as YAML documents.
type YAML struct {
	out    io.Writer
	before string
}

func (p *YAML) Start(l output.Start) error { return p.print(l) }

func (p *YAML) Object(v output.Verdict) error { return p.print(v.Object) }

func (p *YAML) End(l output.Result) error { return p.print(l) }

func (p *YAML) print(line any) error {
	text, err := yaml.Marshal(line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s%s", p.before, text)
	p.before = "---\n"
	return err
}

// Names prints what kubectl takes as TYPE/NAME: deployment.apps/web. Of several
// clusters the context stands in front, with a colon.
type Names struct{ Out io.Writer }

func (p Names) Start(output.Start) error { return nil }

func (p Names) End(output.Result) error { return nil }

func (p Names) Object(v output.Verdict) error {
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
	_, err := fmt.Fprintf(p.Out, "%s/%s\n", text.Line(kind), text.Line(v.ID.Name))
	return err
}
