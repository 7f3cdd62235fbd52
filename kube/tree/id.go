package tree

import (
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// IDOf returns the ID of a target, for [Reader.Collect] and [explain.Explain]. The name of
// a selection is empty.
func IDOf(t observe.Target) status.ID {
	return status.ID{Cluster: t.Cluster, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}
}
