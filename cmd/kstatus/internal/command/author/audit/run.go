package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/redact"
)

// An auditRun is an audit in progress.
type auditRun struct {
	command      *command
	kinds        []string
	auditor      *audit.Auditor
	file         *cli.PartialFile // of --record; or nil
	record       *writes.Writer   // or nil
	secrets      redact.Objects
	err          error     // the first error of recording
	lastWrite    time.Time // the time of the last write, or of the start
	code         exit.Code // the exit code
	printedNotes sync.Map  // the notes that have been printed
}

// open opens the file of --record. The file holds objects, so only its owner may read it.
func (s *auditRun) open() error {
	name := s.command.record
	if name == "" {
		return nil
	}
	if cli.IsInput(name, []string{s.command.from}) {
		return exit.Usagef("--record %s: want another file than that of --from", name)
	}
	file, err := cli.NewPartialFile(name)
	if err == nil {
		s.file = file
		s.record, err = writes.NewWriter(file, strings.HasSuffix(name, ".gz"))
	}
	if err != nil {
		return exit.Usagef("--record: %w", err)
	}
	return nil
}

// add handles a write.
func (s *auditRun) add(w audit.Write) {
	if s.record != nil && s.err == nil {
		kept := w
		if !s.command.showSecrets {
			kept.Object = s.secrets.Object(w.Object)
		}
		s.err = s.record.Write(kept)
	}
	s.auditor.Add(w)
}

// replay reads the writes from a record.
func (s *auditRun) replay() error {
	c := s.command
	in, name := io.NopCloser(c.env.In), "standard input"
	if c.from != "-" {
		file, err := os.Open(c.from)
		if err != nil {
			return fmt.Errorf("--from: %w", err)
		}
		in, name = file, c.from
	}
	defer in.Close()
	printNote := cli.NotePrinter(c.env.Err)
	r := writes.Reader{Kinds: s.kinds, OnNote: func(note string) { printNote(name + ": " + note) }}
	if err := r.Read(in, s.add); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// The causes of a planned end.
var (
	errDurationReached = errors.New("the time of --for is over")
	errIdle            = errors.New("no write was seen for the time of --until-idle")
)

// follow audits the writes to a cluster.
func (s *auditRun) follow(ctx context.Context) error {
	c := s.command
	ctx, done := cli.UntilSignal(ctx)
	defer done()
	if c.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.duration, errDurationReached)
		defer cancel()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	to, err := connection.Connect(ctx, c.env, c.connection)
	if err != nil {
		return err
	}
	if err := s.checkServed(ctx, to); err != nil {
		return cli.CutShort(ctx, err)
	}
	// Follow ends the open requests itself, and then returns the remaining writes.
	to.Requests.UseContext(context.WithoutCancel(ctx))
	cluster := &writes.Cluster{Config: to.Config, Kinds: s.kinds, OnNote: func(note string) {
		s.printedNotes.Store(note, true)
		to.Notify(note)
	}}
	where := "all namespaces"
	if !c.allNamespaces {
		cluster.Namespaces, where = []string{to.Namespace}, "namespace "+to.Namespace
	}
	if c.progress != cli.ProgressNone {
		cluster.OnSynced = func() { to.Notify(fmt.Sprintf("watching %s in %s%s", strings.Join(s.kinds, ", "), where, c.endText())) }
	}
	err = cluster.Watch(ctx, func(w audit.Write) {
		s.add(w)
		if w.Type != audit.WriteTick || s.lastWrite.IsZero() {
			s.lastWrite = w.Time
		}
		if c.idle > 0 && w.Time.Sub(s.lastWrite) >= c.idle {
			stop(errIdle)
		}
	})
	s.add(audit.Write{Type: audit.WriteTick, Time: time.Now().UTC().Round(0)})
	if signal, ok := errors.AsType[*cli.SignalError](context.Cause(ctx)); ok && (c.duration > 0 || c.idle > 0) {
		s.code = signal.Code
	}
	return cli.CutShort(ctx, err)
}

// checkServed returns an error for kinds that the server does not serve, and for a namespace
// that does not exist. Such an audit would see no writes, and a typo would look like a success.
func (s *auditRun) checkServed(ctx context.Context, to *connection.Cluster) error {
	for _, kind := range s.kinds {
		if strings.Contains(kind, "*") {
			continue
		}
		_, err := to.Types(kind)
		if unserved, ok := errors.AsType[*connection.TypeError](err); ok && unserved.Err == nil {
			unserved.Object = true // the error says that the server has no such type
			return exit.Usage(unserved)
		}
	}
	if s.command.allNamespaces {
		return nil
	}
	_, err := to.GetNamespace(ctx)
	return connection.WithExitCode(err)
}

// endText returns what ends an audit, as text.
func (a *command) endText() string {
	var all []string
	if a.duration > 0 {
		all = append(all, "for "+a.duration.String())
	}
	if a.idle > 0 {
		all = append(all, "until nothing has been written for "+a.idle.String())
	}
	if len(all) == 0 {
		return ", until Ctrl-C"
	}
	return ", " + strings.Join(all, ", or ")
}

// finish prints the report, and returns the error with the exit code.
func (s *auditRun) finish(failed error) error {
	report := s.auditor.Report()
	isEmpty := failed != nil && report.Coverage.Versions == 0 && report.Coverage.Requests == 0
	if s.record != nil {
		s.err = errors.Join(s.err, s.record.Close())
		if isEmpty {
			s.err = errors.Join(s.err, s.file.Discard())
		} else {
			s.err = errors.Join(s.err, s.file.Close())
		}
	}
	if isEmpty {
		failed = connection.WithExitCode(failed)
		return s.unprintedError(exit.CodeOf(failed), failed)
	}
	r := auditResult{report: report, kinds: s.auditor.KindMetrics(), code: s.code}
	if r.code == exit.OK && failed != nil {
		r.code = exit.CodeOf(connection.WithExitCode(failed))
	}
	if s.err != nil {
		r.code = exit.Uncertain
	}
	if report.Failed() {
		r.code = exit.Findings
	}
	for _, f := range auditFormats {
		if f.name == s.command.output {
			if err := f.print(r, s.command.env); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	err := failed
	if s.err != nil {
		err = errors.Join(err, fmt.Errorf("record: %w", s.err))
	}
	return s.unprintedError(r.code, err)
}

// unprintedError returns an error with the exit code. It leaves err out if notes have already
// printed each of its lines.
func (s *auditRun) unprintedError(code exit.Code, err error) error {
	if err == nil {
		return exit.With(code)
	}
	for line := range strings.Lines(err.Error()) {
		if _, isPrinted := s.printedNotes.Load(strings.TrimSuffix(line, "\n")); !isPrinted {
			return &exit.Error{Code: code, Err: err}
		}
	}
	return exit.With(code)
}
