// Package explain is kstatus explain, which prints why objects are not Current.
package explain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/explain"
	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A command is kstatus explain with its flags. It finds and judges objects like get.
type command struct {
	snapshot.Flags
	recordFlags record.Flags
	whyFlags    explainer.Flags

	output string
}

const explainExample = `  # Explain why a Deployment is not ready
  %[1]s explain deployment/api -n shop

  # Explain the objects of a Helm release that are not ready
  %[1]s explain helm/web -n shop

  # Explain the applied objects that are not ready
  %[1]s explain -f shop/

  # Explain all Pods of a namespace, each cause once
  %[1]s explain pods -n shop

  # Explain saved objects, without a cluster
  kubectl get all,events -n shop -o yaml > saved.yaml
  %[1]s explain --local -f saved.yaml

  # Explain a recorded wait
  %[1]s explain --local -f run.ndjson`

const explainLong = `Explain why objects are not ready.

For each object it prints the path to the problem, the cause with its evidence, the
last change, and what to do next. The evidence is fields, events and log lines. A
cause that several objects share is printed once. Without evidence there is no cause.
"Not seen" names what could not be read.

Objects that you name are explained in any case. Of a TYPE, of files and of sets,
objects that are Current without a warning are left out. A warning is, for example,
that a Service selects no Pod. Without arguments, explain reads the objects of
--all: all objects of the namespace that have a status. Objects that another of them
has created are left out, such as Pods. Objects of any kind whose deletion does not
end are included.
` + selection.SetsHelp + `

With --local, kstatus uses only the objects and events in the files, as of the newest
time in the files.

Guide: https://kstatus.dev/docs/guides/explain`

// The formats of -o.
var explainFormats = []string{"text", "json"}

// New returns kstatus explain. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	x := &command{Flags: snapshot.Flags{Env: env, Connection: config}}
	cmd := &cobra.Command{
		Use:         "explain [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Explain why objects are not ready",
		SuggestFor:  []string{"describe", "why"},
		Long:        explainLong,
		Example:     fmt.Sprintf(explainExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			err := errors.Join(x.run(cmd.Context(), args), x.recordFlags.Close())
			env.HintAtRole(name, cmd, args, exit.CodeOf(err))
			return err
		},
	}
	x.Flags.AddTo(cmd)
	x.recordFlags.AddTo(cmd)
	x.whyFlags.AddTo(cmd)
	cmd.Flags().StringVarP(&x.output, "output", "o", "text", "Output format. One of: "+strings.Join(explainFormats, ", ")+". json: one object per line, and the causes in the last line.")
	cli.CompleteWords(cmd, "output", explainFormats)
	return cmd
}

func (x *command) run(ctx context.Context, args []string) error {
	if err := cli.CheckOneOf("-o", x.output, explainFormats); err != nil {
		return err
	}
	if err := cli.CheckOneOf("--color", x.Colour, cli.ColourModes); err != nil {
		return err
	}
	if err := x.whyFlags.Check(); err != nil {
		return err
	}
	by, err := x.Criteria()
	if err != nil {
		return err
	}
	if err := x.CheckOrigin(); err != nil {
		return err
	}
	x.SelectAll(args)
	x.Selection.Deleting = true
	if x.Local {
		return x.explainLocal(ctx, args, by)
	}
	return x.explainLive(ctx, args, by)
}

// A subject is the objects of an explanation.
type subject struct {
	objects []output.Verdict // the named or selected objects, in order
	named   bool             // the user named each object, so Current objects are explained too
	facts   *explain.Facts
	tally   output.Tally
}

// explained returns the objects to explain.
func (s *subject) explained() (some []output.Verdict, ids []status.ID) {
	for _, v := range s.objects {
		if s.named || v.Status != status.CurrentStatus || len(v.AllWarnings()) > 0 {
			some, ids = append(some, v), append(ids, v.ID)
		}
	}
	return some, ids
}

// print prints the explanation.
func (x *command) print(by output.Criteria, s *subject) error {
	if x.whyFlags.ShowSecrets = x.ShowSecrets; x.Local || s.named { // else they were read before the facts
		x.whyFlags.AddCaveatsOf(s.facts, s.objects)
	}
	some, ids := s.explained()
	r, err := x.recordFlags.Open(x.InputFiles()...)
	if err != nil {
		return err
	}
	if r != nil && !x.ShowSecrets {
		if s.facts, _, err = explainer.RecordCopy(s.facts); err != nil {
			return err
		}
	}
	why := explain.Explain(s.facts, ids...)
	show := x.printer(why, s.facts, others{current: len(s.objects) - len(some), assumed: countAssumed(s.objects) - countAssumed(some), noun: nounFor(s.objects)})
	if r != nil {
		show = printer.Multi{show, &record.Printer{Writer: r, Of: "explain", Noun: nounFor(s.objects), Facts: s.facts}}
	}
	start := x.StartLine(by.Now)
	start.Objects, start.Contexts = new(len(some)), x.Selection.Contexts
	if err := show.Start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, v := range some {
		if err := show.Object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return x.Finish(printer.Causes{Printer: show, Why: why}, &s.tally, by.Now)
}

// printer returns the printer for an explanation.
func (x *command) printer(why *explain.Explanation, facts *explain.Facts, rest others) printer.Printer {
	if x.output == "json" {
		return printer.NewJSON(x.Env.Out)
	}
	return &explanation{page: x.Env.Page(x.Env.Out, x.Colour), why: why, facts: facts, rest: rest}
}

// An explanation is a printer that prints why objects are not Current, as text.
type explanation struct {
	page  terminal.Page
	why   *explain.Explanation
	facts *explain.Facts
	rest  others
}

// others counts objects that are Current and not explained.
type others struct {
	current int
	assumed int // without evidence
	noun    string
}

// countAssumed returns the number of objects that are Current without evidence.
func countAssumed(all []output.Verdict) (n int) {
	for _, v := range all {
		if v.Status == status.CurrentStatus && v.Confidence == status.ConfidenceAssumed {
			n++
		}
	}
	return n
}

// Start does nothing.
func (p *explanation) Start(output.Start) error { return nil }

// Object does nothing.
func (p *explanation) Object(output.Verdict) error { return nil }

// End prints the explanation.
func (p *explanation) End(output.Result) error {
	lines := p.why.Lines(p.facts.Now)
	if p.rest.current > 0 {
		if len(lines) > 0 {
			lines = append(lines, layout.Line{Role: layout.RoleBlank})
		}
		lines = append(lines, layout.Line{Role: layout.RoleTitle, Text: p.rest.text(len(p.why.Subjects) > 0)})
	}
	return p.page.Print(lines)
}

// nounFor returns the noun for objects: their kind if they have the same kind.
func nounFor(all []output.Verdict) string {
	for _, v := range all {
		if v.ID.Kind.Kind != all[0].ID.Kind.Kind || v.ID.Kind.Kind == "" {
			return "object"
		}
	}
	if len(all) == 0 {
		return "object"
	}
	return all[0].ID.Kind.Kind
}

// text returns a text with the number of the objects. more reports whether other objects are
// explained.
func (o others) text(more bool) string {
	are := "are"
	if o.current == 1 {
		are = "is"
	}
	var all string
	switch {
	case more && o.current == 1:
		all = "1 other " + o.noun
	case more:
		all = fmt.Sprintf("%d other %s", o.current, text.Plural(o.noun))
	case o.current == 1:
		all = "the only " + o.noun
	default:
		all = fmt.Sprintf("%d of %s", o.current, text.Count(o.current, o.noun))
	}
	all += " " + are + " Current"
	switch {
	case o.assumed == 0:
	case o.assumed == o.current:
		all += " (assumed)"
	default:
		all += fmt.Sprintf(", %d of them (assumed)", o.assumed)
	}
	return all
}
