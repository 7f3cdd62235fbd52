// Package overview is kstatus without a command, which prints the objects of a namespace that are
// not Current, and the causes.
package overview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
	"kstatus.dev/explain"
	"kstatus.dev/internal/crash"
	"kstatus.dev/status"
)

// A Command is kstatus without a command, with its flags.
type Command struct {
	flags       snapshot.Flags
	explanation explainer.Flags
	name        string
}

// New returns the command. name is the name of kstatus in the help.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *Command {
	c := &Command{flags: snapshot.Flags{Env: env, Connection: config, Profile: status.Profile{}.Name(), Colour: "auto"}, name: name}
	c.flags.Selection.All, c.flags.Selection.Deleting = true, true
	c.explanation.Logs = "none" // the overview does not print logs
	return c
}

// AddTo defines the flags, without the connection flags.
func (c *Command) AddTo(root *cobra.Command) {
	flags := root.Flags()
	flags.BoolVarP(&c.flags.Selection.AllNamespaces, "all-namespaces", "A", false, "Select objects of all namespaces.")
	flags.BoolVar(&c.flags.ExitCode, "exit-code", false, "Exit as get --exit-code does.")
}

// Run prints the overview. Without a kubeconfig, its error also names the help.
func (c *Command) Run(ctx context.Context) error {
	err := c.run(ctx)
	if _, missing := errors.AsType[*connection.MissingConfigError](err); !missing {
		return err
	}
	return fmt.Errorf("%w\nWithout a command, %s shows what is not Current in a namespace of a cluster. See '%s help' for its commands", err, c.name, c.name)
}

func (c *Command) run(ctx context.Context) error {
	by, err := c.flags.Criteria()
	if err != nil {
		return err
	}
	wanted, clusters, unread, err := c.flags.Connect(ctx, nil, by)
	if err = cmp.Or(err, unread); err != nil {
		return err
	}
	cluster := clusters[0]
	found, served, err := c.find(ctx, cluster, wanted)
	if missing, ok := errors.AsType[*connection.NamespaceError](err); ok {
		c.flags.Env.PrintError(missing)
		return exit.With(exit.Missing)
	}
	if err != nil {
		return connection.WithExitCode(err)
	}
	all, err := snapshot.Reader{Cluster: cluster, Judge: cluster.Judge(by, output.DetailObject), Pods: true, FirstStatus: snapshot.DefaultFirstStatus}.LookUp(ctx, found.Objects)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(v output.Verdict) bool { return v.Status == status.NotFoundStatus }) // deleted after they were listed
	var tally output.Tally
	for _, v := range all {
		tally.Add(v)
	}
	if err := c.explanation.AddCaveats(ctx, clusters, by, all); err != nil {
		return err
	}
	tally.AddCurrent(served)
	bad := notCurrent(all)
	if !c.flags.Selection.AllNamespaces {
		withNamespaceFirst(cluster.Namespace, bad)
	}
	var why *explain.Explanation
	if len(bad) > 0 {
		c.explanation.Everywhere = c.flags.Selection.AllNamespaces
		facts, err := c.explanation.Collect(ctx, []explainer.Scope{{Cluster: cluster, Homes: found.Homes()}}, by, bad)
		if err != nil {
			return err
		}
		why = explain.Explain(facts, output.IDs(bad)...)
	}
	p := page{namespace: cluster.Namespace, all: len(all) + served}
	if c.flags.Selection.AllNamespaces {
		p.namespace = ""
	}
	if err := c.flags.Env.Page(c.flags.Env.Out, c.flags.Colour).Print(p.lines(bad, why, withWarnings(all))); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, note := range tally.Notes() {
		c.flags.Env.Print("note: %s", note)
	}
	switch {
	case c.flags.ExitCode:
		return exit.With(tally.Code())
	case tally.Unread > 0:
		return exit.With(exit.Uncertain)
	}
	return nil
}

// find returns the objects of an overview. served is the number of served
// CustomResourceDefinitions in an overview of all namespaces; found does not have them.
func (c *Command) find(ctx context.Context, cluster *connection.Cluster, wanted selection.Request) (found selection.Found, served int, err error) {
	var others []selection.Object
	var unread error
	var both crash.Group
	both.Go(func() {
		if c.flags.Selection.AllNamespaces {
			others, served, unread = c.clusterScoped(ctx, cluster)
		} else {
			others, unread = terminating(ctx, cluster)
		}
	})
	found, err = c.flags.Selection.List(ctx, cluster, wanted)
	both.Wait()
	if _, missing := errors.AsType[*connection.NamespaceError](unread); missing {
		return found, 0, unread
	}
	if c.flags.Selection.AllNamespaces && connection.IsForbidden(err) {
		return found, 0, fmt.Errorf("%w\n-n NAMESPACE shows one namespace; '%s rbac -A --' prints the permissions for all of them", err, c.name)
	}
	denied, unread := withoutDenied(unread)
	if err = cmp.Or(err, unread); err == nil && len(denied) > 0 {
		cluster.Note("cluster-scoped objects are left out, because you are not permitted to list them: " + strings.Join(denied, ", "))
	}
	found.Objects = append(others, found.Objects...)
	return found, served, err
}
