package record

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Print prints verdicts of the record, and returns the error with the exit code.
func (r *Recording) Print(show printer.Printer, all []output.Verdict, t *output.Tally, exitCode bool) error {
	head := r.Start.Start
	start := output.Start{V: output.Version, Type: "start", Time: output.FormatTime(output.ParseTime(head.Time)), Objects: new(len(all)), Profile: head.Profile, Contexts: head.Contexts}
	if err := show.Start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, v := range all {
		v.Time = output.FormatTime(output.ParseTime(v.Time))
		if err := show.Object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	line := t.Result(r.EndTime(), exit.OK)
	line.Outcome = r.outcome().Code.Outcome()
	if r.Result != nil {
		line.Outcome = r.Result.Outcome
		if r.Start.Record.Of != "wait" {
			line.ExitCode = r.Result.ExitCode
		}
	}
	if exitCode {
		line.ExitCode = exit.CodeForOutcome(line.Outcome)
	}
	if err := show.End(line); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return exit.With(line.ExitCode)
}

// Tally counts recorded verdicts.
func (r *Recording) Tally(all []output.Verdict) *output.Tally {
	t := &output.Tally{}
	for _, v := range all {
		t.Add(v)
	}
	return t
}

// Noun returns the noun for the objects.
func (r *Recording) Noun() string {
	if r.Start.Record.Subject != "" {
		return r.Start.Record.Subject
	}
	return "object"
}

// Verdicts returns the last verdict on each object, in the order of the request.
func (r *Recording) Verdicts() []output.Verdict {
	last := map[observe.Target]updateLine{}
	var order []observe.Target
	for _, s := range r.steps {
		t := s.line.target()
		if s.tick || t.IsSelection() {
			continue
		}
		if _, known := last[t]; !known {
			order = append(order, t)
		}
		last[t] = s.line
	}
	if r.Start.Record.Of == "wait" {
		place := map[observe.Target]int{}
		for i, o := range r.all {
			place[o.Target] = i + 1 - len(r.all)
		}
		slices.SortFunc(order, func(a, b observe.Target) int {
			if place[a] != place[b] {
				return place[a] - place[b]
			}
			return a.Compare(b)
		})
	}
	var all []output.Verdict
	for _, t := range order {
		if l := last[t]; !l.Left {
			all = append(all, output.Verdict{Object: l.Object, Created: output.ParseTime(l.Created)})
		}
	}
	return all
}

// EndTime returns the time of the end of the run, or of the last line if the record is cut off.
func (r *Recording) EndTime() time.Time {
	switch {
	case r.Result != nil:
		return output.ParseTime(r.Result.Time)
	case len(r.steps) > 0:
		return output.ParseTime(r.steps[len(r.steps)-1].line.Time)
	}
	return output.ParseTime(r.Start.Time)
}

// OnlyVerdicts reports whether the record has verdicts and no facts, as that of kstatus get.
func (r *Recording) OnlyVerdicts() bool { return r.facts == nil && r.Start.Record.Of == "get" }

// Explanations returns the facts of a run, and the explained objects. These have not met the goals of
// a wait, or are Current with a warning. Without facts in the record, the verdicts are the only
// facts.
func (r *Recording) Explanations() (known *explain.Facts, about []output.Verdict) {
	known = r.facts
	if known == nil {
		known = &explain.Facts{Now: r.EndTime()}
	}
	if r.Start.Record.Of != "wait" {
		about = r.Verdicts()
		if r.OnlyVerdicts() {
			for _, v := range about {
				known.Objects = append(known.Objects, v.Fact())
			}
		}
		return known, about
	}
	unmet := explainer.Explainable(r.board())
	known = explainer.Explain(known, unmet).Facts
	isUnmet := map[status.ID]bool{}
	for _, u := range unmet {
		about = append(about, output.Verdict{Object: output.UpdateOf(u, r.EndTime(), nil).Object})
		isUnmet[about[len(about)-1].ID] = true
	}
	for _, v := range r.Verdicts() {
		if v.Status == status.CurrentStatus && len(v.AllWarnings()) > 0 && !isUnmet[v.ID] {
			known.Objects = append(known.Objects, explain.ObjectFact{ID: v.ID, Result: v.Result})
			about = append(about, v)
		}
	}
	return known, about
}
