// Package completion completes the words of a command line for a shell. It completes types, names
// and sets of a cluster, namespaces, and the names in a kubeconfig.
//
// It offers the same words as kubectl, but does not use kubectl's functions. Those read whole
// objects, including Secrets with their values, wait for a server without a limit, and make the
// command a quarter larger.
package completion

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/tools/clientcmd/api"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/internal/crash"
)

// timeLimit is the maximum time of a completion.
const timeLimit = 2 * time.Second

// The directives for a shell: offer only these words.
const (
	wordsOnly = cobra.ShellCompDirectiveNoFileComp
	openWord  = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
)

// A Completer completes words with names from a cluster.
type Completer struct {
	Env        cli.Env
	Connection *genericclioptions.ConfigFlags
}

// A function completes one word, given the previous arguments.
type function = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective)

// AddConnectionFlags completes the connection flags of the root command.
func (c Completer) AddConnectionFlags(root *cobra.Command) {
	for flag, complete := range map[string]function{
		"namespace": c.completeValue(c.namespaces),
		"context":   c.completeValue(c.readKubeconfig(contextNames)),
		"cluster":   c.completeValue(c.readKubeconfig(func(config api.Config) []string { return slices.Sorted(maps.Keys(config.Clusters)) })),
		"user":      c.completeValue(c.readKubeconfig(func(config api.Config) []string { return slices.Sorted(maps.Keys(config.AuthInfos)) })),
	} {
		// The only possible error is that kubectl's flags have changed. A test of each flag
		// detects that.
		_ = root.RegisterFlagCompletionFunc(flag, complete)
	}
}

// AddContextFlag completes a flag whose value is a context of the kubeconfig.
func (c Completer) AddContextFlag(cmd *cobra.Command, flag string) {
	// The only possible error is a flag that does not exist: each caller has just defined it.
	_ = cmd.RegisterFlagCompletionFunc(flag, c.completeValue(c.readKubeconfig(contextNames)))
}

func contextNames(config api.Config) []string { return slices.Sorted(maps.Keys(config.Contexts)) }

// AddObjects completes the arguments of a command that takes objects. It also completes
// --contexts if the command has that flag.
func (c Completer) AddObjects(cmd *cobra.Command) {
	cmd.ValidArgsFunction = c.objects
	// The only possible error is that the command does not have the flag.
	_ = cmd.RegisterFlagCompletionFunc("contexts", c.list(c.readKubeconfig(contextNames)))
}

// AddTypes completes the arguments of a command that takes types.
func (c Completer) AddTypes(cmd *cobra.Command) { cmd.ValidArgsFunction = c.list(c.types) }

// AddNamesOf completes the arguments of a command that takes names of one type, or TYPE/NAME.
func (c Completer) AddNamesOf(cmd *cobra.Command, typ string) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(word, "/") {
			return c.objects(cmd, args, word)
		}
		offered := readWithin(cmd.Context(), func(ctx context.Context) []string { return c.names(ctx, typ) })
		return removeWords(args, startingWith(word, offered)), wordsOnly
	}
}

// AddTypeFlag completes a flag whose value is a type.
func (c Completer) AddTypeFlag(cmd *cobra.Command, flag string) {
	// The only possible error is a flag that does not exist: each caller has just defined it.
	_ = cmd.RegisterFlagCompletionFunc(flag, c.completeValue(c.types))
}

// AddDefinitions completes the arguments of a command that takes files, or definitions of a
// cluster as crd/NAME.
func (c Completer) AddDefinitions(cmd *cobra.Command) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		typ, name, named := strings.Cut(word, "/")
		if !named || !slices.Contains([]string{"crd", "crds", "customresourcedefinition", "customresourcedefinitions"}, typ) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		offered := readWithin(cmd.Context(), func(ctx context.Context) []string { return c.names(ctx, "customresourcedefinitions") })
		for i := range offered {
			offered[i] = typ + "/" + offered[i]
		}
		return removeWords(args, startingWith(typ+"/"+name, offered)), wordsOnly
	}
}

// A reader returns all words that completion may offer.
type reader func(context.Context) []string

// completeValue completes a word that is one value.
func (c Completer) completeValue(read reader) function {
	return func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return startingWith(word, readWithin(cmd.Context(), read)), wordsOnly
	}
}

// list completes the last of several values that are separated by commas. It does not offer the
// earlier values.
func (c Completer) list(read reader) function {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		before, last := cutLast(word, ",")
		given := append(strings.Split(before, ","), args...)
		offered := slices.DeleteFunc(startingWith(last, readWithin(cmd.Context(), read)), func(value string) bool { return slices.Contains(given, value) })
		for i := range offered {
			offered[i] = before + offered[i]
		}
		return offered, wordsOnly
	}
}

// objects completes TYPE, TYPE/NAME, TYPE NAME and SET/NAME.
func (c Completer) objects(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	hasFiles := false // with files, only TYPE/NAME and SET/NAME are valid
	for _, flag := range []string{"filename", "kustomize"} {
		f := cmd.Flags().Lookup(flag)
		hasFiles = hasFiles || f != nil && f.Changed
	}
	if isCommand := func(c *cobra.Command) bool { return len(args) > 0 && c.Name() == args[0] }; slices.ContainsFunc(cmd.Root().Commands(), isCommand) {
		args = args[1:] // kstatus rbac takes a command line as arguments
	}
	typ, name, named := strings.Cut(word, "/")
	switch {
	case named:
		offered := readWithin(cmd.Context(), func(ctx context.Context) []string { return c.names(ctx, typ) })
		for i := range offered {
			offered[i] = typ + "/" + offered[i]
		}
		return removeWords(args, startingWith(typ+"/"+name, offered)), wordsOnly
	case len(args) == 0 && !hasFiles:
		types, directive := c.list(c.types)(cmd, nil, word)
		types = append(types, startingWith(word, setTypes())...)
		if !slices.ContainsFunc(types, func(t string) bool { return !strings.HasSuffix(t, "/") }) {
			directive = openWord
		}
		return types, directive
	case len(args) == 0 || strings.Contains(args[0], "/"):
		types := readWithin(cmd.Context(), c.types)
		for i := range types {
			types[i] += "/"
		}
		return startingWith(word, append(types, setTypes()...)), openWord
	}
	offered := readWithin(cmd.Context(), func(ctx context.Context) []string { return c.names(ctx, args[0]) })
	return removeWords(args[1:], startingWith(word, offered)), wordsOnly
}

// readWithin returns the result of a reader within the time limit, otherwise nil. The context alone
// does not suffice, since a credential plugin ignores it.
func readWithin(ctx context.Context, read reader) []string {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	done := make(chan []string, 1)
	crash.Go(func() { done <- read(ctx) })
	select {
	case found := <-done:
		return found
	case <-ctx.Done():
		return nil
	}
}

// readKubeconfig returns a reader of the kubeconfig.
func (c Completer) readKubeconfig(read func(api.Config) []string) reader {
	return func(context.Context) []string {
		config, err := c.Connection.ToRawKubeConfigLoader().RawConfig()
		if err != nil {
			return nil // a shell cannot show the error
		}
		return read(config)
	}
}

// connect returns the cluster, or nil without one.
func (c Completer) connect(ctx context.Context) *connection.Cluster {
	cluster, err := connection.Connect(ctx, c.Env, c.Connection)
	if err != nil {
		return nil
	}
	return cluster
}

// startingWith returns the words that begin with a text, sorted.
func startingWith(text string, words []string) (some []string) {
	for _, word := range words {
		if strings.HasPrefix(word, text) {
			some = append(some, word)
		}
	}
	slices.Sort(some)
	return some
}

// removeWords returns the words that are not in given.
func removeWords(given, words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains(given, word) })
}

// cutLast splits a text at its last separator.
func cutLast(text, separator string) (before, last string) {
	i := strings.LastIndex(text, separator) + 1
	return text[:i], text[i:]
}
