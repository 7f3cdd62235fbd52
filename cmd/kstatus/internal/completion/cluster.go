package completion

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/kube/sets"
)

// maxNames is how many names completion offers.
const maxNames = 500

// setTypes returns the types of sets, as the first part of SET/NAME.
func setTypes() (all []string) {
	for _, t := range sets.Types() {
		all = append(all, string(t)+"/")
	}
	return all
}

// types returns the types whose objects the server lists. As in kubectl, a type has its group,
// unless the group is empty.
func (c Completer) types(ctx context.Context) (all []string) {
	cluster := c.connect(ctx)
	if cluster == nil {
		return nil
	}
	for _, t := range cluster.ServedTypes() {
		all = append(all, t.FullName())
	}
	return all
}

// names returns the names of the objects of a type, or of the sets of a set type. It uses the
// namespace of the flags, and reads metadata only.
func (c Completer) names(ctx context.Context, typ string) (all []string) {
	cluster := c.connect(ctx)
	if cluster == nil {
		return nil
	}
	if slices.Contains(setTypes(), typ+"/") {
		all, _ = cluster.Sets().Names(ctx, sets.Type(typ), cluster.Namespace) // a shell cannot show the error
		return all
	}
	for t := range strings.SplitSeq(typ, ",") {
		all = append(all, namesOf(ctx, cluster, t)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// namesOf returns the names of the objects of one type, or nil if they cannot be listed.
func namesOf(ctx context.Context, cluster *connection.Cluster, typ string) (all []string) {
	mappings, err := cluster.Types(typ)
	if err != nil {
		return nil
	}
	client, err := metadata.NewForConfig(cluster.Config)
	if err != nil {
		return nil
	}
	for _, m := range mappings {
		namespace := ""
		if m.Scope.Name() == meta.RESTScopeNameNamespace {
			namespace = cluster.Namespace
		}
		list, err := client.Resource(m.Resource).Namespace(namespace).List(ctx, metav1.ListOptions{Limit: maxNames})
		if err != nil {
			continue
		}
		for _, item := range list.Items {
			all = append(all, item.Name)
		}
	}
	return all
}

// namespaces returns the names of the namespaces.
func (c Completer) namespaces(ctx context.Context) []string {
	cluster := c.connect(ctx)
	if cluster == nil {
		return nil
	}
	return namesOf(ctx, cluster, "namespaces")
}
