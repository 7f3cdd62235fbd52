package connection

import (
	"slices"
	"sync"
)

// printedNotes are the notes about a cluster that were printed.
type printedNotes struct {
	mu  sync.Mutex // guards all, and is held while a note is printed
	all []string
}

// Note prints a note about the cluster, each text once. Any goroutine may call it.
func (c *Cluster) Note(note string) {
	if c.Name != "" {
		note = c.Name + ": " + note
	}
	c.notes.mu.Lock()
	defer c.notes.mu.Unlock()
	if !slices.Contains(c.notes.all, note) {
		c.notes.all = append(c.notes.all, note)
		c.Notify(note)
	}
}
