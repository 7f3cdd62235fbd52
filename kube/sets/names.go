package sets

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
