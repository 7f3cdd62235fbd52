package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/status"
)

// A snapshotFlags is what the commands that look once have in common, get and
// explain: which objects, of files or of clusters, and by what they are judged.
type snapshotFlags struct {
	env        environment
	connection *genericclioptions.ConfigFlags
	selection  selection
	rules      ruleFlags

	local    bool
	crds     []string
	at       string // the value of --now
	profile  string
	noHints  bool
	colour   string
	exitCode bool
}

func (f *snapshotFlags) addTo(cmd *cobra.Command) {
	f.selection.addFlags(cmd)
	f.rules.addTo(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.local, "local", false, "take the objects given as the observed state; no server is asked")
	flags.StringArrayVar(&f.crds, "crds", nil, "with --local, file or directory with CustomResourceDefinitions that say what their kinds promise; repeatable")
	flags.StringVar(&f.at, "now", "", "with --local, judge as of this time (RFC 3339), not as of now")
	addProfileFlag(cmd, &f.profile)
	addHintsFlag(cmd, &f.noHints)
	flags.StringVar(&f.colour, "color", "auto", "one of "+strings.Join(colourModes, ", "))
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit as a wait that may not last would: 3 failed, 4 not there yet, 5 nothing matched")
	completeWords(cmd, "color", colourModes)
	completeContexts(cmd, f.connection)
	completeSets(cmd, f.env, f.connection)
}

// criteria returns by what objects are judged, and refuses flags that contradict
// each other.
func (f *snapshotFlags) criteria() (c criteria, err error) {
	if err := f.selection.check(); err != nil {
		return c, err
	}
	profile, err := status.ProfileNamed(f.profile)
	if err != nil {
		return c, usageError(err)
	}
	c.now = f.env.now()
	if f.at != "" {
		if c.now, err = time.Parse(time.RFC3339, f.at); err != nil {
			return c, usagef("--now %q: want a time such as 2026-11-20T16:00:00Z", f.at)
		}
	}
	now := c.now
	c.evaluator = status.Evaluator{Profile: profile, NoHints: f.noHints, Now: func() time.Time { return now }}
	switch {
	case f.local && len(f.selection.contexts) > 0:
		return c, usagef("--contexts: want it without --local, which asks no server")
	case f.local && (f.selection.all || f.selection.expand):
		return c, usagef("--all and --expand: want them without --local, which asks no server")
	}
	c.rules, err = f.rules.read()
	return c, err
}

// checkOrigin refuses flags about files where a cluster is read.
func (f *snapshotFlags) checkOrigin() error {
	if !f.local && (len(f.crds) > 0 || f.at != "") {
		return usagef("--crds and --now: want --local with them")
	}
	return nil
}

// checkReplay refuses what cannot be asked of a record.
func (f *snapshotFlags) checkReplay() error {
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--now", f.at != ""}, {"--crds", len(f.crds) > 0}, {"--rules", len(f.rules.files) > 0}, {"-l", f.selection.selector != ""}} {
		if flag.set {
			return usagef("%s: want it without a record, which tells what was seen and judged then", flag.name)
		}
	}
	return nil
}

// namespace returns the namespace that is named by a flag, empty for all.
func (f *snapshotFlags) namespace() string {
	if f.selection.allNamespaces || f.connection.Namespace == nil {
		return ""
	}
	return *f.connection.Namespace
}

// noteNothing prints that there is no object, as kubectl does.
func (f *snapshotFlags) noteNothing() {
	scope := ""
	if ns := f.namespace(); ns != "" {
		scope = " in " + ns + " namespace"
	}
	f.env.print("No resources found%s.", scope)
}

// filter returns whether an object matches -l and -n.
func (f *snapshotFlags) filter() (func(map[string]any) bool, error) {
	selector, err := f.selection.labels()
	if err != nil {
		return nil, usageError(err)
	}
	namespace := f.namespace()
	return func(root map[string]any) bool {
		if namespace != "" && textAt(root, "metadata", "namespace") != namespace {
			return false
		}
		return selector.Empty() || selector.Matches(labelsOf(root))
	}, nil
}

// named returns those of the verdicts that the arguments and -n name.
func (f *snapshotFlags) named(all []verdict, args []string) ([]verdict, error) {
	namespace := f.namespace()
	all = slices.DeleteFunc(all, func(v verdict) bool { return namespace != "" && v.ID.Namespace != namespace })
	if len(args) == 0 {
		return all, nil
	}
	return namedBy(args, all)
}

func (f *snapshotFlags) startLine(now time.Time) startLine {
	return startLine{V: linesVersion, Type: "start", Time: rfc3339(now), Profile: f.profile}
}

// partly prints what could not be read, and counts it, where something else could
// be; where nothing could, it returns the error.
func (f *snapshotFlags) partly(errs []error, some bool, t *tally) error {
	err := utilerrors.NewAggregate(errs)
	if err == nil {
		return nil
	}
	if !some {
		return permitted(err)
	}
	t.unread++
	f.env.print("error: %v", err)
	return nil
}

// finish prints the end and turns the tally into the exit code: what could not
// be read as an object always decides, the rest only with --exit-code.
func (f *snapshotFlags) finish(show printer, t *tally, now time.Time) error {
	if t.objects == 0 {
		f.noteNothing()
	}
	code := exitOK
	switch {
	case f.exitCode:
		code = t.code()
	case t.unread > 0:
		code = exitUncertain
	}
	if err := show.end(t.result(now, code)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return exitWith(code)
}
