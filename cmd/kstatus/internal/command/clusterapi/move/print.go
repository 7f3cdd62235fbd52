package move

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
)

// print prints the end to standard output.
func (s *session) print() error {
	o := &s.outcome
	if !s.output.isText() {
		encode := terminal.NewEncoder(s.env.Out)
		return encode.Encode(o)
	}
	out := s.reports.LogWriter(s.env)
	switch {
	case o.Plan == nil && o.Result == nil:
		return nil
	case len(o.Changes) > 0:
		lines := []string{"Changes since the plan of " + s.plan + ":"}
		for _, change := range o.Changes {
			lines = append(lines, "  "+text.Line(change))
		}
		_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
		return err
	case o.Type == "plan":
		if err := s.table().write(out, o.Plan, o.Problems); err != nil || s.plan == "" {
			return err
		}
		_, err := fmt.Fprintf(out, "\nWritten to %s. To move as planned: %s\n", text.Line(s.plan), s.planCommand())
		return err
	case o.Result == nil: // problems
		for _, p := range o.Problems {
			if _, err := fmt.Fprintln(out, text.Line(p.String())); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := fmt.Fprintln(out, strings.Join(s.resultLines(o.Result), "\n"))
	return err
}

// resultLines returns the last lines about a move.
func (s *session) resultLines(r *move.Result) []string {
	took := duration.Text(r.Ended.Sub(r.Began).Round(time.Second))
	counts := fmt.Sprintf("%s, %s with a copy in both clusters, %s in the source", text.Count(r.Moved, "object")+" moved", text.Count(r.Copied, "object"), text.Count(r.Kept, "object")+" kept")
	var lines []string
	switch {
	case r.Phase == move.Done && s.sides.toFolder != "":
		lines = []string{fmt.Sprintf("Written to %s in %s: %s. The source works as before. %s.", text.Line(s.sides.toFolder), took, text.Count(r.Moved+r.Copied, "object"), text.Count(r.Requests, "request"))}
	case r.Phase == move.Done:
		lines = []string{fmt.Sprintf("Moved in %s: %s. %s.", took, counts, text.Count(r.Requests, "request"))}
	case r.Phase == move.RolledBack:
		lines = []string{fmt.Sprintf("Rolled back in %s: the source is as before, and the target has no copy. %s.", took, text.Count(r.Requests, "request"))}
	default:
		lines = []string{fmt.Sprintf("Stopped while %s, after %s.", strings.ToLower(string(r.Phase)), took)}
	}
	if len(r.Unacknowledged) > 0 {
		lines = append(lines, "Not reported yet since the end of the pause:")
		for _, name := range r.Unacknowledged {
			lines = append(lines, "  "+text.Line(name))
		}
	}
	return lines
}

// next returns the commands that may follow.
func (s *session) next(err error) []string {
	o := &s.outcome
	phase := move.Phase("")
	if interrupted, ok := errors.AsType[*move.InterruptedError](err); ok {
		phase, o.ID = interrupted.Phase, interrupted.ID
	}
	switch {
	case phase == move.RollingBack:
		return []string{s.goOnCommand("rollback")}
	case phase != "" && mayRollBack(phase):
		return []string{s.goOnCommand("resume"), s.goOnCommand("rollback")}
	case phase != "":
		return []string{s.goOnCommand("resume")}
	}
	return nil
}

// mayRollBack reports whether a move that has stopped in a phase has not deleted an original.
func mayRollBack(phase move.Phase) bool {
	return slices.Contains([]move.Phase{move.Planned, move.Pausing, move.Creating, move.Verifying}, phase)
}

// nextTexts returns the commands that may follow as lines of an error.
func (s *session) nextTexts() (lines []string) {
	for i, command := range s.outcome.Next {
		lead := "to continue: "
		switch {
		case strings.Contains(command, " rollback "):
			lead = "to undo it: "
		case i > 0:
			lead = "or: "
		}
		lines = append(lines, lead+command)
	}
	return lines
}

// goOnCommand returns the command line of a subcommand for this move.
func (s *session) goOnCommand(name string) string {
	words := append([]string{"capi", "move", name}, s.connectionWords()...)
	if s.outcome.Journal != "" {
		words = append(words, "--journal", s.outcome.Journal)
	}
	if s.journal.namespace != "" {
		words = append(words, "--journal-namespace", s.journal.namespace)
		if s.outcome.Journal == "" {
			words = append(words, "--id", s.outcome.ID)
		}
	}
	return s.name + " " + cli.CommandText(words)
}

// planCommand returns the command line that moves as planned.
func (s *session) planCommand() string {
	words := append([]string{"capi", "move"}, s.connectionWords()...)
	if s.scope.allNamespaces {
		words = append(words, "-A")
	} else if namespace := s.command.connection.Namespace; namespace != nil && *namespace != "" {
		words = append(words, "-n", *namespace)
	}
	for _, cluster := range s.scope.clusters {
		words = append(words, "--cluster", cluster)
	}
	if s.scope.selector != "" {
		words = append(words, "-l", s.scope.selector)
	}
	for _, word := range s.work.accept {
		words = append(words, "--accept", word)
	}
	return s.name + " " + cli.CommandText(append(words, "--plan", s.plan))
}

// connectionWords returns the flags that name the source and the target.
func (s *session) connectionWords() (words []string) {
	for _, flag := range []struct {
		name  string
		value *string
	}{
		{"--kubeconfig", s.command.connection.KubeConfig}, {"--context", s.command.connection.Context},
		{"--to-kubeconfig", &s.sides.toKubeconfig}, {"--to-context", &s.sides.toContext},
		{"--from-directory", &s.sides.fromFolder}, {"--to-directory", &s.sides.toFolder},
	} {
		if flag.value != nil && *flag.value != "" {
			words = append(words, flag.name, *flag.value)
		}
	}
	return words
}

// blocking returns the number of problems that prevent the move.
func (s *session) blocking(problems []plan.Problem) (n int) {
	for _, p := range problems {
		if p.Severity >= severity.Error && !s.isAccepted(p) {
			n++
		}
	}
	return n
}

// isAccepted reports whether --accept has the word of a problem, or the word and its object.
func (s *session) isAccepted(p plan.Problem) bool {
	_, name, _ := strings.Cut(p.Object, " ")
	return p.Accept != "" && (slices.Contains(s.work.accept, p.Accept) || slices.Contains(s.work.accept, p.Accept+"="+name))
}

// A planFile is the document of --plan.
type planFile struct {
	V    int        `json:"v"`
	Type string     `json:"type"` // "plan"
	Plan *plan.Plan `json:"plan"`
}

// writePlan writes a plan to a file.
func writePlan(file string, p *plan.Plan) error {
	encoded, err := json.MarshalIndent(planFile{1, "plan", p}, "", "  ")
	if err == nil {
		err = cli.ReplaceFile(file, 0o666, func(f *os.File) error {
			_, err := f.Write(append(encoded, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("--plan %s: %w", file, err)
	}
	return nil
}

// earlierPlan returns the plan of --plan, or nil without one.
func (c *command) earlierPlan() (*plan.Plan, error) {
	if c.plan == "" || c.dryRun {
		return nil, nil
	}
	encoded, err := os.ReadFile(c.plan)
	if err != nil {
		return nil, exit.Usagef("--plan: %w", err)
	}
	var f planFile
	if err := json.Unmarshal(encoded, &f); err != nil {
		return nil, exit.Usagef("--plan %s: %w", c.plan, err)
	}
	if f.V != 1 || f.Type != "plan" || f.Plan == nil || slices.Contains(f.Plan.Items, nil) {
		return nil, exit.Usagef("--plan %s: want a plan of kstatus capi move --dry-run --plan", c.plan)
	}
	return f.Plan, nil
}

// changes returns how a plan differs from an earlier one.
func changes(earlier, now *plan.Plan) (lines []string) {
	for _, side := range []struct{ name, before, after string }{{"source", earlier.Source, now.Source}, {"target", earlier.Target, now.Target}} {
		if side.before != side.after {
			lines = append(lines, fmt.Sprintf("the %s was %s, and is %s", side.name, side.before, side.after))
		}
	}
	return append(lines, plan.Diff(earlier, now)...)
}
