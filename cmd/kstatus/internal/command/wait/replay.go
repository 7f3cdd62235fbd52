package wait

import (
	"context"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/waitview"
)

// replay shows a recorded wait again, and returns its exit code.
func (w *command) replay(ctx context.Context, args []string) error {
	if len(args) > 0 || w.record.File != "" {
		return exit.Usagef("--local: want a record, without names and without another record")
	}
	read := manifest.NewReader(ctx, w.env.In)
	read.NoRemote = true
	rec, err := record.Open(read.Read(w.objects.Files, false, w.objects.Kustomize))
	if err != nil {
		return err
	}
	isRecord := rec != nil && (rec.Start.Record.Of == "wait" || rec.Start.Record.Of == "")
	if !isRecord && len(w.objects.Files) > 0 {
		return exit.Usagef("--local: want a record of kstatus wait, which --record writes; %s is none", strings.Join(w.objects.Files, ", "))
	}
	if !isRecord {
		return exit.Usagef("--local requires -f FILE, with a record of kstatus wait")
	}
	wishes, err := w.report.requests(w.env, w.output.format)
	if err != nil {
		return err
	}
	rec.Notes(w.env.Err)
	began := output.ParseTime(rec.Start.Time)
	told := waitview.NewEventClock(began)
	past := waitview.NewDurations("", "", told.Now, w.note)
	past.Progress.Usual = rec.Usual()
	look := waitview.Config{
		Out: wishes.logWriter(w.env), Now: told.Now, EventTime: told.Now, Began: told.First, Brief: rec.Brief(), Quiet: w.output.quiet, Full: w.output.progress.Full(w.env), Progress: past.Progress,
	}
	shown := waitview.Display{Mode: cli.ProgressLog, Page: w.env.Page(w.env.Err, w.output.progress.Colour)}
	if w.output.quiet || w.output.format != "text" {
		shown.Mode = cli.ProgressNone
	}
	return rec.Play(w.reporting(look, wishes, append(w.view(look, shown), past)), told)
}
