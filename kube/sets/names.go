package sets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A storage is a place where a tool stores its sets.
type storage struct {
	resources []schema.GroupVersionResource
	labels    string
	name      func(metav1.PartialObjectMetadata) string
}

var storages = map[Type]storage{
	TypeHelm:     {[]schema.GroupVersionResource{secrets, configMaps}, "owner=helm", func(m metav1.PartialObjectMetadata) string { return m.Labels["name"] }},
	TypeApplySet: {[]schema.GroupVersionResource{secrets, configMaps}, applySetID, func(m metav1.PartialObjectMetadata) string { return m.Name }},
	TypeKapp:     {[]schema.GroupVersionResource{configMaps}, appLabel, func(m metav1.PartialObjectMetadata) string { return strings.TrimSuffix(m.Name, appSuffix) }},
	TypeKpt:      {[]schema.GroupVersionResource{configMaps}, inventoryID, func(m metav1.PartialObjectMetadata) string { return m.Name }},
}

// DescribeMissing describes why a namespace does not have a Helm release: the namespace does not
// exist, or other namespaces have a release with that name. It is empty if neither is known,
// for example without the permission. It reads metadata only.
func (c *Cluster) DescribeMissing(ctx context.Context, o Owner) string {
	f, err := c.finder()
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, getLimit)
	defer cancel()
	var hints []string
	if _, err := f.server.Metadata.Resource(namespaces).Get(ctx, o.Namespace, metav1.GetOptions{}); apierrors.IsNotFound(err) {
		hints = append(hints, "namespace "+o.Namespace+" does not exist")
	}
	var in []string
	const most = 3
	for _, kept := range storages[TypeHelm].resources {
		options := metav1.ListOptions{LabelSelector: labels.Set{"owner": "helm", "name": o.Name}.String(), Limit: 11}
		all, err := f.server.Metadata.Resource(kept).List(ctx, options)
		if err != nil {
			continue
		}
		for _, m := range all.Items {
			if !slices.Contains(in, m.Namespace) && len(in) < most && len(revisionsOf([]metav1.PartialObjectMetadata{m}, o.Name)) > 0 {
				in = append(in, m.Namespace)
			}
		}
	}
	if len(in) > 0 {
		slices.Sort(in)
		hints = append(hints, fmt.Sprintf("there is a release %s in namespace %s", o.Name, strings.Join(in, ", ")))
	}
	return strings.Join(hints, "; ")
}

// Names returns the names of the sets of a type in a namespace, sorted. Some
// tools use one of several places. A place that may not be listed is an error
// only if the others have no sets.
func (c *Cluster) Names(ctx context.Context, t Type, namespace string) (names []string, err error) {
	f, err := c.finder()
	if err != nil {
		return nil, err
	}
	k := storages[t]
	for _, r := range k.resources {
		all, e := f.list(ctx, r, namespace, k.labels)
		if e != nil {
			err = e
			continue
		}
		for _, m := range all {
			names = append(names, k.name(m))
		}
	}
	if len(names) > 0 {
		err = nil
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" }), err
}
