package connection

import (
	"cmp"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// FlagsForContext returns a copy of connection flags with another context.
func FlagsForContext(flags *genericclioptions.ConfigFlags, name string) *genericclioptions.ConfigFlags {
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

// SourceOf returns one source for all clusters. ask configures the source of each cluster, and
// said receives the notes of a cluster.
func SourceOf(clusters []*Cluster, ask func(*kubesource.Cluster), said func(cluster, text string)) observe.Source {
	sources := map[string]observe.Source{}
	for _, c := range clusters {
		cluster := c.Source()
		ask(cluster)
		cluster.OnNote = func(note string) { said(c.Name, note) }
		if c.Name == "" {
			return cluster
		}
		sources[c.Name] = cluster
	}
	return observe.MultiCluster(sources)
}

// MappersOf returns the mappers of the clusters.
func MappersOf(clusters []*Cluster) (all []meta.RESTMapper) {
	for _, c := range clusters {
		all = append(all, c.Mapper)
	}
	return all
}

// ContextOf returns the context of a wait in a single cluster.
func ContextOf(clusters []*Cluster) string {
	if len(clusters) != 1 {
		return ""
	}
	return cmp.Or(clusters[0].Name, clusters[0].Context)
}
