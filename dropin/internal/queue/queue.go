// Package queue has a queue of changes whose writers never wait.
package queue

import (
	"context"
	"sync"
)

// Limit is how many values of one key wait at most.
const Limit = 64

// A Queue keeps the order of its values. If Limit values of a key wait, a new one takes the place
// of the newest of them. It is safe for concurrent use.
type Queue[K comparable, V any] struct {
	wake chan struct{}

	mu      sync.Mutex // guards the fields below
	entries []*entry[K, V]
	newest  map[K]*entry[K, V]
	waiting map[K]int
}

type entry[K comparable, V any] struct {
	key    K
	marker bool
	value  V
}

// New returns an empty Queue.
func New[K comparable, V any]() *Queue[K, V] {
	return &Queue[K, V]{wake: make(chan struct{}, 1), newest: map[K]*entry[K, V]{}, waiting: map[K]int{}}
}

// Put adds a value of a key.
func (q *Queue[K, V]) Put(key K, value V) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting[key] >= Limit {
		q.newest[key].value = value
		return
	}
	e := &entry[K, V]{key: key, value: value}
	q.waiting[key]++
	q.newest[key] = e
	q.add(e)
}

// Mark adds a value that no other value replaces.
func (q *Queue[K, V]) Mark(value V) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(&entry[K, V]{marker: true, value: value})
}

// add adds e. The caller holds mu.
func (q *Queue[K, V]) add(e *entry[K, V]) {
	q.entries = append(q.entries, e)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Take removes the oldest value, and waits for one if there is none. It returns false when ctx
// has ended. Only one goroutine may call it.
func (q *Queue[K, V]) Take(ctx context.Context) (value V, ok bool) {
	for {
		if ctx.Err() != nil {
			return value, false
		}
		if value, ok = q.take(); ok {
			return value, true
		}
		select {
		case <-ctx.Done():
		case <-q.wake:
		}
	}
}

func (q *Queue[K, V]) take() (value V, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.entries) == 0 {
		return value, false
	}
	e := q.entries[0]
	q.entries[0] = nil
	q.entries = q.entries[1:]
	if e.marker {
		return e.value, true
	}
	if q.waiting[e.key]--; q.waiting[e.key] == 0 {
		delete(q.waiting, e.key)
		delete(q.newest, e.key)
	}
	return e.value, true
}
