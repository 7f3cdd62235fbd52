package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// An explainCommand is kstatus explain with its flags. It finds and judges
// objects as get does.
type explainCommand struct {
	snapshotFlags
	recordFlags recordFlags
	whyFlags    whyFlags

	output string
}

const explainExample = `  # Why a Deployment is not there: what is wrong, the evidence, what to do next
  %[1]s explain deployment/api -n shop

  # Of what Helm has installed, what is not there
  %[1]s explain helm/web -n shop

  # Of all that was applied, what is not there
  %[1]s explain -f shop/

  # All Pods of a namespace: one line per cause, however many have it
  %[1]s explain pods -n shop

  # What was saved earlier stands for the cluster: no server is asked
  kubectl get all,events -n shop -o yaml > saved.yaml
  %[1]s explain --local -f saved.yaml

  # A wait that was recorded elsewhere
  %[1]s explain --local -f run.ndjson`

const explainLong = `Explain why objects are not there.

For each object the way from it down to what is wrong is told, the cause with the
fields, events and last lines of logs that show it, what was changed before, and
what to do next. What several objects have in common is told once. Without
evidence nothing is claimed, and what could not be read is named.

Objects that are named are explained even if they are there, as far as something
is wrong with them; of a TYPE, of files and of sets, those that are not.

` + setsLong + `

With --local, objects, Events and Pods in the files are all that is known: no
server is asked.`

// The formats of -o.
var explainFormats = []string{"text", "json"}

func newExplainCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	x := &explainCommand{snapshotFlags: snapshotFlags{env: env, connection: connection}}
	cmd := &cobra.Command{
		Use:         "explain [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Tell why objects are not there",
		Long:        explainLong,
		Example:     fmt.Sprintf(explainExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return x.run(cmd.Context(), args) },
	}
	x.snapshotFlags.addTo(cmd)
	x.recordFlags.addTo(cmd)
	x.whyFlags.addTo(cmd)
	cmd.Flags().StringVarP(&x.output, "output", "o", "text", "one of "+strings.Join(explainFormats, ", ")+"; json prints one object per line, and the causes in the last")
	completeWords(cmd, "output", explainFormats)
	return cmd
}

func (x *explainCommand) run(ctx context.Context, args []string) error {
	if err := oneOf("-o", x.output, explainFormats); err != nil {
		return err
	}
	if err := oneOf("--color", x.colour, colourModes); err != nil {
		return err
	}
	if err := x.whyFlags.check(); err != nil {
		return err
	}
	by, err := x.criteria()
	if err != nil {
		return err
	}
	if err := x.checkOrigin(); err != nil {
		return err
	}
	if x.local {
		return x.explainLocal(ctx, args, by)
	}
	return x.explainLive(ctx, args, by)
}

// A subject is what an explanation is about.
type subject struct {
	objects []verdict // that were named or selected, in order
	named   bool      // one by one, so that those that are Current are explained as well
	facts   *explain.Facts
	tally   tally
}

// explained returns the objects that are explained.
func (s *subject) explained() (some []verdict, ids []explain.ID) {
	for _, v := range s.objects {
		if s.named || v.Status != status.CurrentStatus {
			some, ids = append(some, v), append(ids, explain.ID(v.ID))
		}
	}
	return some, ids
}

// print prints the explanation.
func (x *explainCommand) print(by criteria, s *subject) error {
	some, ids := s.explained()
	r, err := x.recordFlags.open()
	if err != nil {
		return err
	}
	if r != nil {
		if s.facts, _, err = recorded(s.facts); err != nil {
			return err
		}
	}
	why := explain.Explain(s.facts, ids...)
	show := x.printer(why, s.facts, len(s.objects)-len(some), nounFor(s.objects))
	if r != nil {
		show = printers{show, &printRecord{record: r, of: "explain", noun: nounFor(s.objects), facts: s.facts}}
	}
	start := x.startLine(by.now)
	start.Objects, start.Contexts = new(len(some)), x.selection.contexts
	if err := show.start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, v := range some {
		if err := show.object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return x.finish(causing{show, why}, &s.tally, by.now)
}

// printer returns what prints an explanation, and how many others are Current.
func (x *explainCommand) printer(why *explain.Explanation, facts *explain.Facts, rest int, noun string) printer {
	if x.output == "json" {
		return newLines(x.env.out)
	}
	return &explanation{page: x.env.page(x.env.out, x.colour), why: why, facts: facts, rest: rest, noun: noun}
}

// causing puts the causes into the last line of a printer.
type causing struct {
	printer
	why *explain.Explanation
}

func (p causing) end(l resultLine) error {
	l.Causes, l.NotSeen = p.why.Causes, p.why.Gaps
	return p.printer.end(l)
}

// An explanation prints why objects are not there, for people.
type explanation struct {
	page  page
	why   *explain.Explanation
	facts *explain.Facts
	rest  int // how many others are there
	noun  string
}

func (p *explanation) start(startLine) error { return nil }
func (p *explanation) object(verdict) error  { return nil }

func (p *explanation) end(resultLine) error {
	lines := p.why.Lines(p.facts.Now)
	if p.rest > 0 {
		if len(lines) > 0 {
			lines = append(lines, explain.Line{Role: explain.RoleBlank})
		}
		lines = append(lines, explain.Line{Role: explain.RoleTitle, Text: others(p.rest, len(p.why.Objects) > 0, p.noun)})
	}
	return p.page.print(lines)
}

// nounFor returns what objects are called: by their kind if they have one in common.
func nounFor(all []verdict) string {
	for _, v := range all {
		if v.ID.Kind != all[0].ID.Kind || v.ID.Kind == "" {
			return "object"
		}
	}
	if len(all) == 0 {
		return "object"
	}
	return all[0].ID.Kind
}
