// Package reportverdict is kstatus report-verdict, which writes an object whose verdict is wrong
// as a test case without private values, and checks such cases.
package reportverdict

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
	"kstatus.dev/internal/text"
	"kstatus.dev/report/casefile"
	"kstatus.dev/status"
)

// A command is kstatus report-verdict with its flags. It finds and judges objects like get.
type command struct {
	snapshot.Flags

	expect  string
	because string
	file    string   // the value of -o
	check   []string // the values of --check
}

const long = `Write an object whose verdict is wrong as a test case, for an issue of kstatus.

The case has the verdict, the status that you expect, and a small copy of the object.
The copy keeps the conditions, and the shape, the numbers and the words of the status.
It has an invented name. Placeholders replace addresses, IDs, names, images and secrets,
also in messages. It has no labels and annotations. Of the spec it has only what the
verdict depends on, such as replicas. A Secret is refused.

Read the case before you publish it: kstatus cannot recognize each private word.

kstatus judges the copy too. If the verdict on the copy differs, it keeps more fields. If
it still differs, the case contains both verdicts.

--check judges the objects of cases, also with your --rules. It exits with 7 if a verdict
is not the expected one. --local reads the object from files, as get does.

Guide: https://kstatus.dev/docs/guides/wrong-verdict`

const example = `  # Report that an object is ready, although kstatus waits for it
  %[1]s report-verdict widget/left --expect Current > left.case

  # Add the reason, for an object in a file
  %[1]s report-verdict --local -f left.yaml --crds crds/ --expect Failed --because "Jammed is final" -o left.case

  # Check a rule of your own against cases
  %[1]s report-verdict --check left.case --check right.case --rules rules.yaml`

// New returns kstatus report-verdict. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	r := &command{Flags: snapshot.Flags{Env: env, Connection: config}}
	cmd := &cobra.Command{
		Use:         "report-verdict [TYPE/NAME | --local -f FILE [TYPE/NAME]] --expect STATUS | --check FILE",
		Short:       "Write an object with a wrong verdict as a test case",
		Long:        long,
		Example:     fmt.Sprintf(example, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			err := r.run(cmd.Context(), args)
			env.HintAtRole(name, cmd, args, exit.CodeOf(err))
			return err
		},
	}
	r.AddSource(cmd)
	flags := cmd.Flags()
	words := statusWords()
	flags.StringVar(&r.expect, "expect", "", "The status that you expect. One of: "+strings.Join(words, ", "))
	flags.StringVar(&r.because, "because", "", "Why you expect it, in your words.")
	flags.StringVarP(&r.file, "output", "o", "", "File for the case. The default is standard output.")
	flags.StringArrayVar(&r.check, "check", nil, "Judge the object of this case, and compare the verdict with the expected one. Can be repeated.")
	cli.CompleteWords(cmd, "expect", words)
	// The only possible error is a flag that does not exist: they are defined above.
	_ = errors.Join(cmd.MarkFlagFilename("output"), cmd.MarkFlagFilename("check"))
	return cmd
}

// statusWords returns the values of --expect.
func statusWords() (words []string) {
	for _, s := range casefile.Expectable() {
		words = append(words, string(s))
	}
	return words
}

func (r *command) run(ctx context.Context, args []string) error {
	by, err := r.Criteria()
	if err != nil {
		return err
	}
	if err := r.CheckOrigin(); err != nil {
		return err
	}
	fromFiles := len(r.Selection.Files) > 0 || r.Selection.Kustomize != ""
	switch {
	case len(r.check) > 0 && (len(args) > 0 || fromFiles || r.expect != "" || r.file != ""):
		return exit.Usagef("--check: want no other object, --expect or -o, because the case has all of them")
	case len(r.check) > 0:
		return r.checkCases(by)
	case r.expect == "":
		return exit.Usagef("--expect: want the status that you expect, one of %s", strings.Join(statusWords(), ", "))
	}
	expected, err := casefile.ParseStatus(r.expect)
	switch {
	case err != nil:
		return exit.Usagef("--expect: %w", err)
	case len(args) == 0 && !fromFiles:
		return exit.Usagef("want one object as TYPE/NAME, or -f FILE")
	}
	find := r.findLive
	if r.Local {
		find = r.findLocal
	}
	v, evaluator, err := find(ctx, args, by)
	if err != nil {
		return err
	}
	c, err := casefile.New(status.Map(v.ObjectFact.Object), evaluator, v.Result)
	if err != nil {
		return fmt.Errorf("%s: %w", v.ID, err)
	}
	c.Expected, c.Because, c.Version = expected, r.because, cli.VersionText(debug.ReadBuildInfo)
	if v.Status == expected {
		r.Env.Print("note: %s is already %s", v.ID, expected)
	}
	return r.write(c)
}

// write writes a case to its file or to standard output.
func (r *command) write(c *casefile.Case) error {
	file, err := c.Format()
	if err != nil {
		return err
	}
	if r.file == "" || r.file == "-" {
		if _, err := r.Env.Out.Write(file); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		return nil
	}
	const mode = 0o644
	if err := cli.ReplaceFile(r.file, mode, func(to *os.File) error { _, err := to.Write(file); return err }); err != nil {
		return fmt.Errorf("-o %s: %w", r.file, err)
	}
	return nil
}

// findLive reads and judges the object of a cluster.
func (r *command) findLive(ctx context.Context, args []string, by output.Criteria) (output.Verdict, status.Evaluator, error) {
	wanted, clusters, unread, err := r.Connect(ctx, args, by)
	if err == nil {
		err = unread
	}
	if err != nil {
		return output.Verdict{}, status.Evaluator{}, err
	}
	var all []output.Verdict
	var evaluator status.Evaluator
	for _, c := range clusters {
		found, err := r.Selection.List(ctx, c, wanted)
		if err != nil {
			return output.Verdict{}, evaluator, connection.WithExitCode(err)
		}
		judge := c.Judge(by, output.DetailObject)
		verdicts, err := snapshot.Reader{Cluster: c, Judge: judge, FirstStatus: snapshot.DefaultFirstStatus}.LookUp(ctx, found.Objects)
		if err != nil {
			return output.Verdict{}, evaluator, err
		}
		if len(verdicts) > 0 {
			evaluator = judge.Evaluator
		}
		all = append(all, verdicts...)
	}
	v, err := only(all)
	return v, evaluator, err
}

// findLocal reads and judges the object of files.
func (r *command) findLocal(ctx context.Context, args []string, by output.Criteria) (output.Verdict, status.Evaluator, error) {
	inputs, err := r.ReadFiles(ctx)
	if err != nil {
		return output.Verdict{}, status.Evaluator{}, err
	}
	r.AsOf(&by, inputs)
	files, err := r.Files(ctx, by, output.DetailObject, inputs)
	if err != nil {
		return output.Verdict{}, status.Evaluator{}, err
	}
	var all []output.Verdict
	for verdicts := range manifest.InOrder(files.Documents, runtime.GOMAXPROCS(0), files.Verdicts) {
		for _, v := range verdicts {
			if r.PrintProblems(v); !v.Unjudged {
				all = append(all, v)
			}
		}
	}
	if len(args) > 0 {
		if all, err = snapshot.Named(args, all); err != nil {
			return output.Verdict{}, status.Evaluator{}, err
		}
	}
	v, err := only(all)
	return v, files.Evaluator(), err
}

// only returns the only verdict, if its object has been read.
func only(all []output.Verdict) (v output.Verdict, err error) {
	switch {
	case len(all) == 0:
		return v, &exit.Error{Code: exit.Missing, Err: errors.New("want one object, have none")}
	case len(all) > 1:
		return v, exit.Usagef("want one object, have %d: name one as TYPE/NAME, such as %s", len(all), all[0].ID)
	}
	v = all[0]
	if v.ObjectFact != nil {
		return v, nil
	}
	var t output.Tally
	t.Add(v)
	return v, &exit.Error{Code: t.UnreadableCode(), Err: fmt.Errorf("%s: %s", v.ID, v.Message)}
}

// checkCases judges the objects of the files of --check, and prints a line for each.
func (r *command) checkCases(by output.Criteria) error {
	set, err := by.Rules.NewSet()
	if err != nil {
		return err
	}
	e := by.Evaluator
	e.SelectRule = set.SelectRule
	code := exit.OK
	for _, name := range r.check {
		line, ok, err := checkCase(name, e)
		if err != nil {
			return fmt.Errorf("--check %s: %w", name, err)
		}
		if !ok {
			code = exit.Findings
		}
		if _, err := fmt.Fprintf(r.Env.Out, "%s: %s\n", name, text.Line(line)); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return exit.With(code)
}

// checkCase judges the object of a case, and describes the verdict.
func checkCase(name string, e status.Evaluator) (line string, ok bool, err error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return "", false, err
	}
	c, err := casefile.Parse(file)
	if err != nil {
		return "", false, err
	}
	have, err := c.Judge(e)
	if err != nil {
		return "", false, err
	}
	if have.Status != c.Expected {
		return fmt.Sprintf("want %s, have %s", c.Expected, have), false, nil
	}
	return fmt.Sprintf("ok: %s", have), true, nil
}
