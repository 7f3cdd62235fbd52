// Package crash starts goroutines whose panics a program can report.
//
// No other goroutine can recover a panic. It ends the process, with an exit code that may have another
// meaning in the program. So a program sets a handler with [Handle], and packages start their
// goroutines with [Go], [Each], a [Group] or [Guarded]. Without a handler, a panic has its usual effect.
package crash

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// A Panic is a panic of a goroutine. Another goroutine may panic with it, so that its callers can
// recover.
type Panic struct {
	value any
	stack []byte
}

// Value returns the value of the panic.
func (p *Panic) Value() any { return p.value }

// Stack returns the stack of the goroutine that has panicked.
func (p *Panic) Stack() []byte { return p.stack }

// Error returns the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// New returns the Panic for a recovered value. Its stack is that of the caller, unless the value is
// the Panic of another goroutine.
func New(value any) *Panic {
	if p, is := value.(*Panic); is {
		return p
	}
	return &Panic{value, debug.Stack()}
}

// handlers are the handlers of the process, which a panic ends as a whole.
var handlers struct {
	mu  sync.Mutex // guards all
	all []*func(*Panic)
}

// Handle calls a function for each panic of a goroutine of this package, until done is called. Of
// several functions, the last is called first. The panic continues when they return. They may end the
// process. They may be called concurrently.
func Handle(handle func(*Panic)) (done func()) {
	own := &handle
	handlers.mu.Lock()
	defer handlers.mu.Unlock()
	handlers.all = append(handlers.all, own)
	return func() {
		handlers.mu.Lock()
		defer handlers.mu.Unlock()
		handlers.all = slices.DeleteFunc(handlers.all, func(h *func(*Panic)) bool { return h == own })
	}
}

// Report calls the handlers for a recovered value.
func Report(value any) {
	handlers.mu.Lock()
	all := slices.Clone(handlers.all)
	handlers.mu.Unlock()
	p := New(value)
	for _, handle := range slices.Backward(all) {
		(*handle)(p)
	}
}

// Guarded returns a function that calls f. If f panics, it calls the handlers.
func Guarded(f func()) func() {
	return func() {
		defer func() {
			if v := recover(); v != nil {
				Report(v)
				panic(v)
			}
		}()
		f()
	}
}

// Go calls a function in a new goroutine.
func Go(f func()) { go Guarded(f)() }

// A Group is a group of goroutines that end together. The zero value is ready for use.
type Group struct{ running sync.WaitGroup }

// Go calls a function in a new goroutine of the group.
func (g *Group) Go(f func()) { g.running.Go(Guarded(f)) }

// Wait waits until all goroutines of the group have ended.
func (g *Group) Wait() { g.running.Wait() }

// Each calls do(0) to do(n-1), each in a goroutine and at most limit at the same time. It returns when
// all have returned.
func Each(n, limit int, do func(i int)) {
	next := make(chan int)
	var workers Group
	for range min(n, limit) {
		workers.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}
