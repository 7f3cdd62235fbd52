package main

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
)

// print shows verdicts of the record, and returns how the command is to exit.
func (r *recording) print(show printer, all []verdict, t *tally, exitCode bool) error {
	head := r.start.startLine
	start := startLine{V: linesVersion, Type: "start", Time: rfc3339(timeOf(head.Time)), Objects: new(len(all)), Profile: head.Profile, Contexts: head.Contexts}
	if err := show.start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, v := range all {
		v.Time = rfc3339(timeOf(v.Time))
		if err := show.object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	line := t.result(r.ended(), exitOK)
	line.Outcome = r.outcome().code.outcome()
	if r.result != nil {
		line.Outcome = r.result.Outcome
		if r.start.Record.Of != "wait" {
			line.ExitCode = r.result.ExitCode
		}
	}
	if exitCode {
		line.ExitCode = codeNamed(line.Outcome)
	}
	if err := show.end(line); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return exitWith(line.ExitCode)
}

// tally counts verdicts that were recorded.
func (r *recording) tally(all []verdict) *tally {
	t := &tally{}
	for _, v := range all {
		t.add(v)
	}
	return t
}

// noun returns what the objects are called.
func (r *recording) noun() string {
	if r.start.Record.Subject != "" {
		return r.start.Record.Subject
	}
	return "object"
}

// verdicts returns the verdicts at the end, in the order in which the objects were
// asked for.
func (r *recording) verdicts() []verdict {
	last := map[observe.Target]recordLine{}
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
	if r.start.Record.Of == "wait" {
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
	var all []verdict
	for _, t := range order {
		if l := last[t]; !l.Left {
			all = append(all, verdict{objectLine: l.objectLine, created: timeOf(l.Created)})
		}
	}
	return all
}

// ended returns when the run was over, or when it was cut off.
func (r *recording) ended() time.Time {
	switch {
	case r.result != nil:
		return timeOf(r.result.Time)
	case len(r.steps) > 0:
		return timeOf(r.steps[len(r.steps)-1].line.Time)
	}
	return timeOf(r.start.Time)
}

// explained returns the facts of a run, and what it explained. Without facts, the
// verdicts are all that is known.
func (r *recording) explained() (known *explain.Facts, about []verdict) {
	known = r.facts
	if known == nil {
		known = &explain.Facts{Now: r.ended()}
	}
	if r.start.Record.Of != "wait" {
		return known, r.verdicts()
	}
	unmet := unexplained(r.board())
	known = explainedBy(known, unmet).facts
	for _, u := range unmet {
		about = append(about, verdict{objectLine: waitLineOf(u, r.ended(), nil).objectLine})
	}
	return known, about
}
