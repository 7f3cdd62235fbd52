// Package snapshot has the common parts of get and explain, which read objects once. These parts
// are flags, and the verdicts on objects of files and of clusters.
package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// Flags are the common flags of get and explain: which objects, of files or of clusters, and how
// they are judged.
type Flags struct {
	Env        cli.Env
	Connection *genericclioptions.ConfigFlags
	Selection  selection.Flags
	rules      connection.RuleFlags

	Local    bool
	crds     []string
	now      string // the value of --now
	Profile  string
	noHints  bool
	Colour   string
	ExitCode bool

	ShowSecrets bool

	namedTally     output.Tally // the counts of the objects that were named one by one
	absent         bool         // a requested set, or the type of a requested object, does not exist
	IgnoreNotFound bool

	noteMissingNamespaces func() // nil before a connection
}

// AddTo defines the flags.
func (f *Flags) AddTo(cmd *cobra.Command) {
	f.AddSource(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.Colour, "color", "auto", "When to use colours. One of: "+strings.Join(cli.ColourModes, ", "))
	flags.BoolVar(&f.ExitCode, "exit-code", false, "Exit as wait --timeout 0 does: 3 if an object is Failed or Failing, 4 if one is not Current, 5 if nothing matched.")
	flags.BoolVar(&f.ShowSecrets, "show-secrets", false, output.ShowSecretsUsage)
	cli.CompleteWords(cmd, "color", cli.ColourModes)
}

// AddSource defines only the flags for which objects are read, and how they are judged.
func (f *Flags) AddSource(cmd *cobra.Command) {
	f.Selection.AddTo(cmd)
	f.rules.AddTo(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.Local, "local", false, "Take the objects in the files as the state of the cluster. No cluster is used. Implies --no-remote.")
	flags.StringArrayVar(&f.crds, "crds", nil, "With --local, file or directory with CustomResourceDefinitions. Can be repeated.")
	flags.StringVar(&f.now, "now", "", "With --local, the current time (RFC 3339). The default is the newest time in the files.")
	cli.AddProfileFlag(cmd, &f.Profile)
	cli.AddHintsFlag(cmd, &f.noHints)
	completion.Completer{Env: f.Env, Connection: f.Connection}.AddObjects(cmd)
}

// Criteria returns how objects are judged, and rejects flags that contradict each other.
func (f *Flags) Criteria() (c output.Criteria, err error) {
	if err := f.Selection.Check(); err != nil {
		return c, err
	}
	profile, err := status.ParseProfile(f.Profile)
	if err != nil {
		return c, exit.Usage(err)
	}
	c.Now, c.ShowSecrets = f.Env.Now(), f.ShowSecrets
	if f.now != "" {
		if c.Now, err = time.Parse(time.RFC3339, f.now); err != nil {
			return c, exit.Usagef("--now %q: want a time such as 2026-11-20T16:00:00Z", f.now)
		}
	}
	now := c.Now
	c.Evaluator = status.Evaluator{Profile: profile, NoHints: f.noHints, Now: func() time.Time { return now }}
	switch {
	case f.Local && len(f.Selection.Contexts) > 0:
		return c, exit.Usagef("--contexts cannot be used with --local, which uses no server")
	case f.Local && (f.Selection.All || f.Selection.Expand):
		return c, exit.Usagef("--all and --expand cannot be used with --local, which uses no server")
	}
	c.Rules, err = f.rules.Read(profile)
	return c, err
}

// CheckOrigin rejects flags about files if a cluster is read.
func (f *Flags) CheckOrigin() error {
	if !f.Local && (len(f.crds) > 0 || f.now != "") {
		return exit.Usagef("--crds and --now require --local")
	}
	return nil
}

// SelectAll selects everything in the namespace if no objects are requested, as for wait.
func (f *Flags) SelectAll(args []string) {
	if !f.Local && len(args) == 0 && len(f.Selection.Files) == 0 && f.Selection.Kustomize == "" {
		f.Selection.All = true
	}
}

// InputFiles returns the names of the files and folders that are read.
func (f *Flags) InputFiles() []string {
	return slices.Concat(f.Selection.Files, []string{f.Selection.Kustomize}, f.crds, f.rules.Files)
}

// CheckReplay rejects flags that do not apply to a record.
func (f *Flags) CheckReplay() error {
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--now", f.now != ""}, {"--crds", len(f.crds) > 0}, {"--rules", len(f.rules.Files) > 0}, {"--object-rules", f.rules.Objects}, {"-l", f.Selection.Selector != ""}} {
		if flag.set {
			return exit.Usagef("%s cannot be used with a record, which already has its verdicts", flag.name)
		}
	}
	return nil
}

// namespace returns the namespace of a flag, empty for all.
func (f *Flags) namespace() string {
	if f.Selection.AllNamespaces || f.Connection.Namespace == nil {
		return ""
	}
	return *f.Connection.Namespace
}

// PrintNoObjects prints that no object was found, as kubectl does. If the namespace does not
// exist, a note says so.
func (f *Flags) PrintNoObjects() {
	scope := ""
	if ns := f.namespace(); ns != "" {
		scope = " in " + ns + " namespace"
	}
	f.Env.Print("No resources found%s.", scope)
	if f.noteMissingNamespaces != nil && !f.Selection.AllNamespaces {
		f.noteMissingNamespaces()
	}
}

// filter returns a function that reports whether an object matches -l and -n.
func (f *Flags) filter() (func(map[string]any) bool, error) {
	selector, err := f.Selection.Labels()
	if err != nil {
		return nil, exit.Usage(err)
	}
	namespace := f.namespace()
	return func(root map[string]any) bool {
		if namespace != "" && decoded.Text(root, "metadata", "namespace") != namespace {
			return false
		}
		return selector.Empty() || selector.Matches(manifest.Labels(root))
	}, nil
}

// Select returns the verdicts on objects that match the arguments and -n.
func (f *Flags) Select(all []output.Verdict, args []string) ([]output.Verdict, error) {
	namespace := f.namespace()
	all = slices.DeleteFunc(all, func(v output.Verdict) bool { return namespace != "" && v.ID.Namespace != namespace })
	if len(args) == 0 {
		return all, nil
	}
	return selectNamed(args, all)
}

// StartLine returns the first line of the output.
func (f *Flags) StartLine(now time.Time) output.Start {
	return output.Start{V: output.Version, Type: "start", Time: output.FormatTime(now), Profile: f.Profile}
}

// ReportPartial prints and counts what could not be read, if something else could be; otherwise
// it returns the error.
func (f *Flags) ReportPartial(errs []error, some bool, t *output.Tally) error {
	err := utilerrors.NewAggregate(errs)
	if err == nil {
		return nil
	}
	if !some {
		return connection.WithExitCode(err)
	}
	if connection.IsOnlyMissing(err) {
		f.absent = true
	} else {
		t.Unread++
	}
	for _, err := range connection.FlattenErrors(err) {
		f.Env.PrintError(err)
	}
	return nil
}

// AddNamed counts a verdict on an object that an argument or a file names. Even without
// --exit-code, it decides the exit code if it does not exist or cannot be read.
func (f *Flags) AddNamed(v output.Verdict) { f.namedTally.Add(v) }

// Finish prints the end and turns the tally into the exit code. Unreadable objects and missing
// named objects always decide, others only with --exit-code.
func (f *Flags) Finish(show printer.Printer, t *output.Tally, now time.Time) error {
	nothing := t.Objects == 0
	if nothing && !f.IgnoreNotFound {
		f.PrintNoObjects()
	}
	code := f.namedTally.UnreadableCode()
	switch {
	case f.ExitCode && !(nothing && f.IgnoreNotFound):
		code = t.Code()
	case t.Unread > 0:
		code = exit.Worse(code, exit.Uncertain)
	}
	if f.absent {
		code = exit.Worse(code, exit.Missing)
	}
	if err := show.End(t.Result(now, code)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, note := range t.Notes() {
		f.Env.Print("note: %s", note)
	}
	return exit.With(code)
}
