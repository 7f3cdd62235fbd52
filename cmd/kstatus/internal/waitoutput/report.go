package waitoutput

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/internal/annotation"
	"kstatus.dev/observe"
	"kstatus.dev/report"
)

const reportUsage = "Report of the wait as `FORMAT=FILE`, with junit, json, md or html, and - for standard output. github writes annotations and a summary, " +
	"and is the default in GitHub Actions. none writes no report. Can be repeated, or separated by commas."

// reportView is a view that passes all calls to another view, and writes the reports at the end
// of the wait.
type reportView struct {
	waitview.View
	waitview.Config
	env      cli.Env
	commands io.Writer // for workflow commands of GitHub
	requests reportfile.Requests
	run      *report.Run
}

// WithReports returns a view that also writes the requested reports.
func (f *Flags) WithReports(env cli.Env, l waitview.Config, all reportfile.Requests, show waitview.View) waitview.View {
	if len(all) == 0 {
		return show
	}
	b := l.Brief
	start := report.Start{
		Time: l.Began, Version: cli.VersionText(debug.ReadBuildInfo), Command: f.CommandLine,
		Goal: slices.Concat(b.GoalNames(), b.Scoped), Any: b.Any, Timeout: b.Timeout.String(), Profile: b.Profile,
		Contexts: b.Request.Contexts,
	}
	for _, t := range b.Timeouts {
		if start.Timeouts == nil {
			start.Timeouts = map[string]string{}
		}
		start.Timeouts[t.Sel] = t.Timeout.String()
	}
	p := &reportView{View: show, Config: l, env: env, commands: cli.Commands(l.Out), requests: all, run: report.New(start)}
	if f.Format != "text" {
		p.commands = cli.Commands(env.Err)
	}
	return p
}

// SetTargets adds the targets to the reports.
func (p *reportView) SetTargets(all []waitview.Target) {
	p.View.SetTargets(all)
	for _, o := range all {
		var from *report.Source
		if o.Source != nil {
			from = &report.Source{File: terminal.RedactURL(o.Source.File), Line: o.Source.Line}
		}
		p.run.AddTarget(o.Target, from)
	}
}

// Update adds an update to the reports.
func (p *reportView) Update(u waitview.Event, b *observe.Board) error {
	p.run.AddUpdate(u.Update, p.Now())
	return p.View.Update(u, b)
}

// Explain adds the explanation to the reports.
func (p *reportView) Explain(e *explainer.Explanation) error {
	p.run.AddExplanation(e.Explanation)
	return p.View.Explain(e)
}

// Result writes the reports. If one cannot be written, it still writes the others. Such an error
// changes the exit code only if the wait succeeded.
func (p *reportView) Result(b *observe.Board, e waitview.Result) error {
	result := report.Result{Time: p.EventTime(), Outcome: e.Code.Outcome(), ExitCode: int(e.Code), TimedOut: e.TimedOut}
	if e.Err != nil {
		result.Error = e.Err.Error()
	}
	p.run.End(b, result)
	shown := p.View.Result(b, e)
	var errs []error
	for _, w := range p.requests {
		if err := p.write(w); err != nil {
			errs = append(errs, fmt.Errorf("report %s: %w", w.Format, err))
		}
	}
	err := errors.Join(errs...)
	if err != nil && e.Code != exit.OK {
		p.env.PrintError(err)
		return shown
	}
	return errors.Join(shown, err)
}

func (p *reportView) write(w reportfile.Request) error {
	switch w.Format {
	case reportfile.GitHub:
		return errors.Join(p.annotate(), p.summarize())
	case "junit":
		return w.Write(p.env, p.run.JUnit)
	case "json":
		return w.Write(p.env, p.run.JSON)
	case "md":
		return w.Write(p.env, func(out io.Writer) error { return p.run.Markdown(out, 0) })
	}
	return w.Write(p.env, p.run.HTML)
}

// annotate prints the annotations for GitHub.
func (p *reportView) annotate() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return p.run.GitHub(p.commands, p.env.Getenv("GITHUB_WORKSPACE"), dir)
}

// summarize appends to the job summary of GitHub, within its size limit.
func (p *reportView) summarize() error {
	name := p.env.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		if room := annotation.SummaryLimit - int(info.Size()); room > 0 {
			err = p.run.Markdown(file, room)
		}
	}
	return errors.Join(err, file.Close())
}
