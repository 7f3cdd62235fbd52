package overview

import (
	"context"
	"fmt"
	"slices"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/internal/typo"
)

// missingNamespace returns an error if the namespace of a cluster does not exist: an empty one
// has no objects either. Who may not list namespaces gets none.
func (c *Command) missingNamespace(ctx context.Context, cluster *connection.Cluster) error {
	found, err := c.flags.Selection.List(ctx, cluster, selection.Request{Args: []string{"namespaces"}})
	if err != nil {
		return nil
	}
	names := make([]string, len(found))
	for i, o := range found {
		names[i] = o.Target.Name
	}
	return noSuchNamespace(cluster.Namespace, names)
}

// noSuchNamespace returns an error if a name is none of those of namespaces.
func noSuchNamespace(name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	if meant := typo.Find(name, names); meant != "" {
		return fmt.Errorf("namespace %q does not exist; did you mean %s?", name, meant)
	}
	return fmt.Errorf("namespace %q does not exist", name)
}
