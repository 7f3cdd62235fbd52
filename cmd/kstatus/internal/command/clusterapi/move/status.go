package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
)

// status prints what the journal of a move contains.
func (c *command) status(ctx context.Context) error {
	if err := c.checkJournal(); err != nil {
		return err
	}
	ctx, done := cli.UntilSignal(ctx)
	defer done()
	s := &session{command: c, ctx: ctx}
	o := move.Options{Journal: c.journal.file, JournalNamespace: c.journal.namespace, ID: c.journal.id}
	if o.JournalNamespace != "" && o.ID != "" {
		source, err := s.config(c.connection)
		if err != nil {
			return fmt.Errorf("the source: %w", err)
		}
		o.Source = source.Config
		if c.sides.toKubeconfig != "" || c.sides.toContext != "" {
			target, err := s.config(s.target())
			if err != nil {
				return fmt.Errorf("the target: %w", err)
			}
			o.Target = target.Config
		}
	}
	j, err := move.ReadStatus(ctx, o)
	if err != nil {
		code := s.code(err)
		if errors.Is(err, fs.ErrNotExist) {
			code = exit.Missing
		}
		return &exit.Error{Code: code, Err: err}
	}
	s.outcome = outcome{V: 1, Type: "status", ID: j.ID, Journal: c.journal.file, Status: j}
	if j.MayResume {
		s.outcome.Next = append(s.outcome.Next, s.goOnCommand("resume"))
	}
	if j.MayRollBack {
		s.outcome.Next = append(s.outcome.Next, s.goOnCommand("rollback"))
	}
	s.outcome.Outcome = exit.OK.Outcome()
	if !c.output.isText() {
		return terminal.NewEncoder(c.env.Out).Encode(s.outcome)
	}
	lines := append(statusLines(j), s.nextTexts()...)
	_, err = fmt.Fprintln(c.env.Out, strings.Join(lines, "\n"))
	if err == nil && c.output.format == formatWide {
		fmt.Fprintln(c.env.Out)
		err = c.table().write(c.env.Out, j.Plan, nil)
	}
	return err
}

// statusLines returns what the journal contains, for people.
func statusLines(s *move.Status) []string {
	phase := fmt.Sprintf("%s: %s", s.Phase, cmp.Or(phaseText[s.Phase], "unknown to this version of kstatus"))
	if hasSteps(s.Phase) {
		phase = fmt.Sprintf("%s, step %d of %d", phase, s.Step+1, s.Plan.Steps)
	}
	rows := [][]string{
		{"Move:", s.ID},
		{"Phase:", phase},
		{"Source:", s.Source},
		{"Target:", s.Target},
		{"Began:", output.FormatTime(s.Began)},
		{"Saved:", output.FormatTime(s.Saved)},
		{"Objects:", fmt.Sprintf("move %d, copy %d, keep %d", s.Plan.Count(plan.Move), s.Plan.Count(plan.Copy), s.Plan.Count(plan.Exclude))},
	}
	if s.Failure != "" {
		first, more, _ := strings.Cut(s.Failure, "\n")
		if n := strings.Count(more, "\n"); more != "" {
			first += "; and " + text.Count(n+1, "other error")
		}
		rows = append(rows, []string{"Stopped:", first})
	}
	if names := clusterNames(s.Plan); len(names) > 0 {
		rows = slices.Insert(rows, 2, []string{"Clusters:", strings.Join(names, ", ")})
	}
	for _, row := range rows {
		row[1] = text.Line(row[1])
	}
	return align(rows)
}

// clusterNames returns the names of the Clusters that are moved, at most ten.
func clusterNames(p *plan.Plan) (names []string) {
	const most = 10
	more := 0
	for _, i := range p.Items {
		switch {
		case i.Kind != "Cluster" || !i.Root || i.Decision != plan.Move:
		case len(names) == most:
			more++
		default:
			names = append(names, i.Namespace+"/"+i.Name)
		}
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return names
}
