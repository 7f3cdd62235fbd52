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
	getCommand
	whyFlags
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
	x := &explainCommand{getCommand: getCommand{env: env, connection: connection}}
	cmd := &cobra.Command{
		Use:         "explain [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Tell why objects are not there",
		Long:        explainLong,
		Example:     fmt.Sprintf(explainExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return x.run(cmd.Context(), args) },
	}
	x.getCommand.addFlags(cmd)
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
	j, err := x.judge()
	if err != nil {
		return err
	}
	if x.local {
		return x.explainLocal(ctx, args, j)
	}
	return x.explainLive(ctx, args, j)
}

// A subject is what an explanation is about.
type subject struct {
	asked []verdict // the objects that are asked about, in order
	named bool      // each by itself, so that those that are there are told of as well
	facts *explain.Facts
	tally tally
}

// told returns the objects that are told of.
func (s *subject) told() (told []verdict, ids []explain.ID) {
	for _, v := range s.asked {
		if s.named || v.Status != status.CurrentStatus {
			told, ids = append(told, v), append(ids, explain.ID(v.ID))
		}
	}
	return told, ids
}

// tell prints the explanation.
func (x *explainCommand) tell(j judge, s *subject) error {
	told, ids := s.told()
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
	show := x.shown(why, s.facts, len(s.asked)-len(told), nounFor(s.asked))
	if r != nil {
		show = printers{show, &printRecord{record: r, of: "explain", noun: nounFor(s.asked), facts: s.facts}}
	}
	start := x.startLine(j)
	start.Objects, start.Contexts = new(len(told)), x.contexts
	if err := show.start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, v := range told {
		if err := show.object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return x.finish(causing{show, why}, &s.tally, j.now)
}

// shown returns what prints an explanation, and that others are there.
func (x *explainCommand) shown(why *explain.Explanation, facts *explain.Facts, rest int, noun string) printer {
	if x.output == "json" {
		return newLines(x.env.out)
	}
	return &explanation{page: x.env.pageOn(x.env.out, x.colour), why: why, facts: facts, rest: rest, noun: noun}
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

// A whyFlags says what an explanation may rest on besides the objects; explain
// and wait share it.
type whyFlags struct {
	logs string
	tail int
}

// The values of --logs.
var logModes = []string{"failed", "none"}

func (f *whyFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.logs, "logs", "failed", "of which containers to read logs for explanations: "+strings.Join(logModes, ", "))
	flags.IntVar(&f.tail, "tail", 10, "how many of the last lines of a log to read")
	completeWords(cmd, "logs", logModes)
}

func (f *whyFlags) check() error {
	if err := oneOf("--logs", f.logs, logModes); err != nil {
		return err
	}
	const most = 1000
	if f.tail < 1 || f.tail > most {
		return usagef("--tail %d: want 1 to %d; --logs=none reads none", f.tail, most)
	}
	return nil
}
