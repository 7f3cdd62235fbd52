// Package pausetarget selects the objects of kstatus capi pause and unpause.
package pausetarget

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	kubeconnection "kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

// ClusterType is the type of Clusters.
const ClusterType = "clusters.cluster.x-k8s.io"

// A Selection selects the Clusters and other objects to pause.
type Selection struct {
	All           bool // of the namespace
	AllNamespaces bool
	Labels        string
}

// AddTo defines the flags.
func (s *Selection) AddTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.All, "all", false, "Select all Clusters of the namespace.")
	cmd.Flags().BoolVarP(&s.AllNamespaces, "all-namespaces", "A", false, "Select Clusters of all namespaces.")
	cmd.Flags().StringVarP(&s.Labels, "selector", "l", "", "Select Clusters with these labels, for example env=test.")
}

// BySelector reports whether Clusters are not named one by one.
func (s *Selection) BySelector() bool { return s.All || s.AllNamespaces || s.Labels != "" }

// Check returns an error if flags and arguments contradict each other.
func (s *Selection) Check(args []string) error {
	switch {
	case len(args) == 0 && !s.BySelector():
		return exit.Usagef("want CLUSTER, TYPE/NAME, -l, --all or -A; -A means all Clusters")
	case len(args) > 0 && s.BySelector():
		return exit.Usagef("%s: want either names, or -l, --all and -A", args[0])
	}
	if _, err := labels.Parse(s.Labels); err != nil {
		return exit.Usagef("-l %s: %w", s.Labels, err)
	}
	for _, arg := range args {
		typ, name, typed := strings.Cut(arg, "/")
		if arg == "" || typed && (typ == "" || name == "" || strings.Contains(name, "/")) {
			return exit.Usagef("%q: want CLUSTER or TYPE/NAME", arg)
		}
	}
	return nil
}

// Targets returns the selected objects. It reads the cluster only for TYPE/NAME, -l, --all and -A.
func (s *Selection) Targets(ctx context.Context, cluster *connection.Cluster, args []string) (all []status.ID, err error) {
	if s.BySelector() {
		return s.list(ctx, cluster)
	}
	for _, arg := range args {
		typ, name, typed := strings.Cut(arg, "/")
		if !typed {
			all = append(all, pause.ClusterID(cluster.Namespace, arg))
			continue
		}
		mappings, err := cluster.Types(typ)
		if err != nil {
			return nil, connection.WithExitCode(err)
		}
		if len(mappings) != 1 {
			return nil, exit.Usagef("%s: want one type, have %d", arg, len(mappings))
		}
		id := status.ID{Kind: status.Kind(mappings[0].GroupVersionKind.GroupKind()), Name: name}
		if mappings[0].Scope.Name() == meta.RESTScopeNameNamespace {
			id.Namespace = cluster.Namespace
		}
		all = append(all, id)
	}
	return all, nil
}

// list returns the Clusters that the flags select.
func (s *Selection) list(ctx context.Context, cluster *connection.Cluster) (all []status.ID, err error) {
	mappings, err := cluster.Types(ClusterType)
	if err != nil {
		return nil, connection.WithExitCode(err)
	}
	clusters := cluster.Client.Interfaces().Metadata.Resource(mappings[0].Resource)
	namespace := cluster.Namespace
	if s.AllNamespaces {
		namespace = ""
	}
	found, err := kubeconnection.AllMetadata(ctx, metav1.ListOptions{LabelSelector: s.Labels}, clusters.Namespace(namespace).List)
	if err != nil {
		return nil, connection.WithExitCode(fmt.Errorf("list Clusters: %w", err))
	}
	for _, c := range found {
		all = append(all, pause.ClusterID(c.Namespace, c.Name))
	}
	return all, nil
}
