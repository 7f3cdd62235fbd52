package main

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
)

// An rbacCommand is one invocation of kstatus rbac.
type rbacCommand struct {
	env        environment
	connection *genericclioptions.ConfigFlags
	objects    selection
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

func newRBACCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	r := &rbacCommand{env: env, connection: connection}
	cmd := &cobra.Command{
		Use:         "rbac [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Print the least permissions that a wait needs",
		Long:        rbacLong,
		Example:     fmt.Sprintf(rbacExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args) },
	}
	r.objects.addFlags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.name, "name", "kstatus", "the name of the roles")
	flags.BoolVar(&r.endpoints, "endpoints", false, "for a wait with --endpoints")
	flags.BoolVar(&r.explain, "explain", false, "also for what explains why objects are not there; all but Secrets")
	flags.StringVar(&r.account, "serviceaccount", "", "bind the roles to this service account, as NAMESPACE:NAME")
	flags.StringVarP(&r.output, "output", "o", "yaml", "one of "+strings.Join(rbacFormats, ", "))
	completeWords(cmd, "output", rbacFormats)
	completeSets(cmd, env, connection)
	return cmd
}

func (r *rbacCommand) run(ctx context.Context, args []string) error {
	subject, err := r.check()
	if err != nil {
		return err
	}
	request, unread := r.objects.request(ctx, r.env.in, args)
	if unread != nil && len(request.items) == 0 {
		return unread
	}
	c, err := connect(ctx, r.env, r.connection)
	if err != nil {
		return err
	}
	all, unknown := r.objects.live(ctx, c, request)
	served := c.source()
	served.Endpoints = r.endpoints
	needs, unserved := served.Needs(ctx, targetsOf(all)...)
	if r.explain {
		needs = append(needs, explanationNeeds(c.mapper, needs, all)...)
	}
	needs = withReads(needs, c.reads)
	if err := r.print(manifestsFor(needs, r.name, subject)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return permitted(errors.Join(unread, unknown, unserved))
}

// check returns the subject that the roles are bound to; nil for none.
func (r *rbacCommand) check() (*rbacv1.Subject, error) {
	if err := oneOf("-o", r.output, rbacFormats); err != nil {
		return nil, err
	}
	if len(r.objects.contexts) > 0 {
		return nil, usagef("--contexts: the roles are for one cluster at a time")
	}
	if r.name == "" {
		return nil, usagef("--name: want a name, have an empty one")
	}
	if r.account == "" {
		return nil, nil
	}
	namespace, name, _ := strings.Cut(r.account, ":")
	if namespace == "" || name == "" || strings.Contains(name, ":") {
		return nil, usagef("--serviceaccount %q: want NAMESPACE:NAME", r.account)
	}
	return &rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}, nil
}

// print writes the manifests as kubectl applies them: YAML documents, or a List.
func (r *rbacCommand) print(all []manifest) error {
	if len(all) == 0 {
		return nil
	}
	if r.output == "json" {
		list := metav1.List{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}}
		for _, m := range all {
			list.Items = append(list.Items, runtime.RawExtension{Object: m.object})
		}
		encode := json.NewEncoder(r.env.out)
		encode.SetIndent("", "  ")
		return encode.Encode(list)
	}
	before := ""
	for _, m := range all {
		text, err := yaml.Marshal(m.object)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(r.env.out, "%s%s%s", before, m.comment, text); err != nil {
			return err
		}
		before = "---\n"
	}
	return nil
}
