package client

import "sync"

// Notes forwards each note once.
type Notes struct {
	note func(string)

	mu   sync.Mutex // guards done
	done map[string]bool
}

// Once forwards a note, unless it is empty or was forwarded before.
func (n *Notes) Once(note string) {
	if n.note == nil || note == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done[note] {
		return
	}
	if n.done == nil {
		n.done = map[string]bool{}
	}
	n.done[note] = true
	n.note(note)
}
