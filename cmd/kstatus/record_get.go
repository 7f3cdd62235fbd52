package main

import (
	"errors"
	"runtime/debug"

	"kstatus.dev/explain"
)

// A printRecord records what a command prints.
type printRecord struct {
	*record
	of, noun string
	facts    *explain.Facts // that are explained; nil: none are
}

// A printedLine is the line about an object that was printed.
type printedLine struct {
	objectLine
	Created string `json:"created,omitempty"`
}

func (p *printRecord) start(l startLine) error {
	p.write(recordStart{startLine: l, Record: recordHead{Of: p.of, Version: versionText(debug.ReadBuildInfo), Subject: p.noun}})
	return nil
}

func (p *printRecord) object(v verdict) error {
	if v.ID.Kind != "" {
		p.write(printedLine{v.objectLine.said(), exactly(v.created)})
	}
	return nil
}

func (p *printRecord) end(l resultLine) error {
	if p.facts != nil {
		_, lines, err := recorded(p.facts)
		p.fail(err)
		p.text(lines)
	}
	p.write(recordResult{resultLine: l})
	return p.close()
}

// Printers print the same, each in its way.
type printers []printer

func (all printers) each(do func(printer) error) error {
	var errs []error
	for _, p := range all {
		errs = append(errs, do(p))
	}
	return errors.Join(errs...)
}

func (all printers) start(l startLine) error {
	return all.each(func(p printer) error { return p.start(l) })
}

func (all printers) object(v verdict) error {
	return all.each(func(p printer) error { return p.object(v) })
}

func (all printers) end(l resultLine) error {
	return all.each(func(p printer) error { return p.end(l) })
}
