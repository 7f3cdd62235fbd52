package selection

import (
	"context"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
)

// Connect returns the requested clusters, which use the given rules. These are the clusters of
// --contexts, or the cluster of the connection flags. With --contexts, the cluster is part of
// the names of objects.
func (s *Flags) Connect(ctx context.Context, env cli.Env, flags *genericclioptions.ConfigFlags, rules output.Rules) ([]*connection.Cluster, error) {
	if len(s.Contexts) == 0 {
		c, err := connection.Connect(ctx, env, flags)
		if err != nil {
			return nil, err
		}
		return []*connection.Cluster{c}, connection.UseRules(rules, c)
	}
	if *flags.Context != "" || *flags.ClusterName != "" || *flags.APIServer != "" {
		return nil, exit.Usagef("--contexts cannot be used with --context, --cluster and --server")
	}
	var all []*connection.Cluster
	for _, name := range s.Contexts {
		c, err := connection.Connect(ctx, env, connection.FlagsForContext(flags, name))
		if err != nil {
			return nil, err
		}
		c.Name = name
		all = append(all, c)
	}
	return all, connection.UseRules(rules, all...)
}
