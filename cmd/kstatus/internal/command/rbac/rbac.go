// Package rbac is kstatus rbac: the permissions that a wait needs.
package rbac

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/selection"
)

// An command is one invocation of kstatus rbac.
type command struct {
	env        cli.Env
	connection *genericclioptions.ConfigFlags
	objects    selection.Flags
	name       string
	account    string
	endpoints  bool
	explain    bool
	output     string
}

var rbacFormats = []string{"yaml", "json"}

const rbacExample = `  # What a CI job needs that waits for these objects
  %[1]s rbac -f shop/ > role.yaml

  # The same, and bind it to the job's service account
  %[1]s rbac -f shop/ --serviceaccount ci:deployer | kubectl apply -f -

  # For a release of Helm
  %[1]s rbac helm/web -n shop

  # For all Deployments of a namespace, whatever their names
  %[1]s rbac deployments -n shop`

const rbacLong = `Print the least Roles and ClusterRoles with which the objects can be waited for.

The objects need not exist; their kinds have to be served, so that it is known
what they are called in a rule. Where only a few objects of a kind are asked for
the rules name them.

For a set, what it takes to find its objects is among them; who asks has to be
allowed to find them, and to read Secrets for helm/NAME.

Whoever has less is told what cannot be read, and waits as well as that allows.`

// New returns kstatus rbac. name is how examples call the command.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	r := &command{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "rbac [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Print the least permissions that a wait needs",
		Long:        rbacLong,
		Example:     fmt.Sprintf(rbacExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args) },
	}
	r.objects.AddTo(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.name, "name", "kstatus", "the name of the roles")
	flags.BoolVar(&r.endpoints, "endpoints", false, "for a wait with --endpoints")
	flags.BoolVar(&r.explain, "explain", false, "also for what explains why objects are not there; all but Secrets")
	flags.StringVar(&r.account, "serviceaccount", "", "bind the roles to this service account, as NAMESPACE:NAME")
	flags.StringVarP(&r.output, "output", "o", "yaml", "one of "+strings.Join(rbacFormats, ", "))
	cli.CompleteWords(cmd, "output", rbacFormats)
	selection.CompleteSets(cmd, env, config)
	return cmd
}

func (r *command) run(ctx context.Context, args []string) error {
	subject, err := r.check()
	if err != nil {
		return err
	}
	request, unread := r.objects.Request(ctx, r.env.In, args)
	if unread != nil && len(request.Objects) == 0 {
		return unread
	}
	c, err := connection.Connect(ctx, r.env, r.connection)
	if err != nil {
		return err
	}
	all, unknown := r.objects.Resolve(ctx, c, request)
	served := c.Source()
	served.WaitForEndpoints = r.endpoints
	needs, unserved := served.Permissions(ctx, selection.Targets(all)...)
	if r.explain {
		needs = append(needs, explanationNeeds(c.Mapper, needs, all)...)
	}
	needs = withReads(needs, c.Reads)
	if err := r.print(manifestsFor(needs, r.name, subject)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return connection.WithExitCode(errors.Join(unread, unknown, unserved))
}

// check returns the subject that the roles are bound to; nil for none.
func (r *command) check() (*rbacv1.Subject, error) {
	if err := cli.CheckOneOf("-o", r.output, rbacFormats); err != nil {
		return nil, err
	}
	if len(r.objects.Contexts) > 0 {
		return nil, exit.Usagef("--contexts: the roles are for one cluster at a time")
	}
	if r.name == "" {
		return nil, exit.Usagef("--name: want a name, have an empty one")
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

// print writes the manifests as kubectl applies them: YAML documents, or a List.
func (r *command) print(all []manifest) error {
	if len(all) == 0 {
		return nil
	}
	if r.output == "json" {
		list := metav1.List{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}}
		for _, m := range all {
			list.Items = append(list.Items, runtime.RawExtension{Object: m.object})
		}
		encode := json.NewEncoder(r.env.Out)
		encode.SetIndent("", "  ")
		return encode.Encode(list)
	}
	before := ""
	for _, m := range all {
		text, err := yaml.Marshal(m.object)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(r.env.Out, "%s%s%s", before, m.comment, text); err != nil {
			return err
		}
		before = "---\n"
	}
	return nil
}
