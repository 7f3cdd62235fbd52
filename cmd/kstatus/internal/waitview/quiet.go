package waitview

import (
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/observe"
)

// A Quiet is a log that prints nothing before the end.
type Quiet struct {
	*Log
	OmitSuccess bool // a successful wait prints nothing
}

// End prints the state of all objects.
func (l *Quiet) End(b *observe.Board, e Result) error {
	if l.OmitSuccess && e.Code == exit.OK {
		return nil
	}
	return l.Log.End(b, e)
}

// Result prints the last line.
func (l *Quiet) Result(b *observe.Board, e Result) error {
	if l.OmitSuccess && e.Code == exit.OK {
		return nil
	}
	return l.Log.Result(b, e)
}
