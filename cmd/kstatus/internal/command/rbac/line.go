package rbac

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/internal/typo"
	"kstatus.dev/kube/sets"
)

// lineCommands are the commands that a command line in the arguments may have.
var lineCommands = []string{"get", "wait", "explain", "report-verdict", "audit", "lint", "capi check", "capi pause", "capi unpause", "capi move"}

// lineCommandsText is the list of lineCommands in errors.
var lineCommandsText = strings.Join(lineCommands[:len(lineCommands)-1], ", ") + " or " + lineCommands[len(lineCommands)-1]

// readCommandLine parses the arguments as a command line of another command. It sets the flags
// that matter for permissions, and returns the arguments of that command. If the first word is
// not one of these commands, it returns words.
func (r *command) readCommandLine(cmd *cobra.Command, words []string) (args []string, err error) {
	if len(words) > 0 && words[0] == cmd.Root().Name() { // a command line as a user types it
		words = words[1:]
	}
	other, rest, err := cmd.Root().Find(words)
	switch {
	case len(words) == 0, err == nil && !other.HasParent() && strings.HasPrefix(words[0], "-"):
		return nil, r.readOverview(cmd, words)
	case err != nil || !other.HasParent():
		isSet := slices.Contains(sets.Types(), sets.Type(words[0]))
		if similar := typo.Find(words[0], lineCommands); similar != "" || isSet || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
			return nil, exit.Usagef("%s: want a command line of %s after --", words[0], lineCommandsText)
		}
		return words, nil
	}
	if err := other.ParseFlags(rest); err != nil {
		unknown, ok := errors.AsType[*pflag.NotExistError](err)
		if ok && cmd.Flags().Lookup(unknown.GetSpecifiedName()) != nil {
			return nil, exit.Usagef("%s has no flag --%s; write flags of rbac before --", other.CommandPath(), unknown.GetSpecifiedName())
		}
		return nil, exit.Usage(err)
	}
	mine, theirs := &cobra.Command{}, other.Flags()
	r.objects.AddTo(mine)
	mine.Flags().BoolVar(&r.endpoints, "endpoints", r.endpoints, "")
	switch other.Name() {
	case "wait":
		mode, _ := theirs.GetString("explain")
		r.lacks = mode != "none" && !r.explain && !r.optional
		r.explain = r.explain || mode != "none" && r.optional
	case "explain":
		r.explain = true
	case "get":
		r.tree, _ = theirs.GetBool("tree")
		r.deep, _ = theirs.GetBool("deep")
		pods, _ := theirs.GetBool("pods")
		format, _ := theirs.GetString("output")
		r.noPods, r.caveats = !pods, pods && (r.tree || format == "wide" || printer.FormatOf(format).Evidence)
		r.objects.Expand = r.tree
		if kind, _ := theirs.GetString("explain-rule"); kind != "" {
			r.rule = true
			return []string{kind}, nil
		}
	case "report-verdict":
		r.noPods = true
	case "audit":
		r.audit = true
		defer func() { args = []string{strings.Join(args, ",")} }()
	case "lint", "check":
		r.checks = other
		r.objects.AllNamespaces, _ = theirs.GetBool("all-namespaces")
		files, err := theirs.GetStringArray("filename")
		return append(files, theirs.Args()...), err
	case "pause", "unpause":
		r.pause = other
		r.objects.AllNamespaces, _ = theirs.GetBool("all-namespaces")
		return theirs.Args(), nil
	case "move", "resume", "rollback":
		r.move = other
		if other.Name() == "move" {
			r.objects.AllNamespaces, _ = theirs.GetBool("all-namespaces")
		}
		return theirs.Args(), nil
	default:
		return nil, exit.Usagef("%s: want a command line of %s after --", other.Name(), lineCommandsText)
	}
	mine.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case err != nil:
		case cmd.Flags().Changed(f.Name):
			err = exit.Usagef("--%s: want it after --, in the command line", f.Name)
		default:
			err = copyFlag(f, theirs.Lookup(f.Name))
		}
	})
	if other.Name() != "audit" && len(theirs.Args()) == 0 && len(r.objects.Files) == 0 && r.objects.Kustomize == "" {
		r.objects.All = true // as for the command itself
	}
	return theirs.Args(), err
}

// readOverview parses a command line of kstatus without a command.
func (r *command) readOverview(cmd *cobra.Command, words []string) error {
	root := cmd.Root()
	if err := root.ParseFlags(words); err != nil {
		return exit.Usage(err)
	}
	if rest := root.Flags().Args(); len(rest) > 0 {
		return exit.Usagef("%s: want a command before flags after --", rest[0])
	}
	r.objects.All, r.explain, r.overview = true, true, true
	r.objects.Deleting, r.lacks = r.optional, !r.optional
	all, err := root.Flags().GetBool("all-namespaces")
	r.objects.AllNamespaces = r.objects.AllNamespaces || all
	return err
}

// copyFlag copies the value of another flag if that flag is set.
func copyFlag(f, other *pflag.Flag) error {
	if other == nil || !other.Changed {
		return nil
	}
	if many, ok := f.Value.(pflag.SliceValue); ok {
		if values, ok := other.Value.(pflag.SliceValue); ok {
			return many.Replace(values.GetSlice())
		}
	}
	return f.Value.Set(other.Value.String())
}
