package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/kube/celrule"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// connectAll returns the clusters that are meant: those of --contexts, which
// then name their objects, or the one of the connection flags. They judge by
// rules of files.
func (s *selection) connectAll(ctx context.Context, env environment, flags *genericclioptions.ConfigFlags, rules []*celrule.Rule) ([]*connected, error) {
	if len(s.contexts) == 0 {
		c, err := connect(ctx, env, flags)
		if err != nil {
			return nil, err
		}
		return []*connected{c}, judgeBy(rules, c)
	}
	if *flags.Context != "" || *flags.ClusterName != "" || *flags.APIServer != "" {
		return nil, usagef("--contexts: want it without --context, --cluster and --server")
	}
	var all []*connected
	for _, name := range s.contexts {
		c, err := connect(ctx, env, inContext(flags, name))
		if err != nil {
			return nil, err
		}
		c.name = name
		all = append(all, c)
	}
	return all, judgeBy(rules, all...)
}

// inContext returns connection flags that differ in the context only.
func inContext(flags *genericclioptions.ConfigFlags, name string) *genericclioptions.ConfigFlags {
	own := genericclioptions.NewConfigFlags(true)
	own.Context = &name
	own.CacheDir, own.KubeConfig, own.Namespace = flags.CacheDir, flags.KubeConfig, flags.Namespace
	own.AuthInfoName, own.BearerToken = flags.AuthInfoName, flags.BearerToken
	own.Username, own.Password = flags.Username, flags.Password
	own.Impersonate, own.ImpersonateUID = flags.Impersonate, flags.ImpersonateUID
	own.ImpersonateGroup, own.ImpersonateUserExtra = flags.ImpersonateGroup, flags.ImpersonateUserExtra
	own.TLSServerName, own.Insecure = flags.TLSServerName, flags.Insecure
	own.CertFile, own.KeyFile, own.CAFile = flags.CertFile, flags.KeyFile, flags.CAFile
	own.Timeout, own.DisableCompression, own.ProxyURL = flags.Timeout, flags.DisableCompression, flags.ProxyURL
	return own
}

// completeContexts offers the contexts of the kubeconfig for --contexts.
func completeContexts(cmd *cobra.Command, flags *genericclioptions.ConfigFlags) {
	// An error would mean that the flag does not exist: it is one of a selection.
	_ = cmd.RegisterFlagCompletionFunc("contexts", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		raw, err := flags.ToRawKubeConfigLoader().RawConfig()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for name := range raw.Contexts {
			names = append(names, name)
		}
		slices.Sort(names)
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// sourceOf returns one source for all clusters, each as asked. What each has to
// say goes to said.
func sourceOf(clusters []*connected, ask func(*kubesource.Cluster), said func(cluster, text string)) observe.Source {
	sources := map[string]observe.Source{}
	for _, c := range clusters {
		cluster := c.source()
		ask(cluster)
		cluster.Said = func(note string) { said(c.name, note) }
		if c.name == "" {
			return cluster
		}
		sources[c.name] = cluster
	}
	return observe.Several(sources)
}

// mappersOf returns what knows the kinds of each of the clusters.
func mappersOf(clusters []*connected) (all []meta.RESTMapper) {
	for _, c := range clusters {
		all = append(all, c.mapper)
	}
	return all
}

// related returns what looks up related objects of each of the clusters.
func related(clusters []*connected) func(cluster string) status.Lookup {
	return func(cluster string) status.Lookup {
		for _, c := range clusters {
			if c.name == cluster {
				return c.promises.Related
			}
		}
		return nil
	}
}

// promised returns what the kinds of each of the clusters promise.
func promised(clusters []*connected) func(cluster string) status.Expectations {
	return func(cluster string) status.Expectations {
		for _, c := range clusters {
			if c.name == cluster {
				return c.promises.Of
			}
		}
		return nil
	}
}
