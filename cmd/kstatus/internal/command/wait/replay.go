package wait

import (
	"context"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/waitview"
)

// replay shows a recorded wait again, and returns its exit code.
func (w *command) replay(ctx context.Context, args []string) error {
	if len(args) > 0 || w.record.File != "" {
		return exit.Usagef("--local: want a record, without names and without another record")
	}
	read := w.env.Reader(ctx)
	read.NoRemote = true
	rec, err := record.Open(read.Read(w.objects.Files, false, w.objects.Kustomize))
	if err != nil {
		return err
	}
	isOfWait := rec != nil && (rec.Start.Record.Of == "wait" || rec.Start.Record.Of == "")
	switch {
	case isOfWait:
	case len(w.objects.Files) == 0:
		return exit.Usagef("--local requires -f FILE, with a record of kstatus wait")
	case rec != nil:
		return exit.Usagef("%[1]s is a record of kstatus %[2]s, and wait --local needs a record of kstatus wait; use kstatus %[2]s --local -f %[1]s", w.objects.Files[0], rec.Start.Record.Of)
	default:
		return exit.Usagef("with --local, wait only shows a record (see --record), and %s is not a record; to judge saved objects, use kstatus get --local", strings.Join(w.objects.Files, ", "))
	}
	requests, err := w.output.Reports.Requests(w.env, w.output.Format)
	if err != nil {
		return err
	}
	rec.Notes(w.env.Err)
	began := output.ParseTime(rec.Start.Time)
	clock := waitview.NewEventClock(began)
	durations := waitview.NewDurations("", "", clock.Now, w.note)
	durations.Progress.Usual = rec.Usual()
	config := waitview.Config{
		Out: requests.LogWriter(w.env), Now: clock.Now, EventTime: clock.Now, Began: clock.First, Brief: rec.Brief(), Quiet: w.output.Quiet, Full: w.output.Progress.Full(w.env), Progress: durations.Progress,
	}
	display := waitview.Display{Mode: cli.ProgressLog, Page: w.env.Page(w.env.Err, w.output.Progress.Colour)}
	if w.output.Quiet || w.output.Format != "text" {
		display.Mode = cli.ProgressNone
	}
	return rec.Play(w.output.WithReports(w.env, config, requests, append(w.output.Views(w.env, config, display), durations)), clock)
}
