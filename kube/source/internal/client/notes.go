package client

import "sync"

// Notes passes each note on once.
type Notes struct {
	note func(string)

	mu   sync.Mutex // guards done
	done map[string]bool
}

// Once passes a note on, unless it is empty or has been passed on before.
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
