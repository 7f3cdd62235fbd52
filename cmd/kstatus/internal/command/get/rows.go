package get

import (
	"fmt"
	"slices"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/fields"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// readsFields reports whether fields of the objects are printed, or are sorted by.
func (g *command) readsFields() bool { return g.sortBy != "" || fields.IsFormat(g.output) }

// checkFields returns an error for values of -o and --sort-by that cannot be parsed. It also
// returns an error for flags that need objects if there are only verdicts.
func (g *command) checkFields() error {
	if !fields.IsFormat(g.output) {
		if err := cli.CheckOneOf("-o", g.output, append(printer.FormatNames(), fields.FormatNames...)); err != nil {
			return err
		}
	}
	if g.sortBy != "" {
		if err := fields.CheckPath(g.sortBy); err != nil {
			return exit.Usagef("--sort-by: %v", err)
		}
	}
	mode := ""
	switch {
	case g.watch:
		mode = "--watch"
	case g.tree:
		mode = "--tree"
	default:
		return nil
	}
	switch {
	case fields.IsFormat(g.output):
		return exit.Usagef("-o %s cannot be used with %s", g.output, mode)
	case g.sortBy != "":
		return exit.Usagef("--sort-by cannot be used with %s", mode)
	case g.labels || len(g.labelColumns) > 0:
		return exit.Usagef("--show-labels and --label-columns cannot be used with %s", mode)
	case g.IgnoreNotFound && g.watch:
		return exit.Usagef("--ignore-not-found cannot be used with %s", mode)
	}
	return nil
}

// shouldPrint reports whether to print an object. A watch also prints an object that has just
// become Current.
func (g *command) shouldPrint(v output.Verdict) bool {
	current := v.Status == status.CurrentStatus && (v.Previous == "" || v.Previous == status.CurrentStatus)
	switch {
	case g.notCurrent && current:
		g.hidden++
		return false
	case !g.events && isEvent(v.ID):
		return !slices.Contains([]string{"table", "wide"}, g.output)
	}
	return true
}

// isEvent reports whether an object is an Event: evidence about another object.
func isEvent(id status.ID) bool {
	return id.Kind.Kind == "Event" && (id.Group == "" || id.Group == "events.k8s.io")
}

// showAll prints verdicts in the order of --sort-by.
func (g *command) showAll(show printer.Printer, all []output.Verdict) error {
	if g.sortBy != "" {
		if err := fields.Sort(all, g.sortBy); err != nil {
			return err
		}
	}
	var redactor explain.Redactor
	for _, v := range all {
		if g.fields != nil {
			v = g.withFields(v, &redactor)
		}
		if err := show.Object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	switch {
	case g.hidden == 0 || g.hidden < len(all):
	case g.hidden == 1:
		g.Env.Print("The only object is Current.")
	default:
		g.Env.Print("All %s are Current.", text.Count(g.hidden, "object"))
	}
	return nil
}

// withFields returns a verdict with an object that can be printed. It prints a note if the
// object has no fields.
func (g *command) withFields(v output.Verdict, redactor *explain.Redactor) output.Verdict {
	switch {
	case v.ObjectFact == nil:
		g.Env.Print("error: %s: %s", v.ID, v.Message)
	case !g.ShowSecrets:
		fact := redactor.ObjectFact(*v.ObjectFact)
		v.ObjectFact = &fact
	}
	return v
}
