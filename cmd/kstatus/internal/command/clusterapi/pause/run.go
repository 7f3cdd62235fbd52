package pause

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A run is one pause with its views.
type run struct {
	command *command
	cluster *connection.Cluster
	targets []status.ID
	show    waitview.View
	clock   *waitview.EventClock
	board   observe.Board
	states  states
	changes chan pause.Object
	ended   chan struct{} // closed when changes are no longer read
}

// run pauses or unpauses, and shows it.
func (c *command) run(ctx context.Context, args []string) error {
	if err := errors.Join(c.check(), c.selected.Check(args)); err != nil {
		return err
	}
	requests, err := c.output.Reports.Requests(c.env, c.output.Format)
	if err != nil {
		return err
	}
	defer cli.ReportClosedPipes()()
	if len(requests) > 0 {
		c.env = c.env.WithoutPipeErrors()
	}
	display, err := c.output.Display(&c.env)
	if err != nil {
		return err
	}
	ctx, done := display.UntilSignal(ctx)
	defer done()
	r := &run{command: c, clock: waitview.NewEventClock(c.env.Now()), states: states{}, changes: make(chan pause.Object, 1024), ended: make(chan struct{})}
	if r.cluster, err = connection.Connect(ctx, c.env, c.connection); err != nil {
		return err
	}
	if r.targets, err = c.selected.Targets(ctx, r.cluster, args); err != nil {
		return cli.CutShort(ctx, err)
	}
	if len(r.targets) == 0 {
		fmt.Fprintln(c.env.Err, "No resources found.")
		return exit.With(exit.Missing)
	}
	// After a signal, the library still writes what is true.
	r.cluster.Requests.UseContext(context.WithoutCancel(ctx))
	durations := waitview.NewDurations(c.output.Progress.HistoryFile(c.env), r.cluster.Context, r.clock.Now, r.printNote)
	config := waitview.Config{
		Out: requests.LogWriter(c.env), Now: c.env.Now, EventTime: r.clock.Now, Began: r.clock.First, Brief: r.brief(),
		Quiet: c.output.Quiet, Full: c.output.Progress.Full(c.env), Progress: durations.Progress,
	}
	r.show = c.output.WithReports(c.env, config, requests, append(waitview.Multi{durations}, c.output.Views(c.env, config, display)...))
	return r.follow(ctx)
}

// brief returns what the views show about the request.
func (r *run) brief() waitview.Brief {
	name := "paused"
	if r.command.unpause {
		name = "unpaused"
	}
	s := output.Summary{Subject: text.Count(len(r.targets), "object"), Objects: len(r.targets)}
	if r.cluster.Context != "" {
		s.Contexts = []string{r.cluster.Context}
	}
	for _, t := range r.targets {
		s.Names, s.Namespaces = append(s.Names, t.String()), append(s.Namespaces, t.Namespace)
	}
	slices.Sort(s.Namespaces)
	s.Namespaces = slices.Compact(s.Namespaces)
	return waitview.Brief{Request: s, Goals: []observe.Goal{{Name: name}}, Timeout: &r.command.options.Timeout}
}

// change receives an object from the library.
func (r *run) change(o pause.Object) {
	select {
	case r.changes <- o:
	case <-r.ended:
	}
}

func (r *run) note(note string) { r.command.env.Print("note: %s", note) }

func (r *run) printNote(format string, args ...any) {
	r.command.env.Print("note: "+format, args...)
}

// follow calls the library, and shows each change.
func (r *run) follow(ctx context.Context) error {
	if err := r.show.Start(); err != nil {
		return err
	}
	targets := make([]waitview.Target, len(r.targets))
	for i, t := range r.targets {
		targets[i].Target = targetOf(t)
	}
	r.show.SetTargets(targets)
	var result *pause.Result
	var failure error
	returned := make(chan struct{})
	crash.Go(func() {
		defer close(returned)
		result, failure = r.command.call(ctx, r)
	})
	shown := r.showChanges(returned)
	close(r.ended)
	<-returned
	r.clock.Set(r.command.env.Now())
	return errors.Join(shown, r.end(ctx, result, failure))
}

// showChanges shows changes until the library has returned. After the first error of a view, it
// shows no more, but the pause continues.
func (r *run) showChanges(returned <-chan struct{}) (err error) {
	every := r.command.output.Every
	tick := time.NewTicker(waitview.Heartbeat(every))
	defer tick.Stop()
	beat := r.command.env.Now()
	for err == nil {
		select {
		case o := <-r.changes:
			r.clock.Set(r.command.env.Now())
			err = r.update(o)
		case <-tick.C:
			now := r.command.env.Now()
			r.clock.Set(now)
			if f, ok := r.show.(waitview.Flusher); ok {
				err = f.Flush()
			}
			if every > 0 && now.Sub(beat) >= every {
				beat = beat.Add(every)
				err = errors.Join(err, r.show.Update(waitview.NewEvent(observe.Update{}), &r.board))
			}
		case <-returned:
			for len(r.changes) > 0 {
				if err = r.update(<-r.changes); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return err
}

// update shows the state of an object.
func (r *run) update(o pause.Object) error {
	u, isNews := r.states.update(o)
	if !isNews {
		return nil
	}
	if !r.board.Synced() {
		u.Synced = true
	}
	r.board.Add(u)
	return r.show.Update(waitview.NewEvent(u), &r.board)
}

// end shows the result, and returns the exit code.
func (r *run) end(ctx context.Context, result *pause.Result, failure error) error {
	for _, o := range result.Objects {
		if u, isNews := r.states.update(o); isNews && !o.Done {
			r.board.Add(u)
		}
	}
	for _, t := range result.Targets {
		if u, ok := r.states.targetUpdate(t, r.clock.Now()); ok {
			r.board.Add(u)
			failure = errors.Join(failure, r.show.Update(waitview.NewEvent(u), &r.board))
		}
		if t.Done && t.Reason == "" && t.Before.Paused && t.Phase == pause.PhasePaused && r.command.unpause {
			r.printNote("%s stays paused, because it was paused before; --force resumes it", t.ID)
		}
		switch {
		case t.Done && t.Reason != "" && t.Before.Paused:
			r.printNote("%s: %s; --force resumes it", t.ID, t.Message)
		case t.Done && t.Reason != "":
			r.printNote("%s: %s", t.ID, t.Message)
		}
		if !t.Done && t.Reason != "" && t.Reason != pause.ReasonObjectsBusy && failure == nil {
			failure = errors.Join(failure, fmt.Errorf("%s: %s", t.ID, t.Message))
		}
	}
	end := waitview.Result{Code: r.code(ctx, result, failure), Err: failure}
	end.TimedOut, end.Cut = end.Code == exit.Timeout, end.Code != exit.OK
	if ctx.Err() != nil {
		end.Err = nil // the outcome says it
		r.printNote("%s", r.howToContinue())
	}
	if err := waitview.Finish(r.show, &r.board, end); err != nil {
		return err
	}
	if end.Err != nil {
		return &exit.Error{Code: end.Code, Err: end.Err}
	}
	return exit.With(end.Code)
}

func (r *run) howToContinue() string {
	if r.command.unpause {
		return "some objects may still be paused; run the command again to continue"
	}
	return "the Clusters stay paused; run the command again to continue, or kstatus capi unpause"
}

// code returns the exit code.
func (r *run) code(ctx context.Context, result *pause.Result, failure error) exit.Code {
	if s, ok := errors.AsType[*cli.SignalError](context.Cause(ctx)); ok {
		return s.Code
	}
	code := exit.OK
	for _, t := range result.Targets {
		switch {
		case t.Done:
		case t.Reason == pause.ReasonNotFound:
			code = exit.Worse(code, exit.Missing)
		case t.Reason == pause.ReasonNotSupported:
			return exit.WrongUsage
		case t.Reason == pause.ReasonForbidden:
			code = exit.Worse(code, exit.Forbidden)
		case t.Reason == pause.ReasonObjectsBusy, t.Reason == "" && failure == nil:
			code = exit.Worse(code, exit.Timeout)
		case t.Reason == pause.ReasonUnreadable, t.Reason == "":
			code = exit.Worse(code, exit.Uncertain)
		default:
			code = exit.Worse(code, exit.Failed)
		}
	}
	if failure != nil && code == exit.OK {
		code = exit.CodeOf(connection.WithExitCode(failure))
	}
	return code
}
