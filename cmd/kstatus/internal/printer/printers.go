package printer

import (
	"errors"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
)

// Causes puts the causes into the last line of a printer.
type Causes struct {
	Printer
	Why *explain.Explanation
}

func (p Causes) End(l output.Result) error {
	l.Causes, l.NotSeen = p.Why.Causes, p.Why.Gaps
	return p.Printer.End(l)
}

// Printers print the same, each in its way.
type Printers []Printer

func (all Printers) each(do func(Printer) error) error {
	var errs []error
	for _, p := range all {
		errs = append(errs, do(p))
	}
	return errors.Join(errs...)
}

func (all Printers) Start(l output.Start) error {
	return all.each(func(p Printer) error { return p.Start(l) })
}

func (all Printers) Object(v output.Verdict) error {
	return all.each(func(p Printer) error { return p.Object(v) })
}

func (all Printers) End(l output.Result) error {
	return all.each(func(p Printer) error { return p.End(l) })
}
