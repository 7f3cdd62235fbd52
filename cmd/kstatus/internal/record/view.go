package record

import (
	"runtime/debug"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/observe"
)

// A View records a wait.
type View struct {
	waitview.Config
	waitview.Pending
	*Writer
	sources     map[observe.Target]*manifest.Source
	left        map[observe.Target]bool // objects with omitted changes
	missed      int                     // the number of omitted changes
	known       bool                    // all targets are known
	explanation *explainer.Explanation
}

// NewView returns a view that records a wait.
func NewView(l waitview.Config, r *Writer) *View {
	return &View{Config: l, Writer: r, left: map[observe.Target]bool{}}
}

// Start writes the first line.
func (r *View) Start() error {
	request := r.Brief.Request
	line := startLine{Start: r.Brief.StartLine(r.EventTime()), Record: header{
		Of: "wait", Version: cli.VersionText(debug.ReadBuildInfo), Subject: request.Subject, Names: request.Names, Namespaces: request.Namespaces,
		Contexts: request.Contexts, Goals: r.Brief.GoalNames(), Scoped: r.Brief.Scoped,
	}}
	line.Time = output.FormatExactTime(r.EventTime())
	for _, t := range r.Brief.Timeouts {
		line.Record.Timeouts = append(line.Record.Timeouts, scopedTimeout{t.Sel, t.Timeout.String()})
	}
	r.write(line)
	return nil
}

// SetTargets writes a line for each target.
func (r *View) SetTargets(all []waitview.Target) {
	r.Pending.SetTargets(all)
	r.known = true
	r.sources = waitview.SourcesOf(all)
	for _, o := range all {
		line := targetLine{V: output.Version, Type: "target", Time: output.FormatExactTime(r.EventTime()), ID: o.Target.ID(), Goals: r.ownGoals(o.Target)}
		if o.Source != nil {
			line.Source = &manifest.Source{File: terminal.RedactURL(o.Source.File), Line: o.Source.Line}
		}
		if o.IsSelection() {
			line.Selection = &output.Matching{Labels: o.LabelSelector, Fields: o.FieldSelector}
		}
		r.write(line)
	}
	r.write(markLine{V: output.Version, Type: "known", Time: output.FormatExactTime(r.EventTime()), Targets: new(len(all))})
}

// ownGoals returns the names of an object's own goals, or nil without them.
func (r *View) ownGoals(t observe.Target) []string {
	if r.Brief.OwnGoals == nil {
		return nil
	}
	return waitview.GoalNames(r.Brief.OwnGoals(t))
}

// Update writes an update, unless the record is full.
func (r *View) Update(u waitview.Event, _ *observe.Board) error {
	if u.Tick() {
		r.write(markLine{V: output.Version, Type: "tick", Time: output.FormatExactTime(r.EventTime()), Synced: u.Synced})
		return nil
	}
	r.MarkReported(u.Target)
	if r.full() {
		r.left[u.Target] = true
		r.missed++
		return nil
	}
	r.write(r.line(u.Update))
	return nil
}

func (r *View) line(u observe.Update) updateLine {
	line := newUpdateLine(u, r.EventTime(), r.sources[u.Target])
	if r.Progress != nil && r.Progress.Usual != nil {
		if usual, known := r.Progress.Usual(u.Target); known {
			line.Usual = usual.String()
		}
	}
	return line
}

// End writes the last verdict on each object with omitted changes.
func (r *View) End(b *observe.Board, _ waitview.Result) error {
	for _, u := range b.Updates() {
		if r.left[u.Target] {
			line := r.line(u)
			line.Final = true
			r.write(line)
		}
	}
	return nil
}

// Explain keeps the explanation for the end of the record.
func (r *View) Explain(e *explainer.Explanation) error {
	r.explanation = e
	_, lines, err := explainer.RecordCopy(e.Facts)
	r.fail(err)
	r.text(lines)
	return nil
}

// Result closes the record. An error of writing changes the exit code only if the wait
// succeeded.
func (r *View) Result(b *observe.Board, e waitview.Result) error {
	line := resultLine{Result: waitview.ResultLine(b, e, r.EventTime(), r.Objects(b), r.explanation), Cut: e.Cut, Left: r.missed}
	line.Time = output.FormatExactTime(r.EventTime())
	if e.Err != nil {
		line.Error = output.RedactText(e.Err.Error())
	}
	r.write(line)
	if e.Err != nil && !r.known {
		return r.discard() // the wait ended before it had any data
	}
	return r.close()
}
