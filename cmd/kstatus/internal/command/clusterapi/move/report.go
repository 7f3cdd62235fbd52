package move

import (
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

// write writes a report.
func (o *outcome) write(env cli.Env, r reportfile.Request, line []string) error {
	run := o.run(line)
	write := run.HTML
	switch r.Format {
	case "junit":
		write = run.JUnit
	case "json":
		write = run.JSON
	case "md":
		write = func(out io.Writer) error { return run.Markdown(out, 0) }
	}
	return r.Write(env, write)
}

// run returns the outcome as a report. Its objects are those of the plan that are moved or copied,
// and those with a problem.
func (o *outcome) run(line []string) *report.Run {
	run := report.New(report.Start{
		Time: o.began, Name: "kstatus capi move", Version: cli.VersionText(debug.ReadBuildInfo), Command: line, Goal: []string{"moved"},
		Timeout: o.timeout.String(), Profile: status.Profile{}.Name(),
	})
	var board observe.Board
	for _, u := range o.updates() {
		run.AddTarget(u.Target, nil)
		run.AddUpdate(u, o.ended)
		board.Add(u)
	}
	run.End(&board, report.Result{Time: o.ended, Outcome: o.Outcome, ExitCode: o.ExitCode, Error: o.errorText()})
	return run
}

// errorText returns the error with the problems that are not about an object of the plan.
func (o *outcome) errorText() string {
	texts := []string{}
	if o.Error != "" {
		texts = append(texts, o.Error)
	}
	known := map[string]bool{}
	if o.Plan != nil {
		for _, i := range o.Plan.Items {
			known[i.Key()] = true
		}
	}
	for _, p := range o.Problems {
		if !known[p.Object] {
			texts = append(texts, p.String())
		}
	}
	return strings.Join(texts, "\n")
}

// updates returns a verdict on each object.
func (o *outcome) updates() (all []observe.Update) {
	problems := map[string]plan.Problem{} // the worst, by object
	for _, p := range o.Problems {
		if old, found := problems[p.Object]; !found || p.Severity > old.Severity {
			problems[p.Object] = p
		}
	}
	silent := map[string]bool{}
	if o.Result != nil {
		for _, name := range o.Result.Unacknowledged {
			silent[name] = true
		}
	}
	if o.Plan == nil {
		return nil
	}
	for _, i := range o.Plan.Items {
		p, hasProblem := problems[i.Key()]
		if i.Decision == plan.Exclude && !hasProblem {
			continue
		}
		u := observe.Update{Target: observe.TargetOf(i.ID())}
		u.Result, u.Progress = o.verdict(i)
		switch {
		case hasProblem && p.Severity >= severity.Error:
			u.Result, u.Progress = status.FailedTerminal(p.Check, "%s", p.Message), observe.ProgressFailed
		case hasProblem:
			u.Result.Warnings = append(u.Result.Warnings, p.Message)
		}
		if silent[u.Target.String()] {
			u.Result, u.Progress = status.InProgress("NotReported", "its controller has not reported since the end of the pause"), observe.ProgressPending
		}
		all = append(all, u)
	}
	return all
}

// verdict returns the verdict on an object without a problem.
func (o *outcome) verdict(i *plan.Item) (status.Result, observe.Progress) {
	where := text.Line(i.Reason)
	if i.Step >= 0 {
		where += ", step " + strconv.Itoa(i.Step)
	}
	switch {
	case i.Decision == plan.Exclude:
		return status.Current("Kept", "%s", where), observe.ProgressIgnored
	case o.Result != nil && o.Result.Phase == move.Done && i.Decision == plan.Copy:
		return status.Current("Copied", "%s", where), observe.ProgressReached
	case o.Result != nil && o.Result.Phase == move.Done:
		return status.Current("Moved", "%s", where), observe.ProgressReached
	case o.Result == nil:
		return status.InProgress("Planned", "%s: %s", i.Decision, where), observe.ProgressPending
	}
	return status.InProgress(string(o.Result.Phase), "%s: the move is %s", where, strings.ToLower(string(o.Result.Phase))), observe.ProgressPending
}
