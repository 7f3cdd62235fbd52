// Package rbac is kstatus rbac, which prints the permissions that a command line
// needs.
package rbac

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/cmd/kstatus/internal/selection"
	kubesource "kstatus.dev/kube/source"
)

// A command is one invocation of kstatus rbac.
type command struct {
	env        cli.Env
	connection *genericclioptions.ConfigFlags
	objects    selection.Flags
	name       string
	account    string
	endpoints  bool
	explain    bool
	commands   []permission.Command // those that a command line may have
	overview   func(permission.Line) (permission.Need, error)
	line       permission.Need // of the command line; zero without one
	other      *cobra.Command  // the command of the command line; nil without one
	secrets    bool
	optional   bool
	lacks      bool // optional rules are left out
	output     string
}

var rbacFormats = []string{"yaml", "json"}

const rbacExample = `  # Print the role of a CI job that waits for these objects
  %[1]s rbac -f shop/ > role.yaml

  # Include what the explanation of a failed wait reads
  %[1]s rbac --optional -- wait -f shop/

  # Bind it to the service account of the job
  %[1]s rbac -f shop/ --serviceaccount ci:deployer | kubectl apply -f -

  # Include the right to read all Secrets, for a Helm release
  %[1]s rbac helm/web -n shop --secrets

  # Print the role for all Deployments of a namespace
  %[1]s rbac deployments -n shop

  # Print the role for kstatus without a command
  %[1]s rbac -n shop --

  # Print the role for a command line
  %[1]s rbac -- wait -f shop/ --endpoints --timeout 10m`

const rbacLong = `Print the smallest Roles and ClusterRoles that a command needs for these objects.

The objects need not exist, but the server must have their types. Rules name single
objects where these are few. For a set, kstatus finds its objects with your permissions.

By default the roles have the rules that the command needs. --optional adds rules that
let it know and explain more.

A rule for a Secret always names it, since the right to read a Secret is the right to
read its values. Helm releases need the right to read all Secrets of a namespace.
--secrets prints that rule; without it, a comment says what is missing.

After --, write a command line of get, wait, explain, report-verdict, audit, lint, capi
check, capi pause, capi unpause or capi move. Write nothing for kstatus without a command. The flags
of the command line select the permissions. The roles of a move are for both clusters.

Roles of other objects and accounts have other names. --name sets the name.

Guide: https://kstatus.dev/docs/guides/permissions`

// New returns kstatus rbac, for command lines of the commands, and of kstatus without a command. name
// is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string, overview func(permission.Line) (permission.Need, error), commands ...permission.Command) *cobra.Command {
	r := &command{env: env, connection: config, overview: overview, commands: commands}
	cmd := &cobra.Command{
		Use:         "rbac [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all | -- COMMAND ...]",
		Short:       "Print the smallest permissions that a command needs",
		Long:        rbacLong,
		Example:     fmt.Sprintf(rbacExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if cmd.ArgsLenAtDash() == 0 {
				if args, err = r.readCommandLine(cmd, args); err != nil {
					return err
				}
			}
			return r.run(cmd.Context(), args)
		},
	}
	r.objects.AddTo(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.name, "name", "", "Name of the roles. By default it is derived from the objects and the account.")
	flags.BoolVar(&r.endpoints, "endpoints", false, "Include the permissions of wait --endpoints.")
	flags.BoolVar(&r.explain, "explain", false, "Include the permissions of explanations, except for Secrets.")
	flags.BoolVar(&r.secrets, "secrets", false, "Include the permission to read all Secrets of a namespace with their values. Helm releases and selected Secrets need it, and with --explain the Secrets that objects refer to.")
	flags.BoolVar(&r.optional, "optional", false, "Include the rules that the command works without. They are for definitions of types, explanations of waits, warnings about Current objects, and deletions that do not end.")
	flags.StringVar(&r.account, "serviceaccount", "", "Bind the roles to this service account, as NAMESPACE:NAME.")
	flags.StringVarP(&r.output, "output", "o", "yaml", "Output format. One of: "+strings.Join(rbacFormats, ", "))
	cli.CompleteWords(cmd, "output", rbacFormats)
	completion.Completer{Env: env, Connection: config}.AddObjects(cmd)
	return cmd
}

func (r *command) run(ctx context.Context, args []string) error {
	subject, err := r.check()
	if err != nil {
		return err
	}
	request, unread := selection.Request{Args: args}, error(nil)
	if !r.line.IgnoresSelection {
		request, unread = r.objects.Request(ctx, r.env, args)
	}
	if unread != nil && len(request.Objects) == 0 {
		return unread
	}
	c, err := connection.Connect(ctx, r.env, r.connection)
	if err != nil {
		return err
	}
	needs, lacks, unknown := r.needs(ctx, c, request)
	needs, missing, withheld := r.withoutSecrets(needs)
	if r.lacks {
		missing = append(missing, "Optional rules are left out. --optional adds them.")
	}
	if lacks != "" {
		missing = append(missing, lacks)
	}
	if err := r.print(manifestsFor(needs, withheld, r.roleName(request, c.Namespace), subject), missing); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return connection.WithExitCode(errors.Join(unread, unknown))
}

// needs returns the permissions for the request, and a note about what they lack. The error reports
// types that are not served and objects that do not exist; the result covers the rest of the request.
func (r *command) needs(ctx context.Context, c *connection.Cluster, request selection.Request) (needs []kubesource.Permission, lacks string, err error) {
	if r.line.Compute != nil {
		return r.line.Compute(ctx, c, request.Args, r.objects.AllNamespaces)
	}
	needs, err = r.objectNeeds(ctx, c, request)
	return needs, "", err
}

// objectNeeds returns the permissions of commands that judge selected objects.
func (r *command) objectNeeds(ctx context.Context, c *connection.Cluster, request selection.Request) ([]kubesource.Permission, error) {
	found, unknown := r.objects.Resolve(ctx, c, request)
	served := c.Source()
	served.WaitForEndpoints = r.endpoints
	needs, unserved := served.Permissions(ctx, selection.Targets(found.Objects)...)
	if r.line.OnlyDefinitions {
		return slices.DeleteFunc(needs, func(n kubesource.Permission) bool { return n.Resource != permission.DefinitionsResource }), errors.Join(unknown, unserved)
	}
	if r.line.WithoutPods {
		needs = slices.DeleteFunc(needs, func(n kubesource.Permission) bool { return n.Purpose == kubesource.PurposeParts })
	}
	if request.ByType() && r.objects.Expand { // the search has listed them, and so does the command
		listed, _ := served.Permissions(ctx, selection.Targets(r.objects.Selections(c, request))...)
		needs = append(needs, listed...)
	}
	if r.objects.AllNamespaces {
		needs = append(needs, r.line.InAllNamespaces...)
	}
	var unfound error
	if r.explain || r.line.Tree {
		var more []kubesource.Permission
		more, unfound = r.explanationNeeds(ctx, c, selection.Targets(found.Objects))
		needs = append(needs, more...)
	}
	if r.line.Caveats && !r.explain {
		r.lacks = r.lacks || !r.optional
		if r.optional {
			needs = append(needs, caveatNeeds(c, selection.Targets(found.Objects))...)
		}
	}
	return r.withoutOptional(withReads(needs, found.Reads)), errors.Join(unknown, unserved, unfound)
}

// withoutOptional removes the permissions to read definitions, unless --optional requests them.
func (r *command) withoutOptional(needs []kubesource.Permission) []kubesource.Permission {
	if r.optional {
		return needs
	}
	return slices.DeleteFunc(needs, func(n kubesource.Permission) bool {
		isOptional := n.Purpose == kubesource.PurposeDefinitions
		r.lacks = r.lacks || isOptional
		return isOptional
	})
}

// check returns the subject of the role bindings, or nil for no bindings.
func (r *command) check() (*rbacv1.Subject, error) {
	if err := cli.CheckOneOf("-o", r.output, rbacFormats); err != nil {
		return nil, err
	}
	if len(r.objects.Contexts) > 0 {
		return nil, exit.Usagef("--contexts: the roles are for one cluster at a time")
	}
	if r.account == "" {
		return nil, nil
	}
	namespace, name, _ := strings.Cut(r.account, ":")
	if namespace == "" || name == "" || strings.Contains(name, ":") {
		return nil, exit.Usagef("--serviceaccount %q: want NAMESPACE:NAME", r.account)
	}
	return &rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}, nil
}

// print prints the manifests as YAML documents or as a List, for kubectl apply. Standard error
// and, in YAML, comments report missing permissions.
func (r *command) print(all []manifest, missing []string) error {
	for _, text := range missing {
		r.env.Print("note: %s", text)
	}
	if r.output == "json" {
		return r.printList(all)
	}
	if _, err := io.WriteString(r.env.Out, comment(missing...)); err != nil {
		return err
	}
	before := ""
	for _, m := range all {
		text, err := yaml.Marshal(m.object)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(r.env.Out, "%s%s%s", before, comment(m.comments...), text); err != nil {
			return err
		}
		before = "---\n"
	}
	return nil
}

// comment returns lines as a YAML comment.
func comment(lines ...string) (text string) {
	for _, line := range lines {
		text += "# " + line + "\n"
	}
	return text
}

// printList prints the manifests as a List.
func (r *command) printList(all []manifest) error {
	if len(all) == 0 {
		return nil
	}
	list := metav1.List{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}}
	for _, m := range all {
		list.Items = append(list.Items, runtime.RawExtension{Object: m.object})
	}
	encode := json.NewEncoder(r.env.Out)
	encode.SetIndent("", "  ")
	return encode.Encode(list)
}
