package waitview

import (
	"encoding/json"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// waitLines prints a wait as one JSON object per line.
type JSON struct {
	Base
	Config
	Pending
	encode *json.Encoder
	from   map[observe.Target]*manifest.Source
	told   *explainer.Explained
}

func NewJSON(l Config) *JSON {
	return &JSON{Config: l, encode: terminal.NewEncoder(l.Out)}
}

func (p *JSON) Start() error {
	return p.encode.Encode(p.Brief.StartLine(p.At()))
}

func (p *JSON) Know(all []Target) {
	p.Pending.Know(all)
	p.from = SourcesOf(all)
}

func (p *JSON) Update(u Event, _ *observe.Board) error {
	if u.Tick() {
		return nil
	}
	p.Hear(u.Target)
	if p.Quiet {
		return nil
	}
	return p.encode.Encode(output.UpdateOf(u.Update, p.At(), p.from[u.Target]))
}

func (p *JSON) Why(e *explainer.Explained) error {
	p.told = e
	return nil
}

func (p *JSON) Result(b *observe.Board, e Result) error {
	return p.encode.Encode(ResultLine(b, e, p.At(), p.Objects(b), p.told))
}

// ResultLine returns the line that closes the stream.
func ResultLine(b *observe.Board, e Result, at time.Time, objects int, why *explainer.Explained) output.Result {
	line := output.Result{
		V: output.Version, Type: "result", Time: output.FormatTime(at), Outcome: e.Code.Outcome(), ExitCode: e.Code,
		Objects: objects, Counts: map[status.Status]int{},
	}
	for _, u := range b.Updates() {
		if !u.Target.IsSelection() {
			line.Counts[u.Result.Status]++
		}
		if u.Standing == observe.Ignored {
			line.Ignored++
		}
	}
	if why != nil {
		line.Causes, line.NotSeen = why.Causes, why.Gaps
	}
	return line
}

// waitNames prints the name of each object when it first meets the goals, as
// kubectl takes it.
type Names struct {
	Base
	Config
	Done map[observe.Target]bool
}

func (p *Names) Update(u Event, _ *observe.Board) error {
	if u.Standing != observe.Met || u.Target.IsSelection() || p.Done[u.Target] {
		return nil
	}
	p.Done[u.Target] = true
	return printer.Names{Out: p.Out}.Object(output.Verdict{Object: output.Object{ID: output.IDOfTarget(u.Target)}})
}

// A Quiet tells the end only, and of one that is as wished nothing if the
// names have told it.
type Quiet struct {
	*Log
	Content bool
}

func (l *Quiet) End(b *observe.Board, e Result) error {
	if l.Content && e.Code == exit.OK {
		return nil
	}
	return l.Log.End(b, e)
}

func (l *Quiet) Result(b *observe.Board, e Result) error {
	if l.Content && e.Code == exit.OK {
		return nil
	}
	return l.Log.Result(b, e)
}
