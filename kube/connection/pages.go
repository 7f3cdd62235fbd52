package connection

import (
	"fmt"
	"sync"
)

// How long a list may be, in pages and in objects, and how many lists are followed at a time.
// Kubernetes supports clusters with 150,000 Pods.
const (
	maxPages   = 1000
	maxObjects = 1_000_000
	maxLists   = 1000
)

// pages counts the pages of lists, so that a list has an end whatever the server answers.
// Several goroutines may use it. The zero value is ready.
type pages struct {
	mu    sync.Mutex
	lists map[string]length // of the lists so far, by the token of the next page
}

// A length is how long a list is so far.
type length struct{ pages, objects int }

// add counts a page that was requested by a token and ends with one. It returns an error if
// there are too many, or if the token does not change.
func (p *pages) add(token, next string, objects int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	so := p.lists[token]
	so.pages++
	so.objects += objects
	if token != "" {
		delete(p.lists, token)
	}
	switch {
	case next == "":
		return nil
	case next == token:
		return fmt.Errorf("the list has no end: its page %d names itself as the next", so.pages)
	case so.pages >= maxPages, so.objects >= maxObjects:
		return fmt.Errorf("the list has no end: after %d pages with %d objects there are more", so.pages, so.objects)
	}
	if p.lists == nil || len(p.lists) >= maxLists {
		p.lists = map[string]length{} // those that were not read to their end
	}
	p.lists[next] = so
	return nil
}
