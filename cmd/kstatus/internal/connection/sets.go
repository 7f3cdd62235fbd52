package connection

import (
	"slices"

	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
)

// Sets returns the cluster as the place of sets.
func (c *Cluster) Sets() *sets.Cluster {
	return &sets.Cluster{Config: c.Config, Mapper: c.Mapper, Namespace: c.Namespace}
}

// KeepSet returns the objects of a set that was found. It prints the notes on it, and
// keeps what owns the objects, and what finding them has taken.
func (c *Cluster) KeepSet(set sets.Set) []observe.Target {
	for _, note := range set.Notes {
		c.Note(note)
	}
	c.Reads = append(c.Reads, set.Permissions...)
	for owned, owner := range set.Owners {
		if c.Owners == nil {
			c.Owners = map[observe.Target]observe.Target{}
		}
		owned.Cluster, owner.Cluster = c.Name, c.Name
		c.Owners[owned] = owner
	}
	targets := slices.Clone(set.Objects)
	for i := range targets {
		targets[i].Cluster = c.Name
	}
	return targets
}

// Note prints a note about the sets of the cluster, once.
func (c *Cluster) Note(note string) {
	if c.Name != "" {
		note = c.Name + ": " + note
	}
	if !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
		c.Notify(note)
	}
}
