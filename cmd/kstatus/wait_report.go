package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"kstatus.dev/observe"
	"kstatus.dev/report"
)

// reportView keeps what another view shows, and writes the reports when it is
// over, however it ends.
type reportView struct {
	view
	config
	env         environment
	commands    io.Writer // where GitHub reads commands
	requests    reportRequests
	run         *report.Run
	resumeToken string // the token that lets GitHub take commands again
}

// reporting returns the view that also writes the reports that are wanted.
func (w *waitCommand) reporting(l config, all reportRequests, show view) view {
	if len(all) == 0 {
		return show
	}
	b := l.brief
	start := report.Start{
		Time: l.began, Version: versionText(debug.ReadBuildInfo), Command: w.report.command,
		Goal: slices.Concat(b.goalNames(), b.scoped), Any: b.any, Timeout: b.timeout.String(), Profile: b.profile,
		Contexts: b.request.contexts,
	}
	for _, t := range b.timeouts {
		if start.Timeouts == nil {
			start.Timeouts = map[string]string{}
		}
		start.Timeouts[t.sel] = t.timeout.String()
	}
	p := &reportView{view: show, config: l, env: w.env, commands: l.out, requests: all, run: report.New(start)}
	if w.output != "text" {
		p.commands = w.env.err
	}
	return p
}

// start keeps what the cluster says from being taken for commands: GitHub takes
// them from anything that a step prints.
func (p *reportView) start() error {
	if slices.Contains(p.requests, reportRequest{format: reportGitHub}) {
		p.resumeToken = rand.Text()
		if _, err := fmt.Fprintf(p.commands, "::stop-commands::%s\n", p.resumeToken); err != nil {
			return err
		}
	}
	return p.view.start()
}

func (p *reportView) know(all []target) {
	p.view.know(all)
	for _, o := range all {
		var from *report.Source
		if o.source != nil {
			from = &report.Source{File: redactURL(o.source.File), Line: o.source.Line}
		}
		p.run.Expect(o.Target, from)
	}
}

func (p *reportView) update(u event, b *observe.Board) error {
	p.run.Add(u.Update, p.now())
	return p.view.update(u, b)
}

func (p *reportView) why(e *explained) error {
	p.run.Explain(e.Explanation)
	return p.view.why(e)
}

// result writes the reports. One that cannot be written keeps no other from being
// so, and changes how the process exits only if all was well with the wait.
func (p *reportView) result(b *observe.Board, e result) error {
	result := report.Result{Time: p.at(), Outcome: e.code.outcome(), ExitCode: int(e.code)}
	if e.err != nil {
		result.Error = e.err.Error()
	}
	p.run.End(b, result)
	shown := p.view.result(b, e)
	var errs []error
	for _, w := range p.requests {
		if err := p.write(w); err != nil {
			errs = append(errs, fmt.Errorf("report %s: %w", w.format, err))
		}
	}
	err := errors.Join(errs...)
	if err != nil && e.code != exitOK {
		p.env.complain(err)
		return shown
	}
	return errors.Join(shown, err)
}

func (p *reportView) write(w reportRequest) error {
	switch w.format {
	case reportGitHub:
		return errors.Join(p.annotate(), p.summarize())
	case "junit":
		return p.deliver(w.file, p.run.JUnit)
	case "json":
		return p.deliver(w.file, p.run.JSON)
	case "md":
		return p.deliver(w.file, func(out io.Writer) error { return p.run.Markdown(out, 0) })
	}
	return p.deliver(w.file, p.run.HTML)
}

// deliver writes a report to a file.
func (p *reportView) deliver(file string, write func(io.Writer) error) error {
	if file == "-" {
		return write(p.env.out)
	}
	return replace(file, write)
}

// annotate prints the annotations of GitHub.
func (p *reportView) annotate() error {
	if _, err := fmt.Fprintf(p.commands, "::%s::\n", p.resumeToken); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return p.run.GitHub(p.commands, p.env.getenv("GITHUB_WORKSPACE"), dir)
}

// summarize adds to the summary of the job, as much as there is room for.
func (p *reportView) summarize() error {
	name := p.env.getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		if room := report.SummaryLimit - int(info.Size()); room > 0 {
			err = p.run.Markdown(file, room)
		}
	}
	return errors.Join(err, file.Close())
}

// replace writes a file whole or not at all. It follows symbolic links, and writes
// to what is not a regular file, such as a pipe.
func replace(name string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	}
	return replaceFile(name, 0o666, func(f *os.File) error { return write(f) })
}
