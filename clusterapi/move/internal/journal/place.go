package journal

import (
	"context"
	"time"

	"kstatus.dev/clusterapi/internal/management"
)

// A Place is where the journals of moves are: a file, ConfigMaps, or both.
type Place struct {
	File string // the path; empty means no file
	// Namespace is that of ConfigMaps and Leases in all Clusters. Empty means none.
	Namespace string
	Clusters  []Cluster
	Timeout   time.Duration // of each lock; zero means no limit
}

// A Cluster has ConfigMaps and Leases.
type Cluster struct {
	Name   string // for messages, such as "the source"
	Client *management.Client
	// Locking writes the Leases. It must not have a transport of [Locks].
	Locking *management.Client
}

// Open returns the Store of a move, and the part of it that is in ConfigMaps. That is nil if there
// are none. Without an ID, only the file counts.
func (p Place) Open(id string) (all, inClusters Store) {
	var stores []Store
	if p.File != "" {
		stores = append(stores, File(p.File))
	}
	if p.Namespace != "" && id != "" {
		var maps []Store
		for _, c := range p.Clusters {
			maps = append(maps, ConfigMap(c.Client, c.Name, p.Namespace, id))
		}
		inClusters = All(maps...)
		stores = append(stores, inClusters)
	}
	return All(stores...), inClusters
}

// lockName is the name of the Lease that two moves of one cluster exclude each other with.
const lockName = "kstatus-move"

// Lock takes the Leases of all clusters. The returned context ends when one is lost. Without a
// namespace, there are none.
func (p Place) Lock(ctx context.Context, l *Locks, holder string) (locked context.Context, err error) {
	if p.Namespace == "" {
		return ctx, nil
	}
	for _, c := range p.Clusters {
		lock := Lock{Cluster: c.Name, Namespace: p.Namespace, Name: lockName, Holder: holder, Timeout: p.Timeout}
		if ctx, err = l.Acquire(ctx, c.Locking, lock); err != nil {
			l.Release()
			return nil, err
		}
	}
	return ctx, nil
}
