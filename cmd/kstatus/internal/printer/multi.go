package printer

import (
	"errors"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
)

// Causes is a printer whose last line has the causes of an explanation.
type Causes struct {
	Printer
	Why *explain.Explanation
}

// End prints the last line, with the causes.
func (p Causes) End(l output.Result) error {
	l.Causes, l.NotSeen = p.Why.Causes, p.Why.Gaps
	return p.Printer.End(l)
}

// Multi passes everything to several printers.
type Multi []Printer

func (all Multi) each(do func(Printer) error) error {
	var errs []error
	for _, p := range all {
		errs = append(errs, do(p))
	}
	return errors.Join(errs...)
}

// Start calls Start of each printer.
func (all Multi) Start(l output.Start) error {
	return all.each(func(p Printer) error { return p.Start(l) })
}

// Object calls Object of each printer.
func (all Multi) Object(v output.Verdict) error {
	return all.each(func(p Printer) error { return p.Object(v) })
}

// End calls End of each printer.
func (all Multi) End(l output.Result) error {
	return all.each(func(p Printer) error { return p.End(l) })
}
