package tree

import (
	"kstatus.dev/explain"
	"kstatus.dev/observe"
)

// IDOf returns the ID of a target, for [Reader.Collect] and [explain.Explain]. The name of
// a selection is empty.
func IDOf(t observe.Target) explain.ID {
	return explain.ID{Cluster: t.Cluster, Group: t.Kind.Group, Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name}
}
