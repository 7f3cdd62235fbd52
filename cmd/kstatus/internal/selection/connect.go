package selection

import (
	"context"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/cluster"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/celrule"
)

// Connect returns the clusters that are meant: those of --contexts, which
// then name their objects, or the one of the connection flags. They judge by
// rules of files.
func (s *Flags) Connect(ctx context.Context, env cli.Env, flags *genericclioptions.ConfigFlags, rules []*celrule.Rule) ([]*cluster.Cluster, error) {
	if len(s.Contexts) == 0 {
		c, err := cluster.Connect(ctx, env, flags)
		if err != nil {
			return nil, err
		}
		return []*cluster.Cluster{c}, cluster.UseRules(rules, c)
	}
	if *flags.Context != "" || *flags.ClusterName != "" || *flags.APIServer != "" {
		return nil, exit.Usagef("--contexts: want it without --context, --cluster and --server")
	}
	var all []*cluster.Cluster
	for _, name := range s.Contexts {
		c, err := cluster.Connect(ctx, env, cluster.InContext(flags, name))
		if err != nil {
			return nil, err
		}
		c.Name = name
		all = append(all, c)
	}
	return all, cluster.UseRules(rules, all...)
}
