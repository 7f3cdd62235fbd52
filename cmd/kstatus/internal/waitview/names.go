package waitview

import (
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/observe"
)

// Names prints the name of each object when it first meets the goals, in the form of kubectl's
// arguments.
type Names struct {
	Base
	Config
	done map[observe.Target]bool
}

// NewNames returns a view that prints names.
func NewNames(c Config) *Names {
	return &Names{Config: c, done: map[observe.Target]bool{}}
}

// Update prints the name of an object that meets the goals for the first time.
func (p *Names) Update(u Event, _ *observe.Board) error {
	if u.Progress != observe.ProgressReached || u.Target.IsSelection() || p.done[u.Target] {
		return nil
	}
	p.done[u.Target] = true
	return printer.Names{Out: p.Out}.Object(output.Verdict{Object: output.Object{ID: u.Target.ID()}})
}
