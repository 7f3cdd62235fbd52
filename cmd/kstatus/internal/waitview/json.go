package waitview

import (
	"encoding/json"
	"time"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// JSON prints a wait as one JSON object per line.
type JSON struct {
	Base
	Config
	Pending
	encoder     *json.Encoder
	sources     map[observe.Target]*manifest.Source
	explanation *explainer.Explanation
}

// NewJSON returns a view that prints lines of JSON.
func NewJSON(l Config) *JSON {
	return &JSON{Config: l, encoder: terminal.NewEncoder(l.Out)}
}

// Start prints the first line.
func (p *JSON) Start() error {
	return p.encoder.Encode(p.Brief.StartLine(p.EventTime()))
}

// SetTargets keeps the targets, and the files that name them.
func (p *JSON) SetTargets(all []Target) {
	p.Pending.SetTargets(all)
	p.sources = SourcesOf(all)
}

// Update prints the line of an update, unless the output is quiet.
func (p *JSON) Update(u Event, _ *observe.Board) error {
	if u.Tick() {
		return nil
	}
	p.MarkReported(u.Target)
	if p.Quiet {
		return nil
	}
	return p.encoder.Encode(output.UpdateOf(u.Update, p.EventTime(), p.sources[u.Target]))
}

// Explain keeps the explanation for the last line.
func (p *JSON) Explain(e *explainer.Explanation) error {
	p.explanation = e
	return nil
}

// Result prints the last line.
func (p *JSON) Result(b *observe.Board, e Result) error {
	return p.encoder.Encode(ResultLine(b, e, p.EventTime(), p.Objects(b), p.explanation))
}

// ResultLine returns the last line of a wait for a number of objects.
func ResultLine(b *observe.Board, e Result, at time.Time, objects int, why *explainer.Explanation) output.Result {
	line := output.Result{
		V: output.Version, Type: "result", Time: output.FormatTime(at), Outcome: e.Code.Outcome(), ExitCode: e.Code, TimedOut: e.TimedOut,
		Objects: objects, Counts: map[status.Status]int{},
	}
	for _, u := range b.Updates() {
		if !u.Target.IsSelection() {
			line.Counts[status.Status(statusWord(u))]++
		}
		if u.Progress == observe.ProgressIgnored {
			line.Ignored++
		}
	}
	if why != nil {
		line.Causes, line.NotSeen = why.Causes, why.Gaps
	}
	return line
}
