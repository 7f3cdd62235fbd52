package record

import (
	"runtime/debug"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
)

// A Printer records the output of a command.
type Printer struct {
	*Writer
	Of, Noun string
	Facts    *explain.Facts // of the explanation; may be nil
}

// A printedLine is the line about a printed object.
type printedLine struct {
	output.Object
	Created string `json:"created,omitempty"`
}

// Start writes the first line.
func (p *Printer) Start(l output.Start) error {
	p.write(startLine{Start: l, Record: header{Of: p.Of, Version: cli.VersionText(debug.ReadBuildInfo), Subject: p.Noun}})
	return nil
}

// Object writes the line of an object.
func (p *Printer) Object(v output.Verdict) error {
	if v.ID.Kind.Kind != "" {
		p.write(printedLine{v.Object.Redact(), output.FormatExactTime(v.Created)})
	}
	return nil
}

// End writes the last lines, and closes the record.
func (p *Printer) End(l output.Result) error {
	if p.Facts != nil {
		_, lines, err := explainer.RecordCopy(p.Facts)
		p.fail(err)
		p.text(lines)
	}
	p.write(resultLine{Result: l})
	return p.close()
}
