package rbac

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/internal/typo"
	"kstatus.dev/kube/sets"
)

// names returns the names of the commands that a command line may have.
func (r *command) names() (all []string) {
	for _, c := range r.commands {
		all = append(all, c.Name)
	}
	return all
}

// usageError returns the error for a word that is no such command.
func (r *command) usageError(word string) error {
	all := r.names()
	last := len(all) - 1
	return exit.Usagef("%s: want a command line of %s or %s after --", word, strings.Join(all[:last], ", "), all[last])
}

// permissionsOf returns the function for the permissions of a command, and nil for other commands.
func (r *command) permissionsOf(cmd *cobra.Command) func(permission.Line) (permission.Need, error) {
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().CommandPath()+" ")
	for _, c := range r.commands {
		sub, isBelow := strings.CutPrefix(path, c.Name+" ")
		if path == c.Name || isBelow && slices.Contains(c.Subcommands, sub) {
			return c.Permissions
		}
	}
	return nil
}

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
		if similar := typo.Find(words[0], r.names()); similar != "" || isSet || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
			return nil, r.usageError(words[0])
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
	permissions := r.permissionsOf(other)
	if permissions == nil {
		return nil, r.usageError(other.Name())
	}
	r.other = other
	if r.line, err = permissions(permission.Line{Command: other, Env: r.env}); err != nil {
		return nil, err
	}
	switch r.line.Explanation {
	case permission.ExplanationOptional:
		r.lacks = !r.explain && !r.optional
		r.explain = r.explain || r.optional
	case permission.ExplanationRequired:
		r.explain = true
	}
	return r.line.Args, r.copySelection(cmd, other.Flags())
}

// copySelection copies the flags that select objects from those of the command line. Before the command
// line, they are errors.
func (r *command) copySelection(cmd *cobra.Command, theirs *pflag.FlagSet) (err error) {
	mine := &cobra.Command{}
	r.objects.AddTo(mine) // sets the defaults
	mine.Flags().BoolVar(&r.endpoints, "endpoints", r.endpoints, "")
	r.objects.Expand = r.line.Tree
	switch {
	case r.line.IgnoresSelection:
		r.objects.AllNamespaces, _ = theirs.GetBool("all-namespaces")
		return nil
	case r.line.OnlyDefinitions:
		return nil
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
	if r.line.Compute == nil && len(theirs.Args()) == 0 && len(r.objects.Files) == 0 && r.objects.Kustomize == "" {
		r.objects.All = true // as for the command itself
	}
	return err
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
	need, err := r.overview(permission.Line{Command: root, Env: r.env})
	if err != nil {
		return err
	}
	r.line, r.objects.All, r.explain = need, true, true
	r.objects.Deleting, r.lacks = need.Stuck && r.optional, !r.optional
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
