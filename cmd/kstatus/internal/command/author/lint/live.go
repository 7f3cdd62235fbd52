package lint

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/internal/decoded"
)

// read adds the files or the definitions of a cluster in args to the run. It returns a client of
// the cluster, or nil for files only.
func (l *command) read(ctx context.Context, r *findings.Run, args []string) (dynamic.Interface, error) {
	var definitions []string
	for _, name := range l.flags.Names(args) {
		if definition, ok := definitionNamed(name); ok && !slices.Contains(l.flags.Files, name) {
			definitions = append(definitions, definition)
			continue
		}
		r.ReadFiles(name, l.flags.Recursive)
	}
	if l.cluster.all || len(definitions) > 0 {
		return l.readLive(ctx, r, definitions)
	}
	return nil, nil
}

// definitionNamed returns the name of the definition in an argument of kubectl's form, unless a
// file has the name of the argument.
func definitionNamed(arg string) (string, bool) {
	kind, name, ok := strings.Cut(arg, "/")
	if !ok || name == "" || strings.Contains(name, "/") {
		return "", false
	}
	kind, _, _ = strings.Cut(strings.ToLower(kind), ".")
	if !slices.Contains([]string{"crd", "crds", "customresourcedefinition", "customresourcedefinitions"}, kind) {
		return "", false
	}
	_, err := os.Lstat(arg)
	return name, err != nil
}

// readLive adds definitions of a cluster: the named definitions, or all that the flags select.
func (l *command) readLive(ctx context.Context, r *findings.Run, names []string) (dynamic.Interface, error) {
	c, err := connection.Connect(ctx, l.env, l.connection)
	if err != nil {
		return nil, err
	}
	client := c.Client.Interfaces().Dynamic
	if len(names) == 0 {
		return client, connection.WithExitCode(l.listDefinitions(ctx, r, client))
	}
	for _, name := range names {
		found, err := client.Resource(findings.Definitions).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil, &exit.Error{Code: exit.Missing, Err: err}
		}
		if err != nil {
			return nil, connection.WithExitCode(fmt.Errorf("read crd/%s: %w", name, err))
		}
		r.AddDefinition(found.Object)
	}
	return client, nil
}

func (l *command) listDefinitions(ctx context.Context, r *findings.Run, client dynamic.Interface) error {
	err := findings.EachObject(ctx, client.Resource(findings.Definitions), metav1.ListOptions{LabelSelector: l.cluster.selector}, func(o map[string]any) {
		if l.cluster.inGroups(decoded.Text(o, "spec", "group")) {
			r.AddDefinition(o)
		}
	})
	if err != nil {
		return fmt.Errorf("list definitions: %w", err)
	}
	return nil
}

// inGroups reports whether --group selects definitions of a group.
func (c lintCluster) inGroups(group string) bool {
	return len(c.groups) == 0 || slices.ContainsFunc(c.groups, func(pattern string) bool {
		end, all := strings.CutPrefix(pattern, "*")
		return pattern == group || all && strings.HasSuffix(group, end)
	})
}
