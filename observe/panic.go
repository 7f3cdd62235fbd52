package observe

import (
	"fmt"
	"runtime/debug"
)

// A sourcePanic is a panic in a goroutine of a source. The goroutine that ranges over the updates
// panics with it, so that its callers can recover.
type sourcePanic struct {
	value any
	stack []byte // of the goroutine that has panicked
}

// Value returns the value of the first panic.
func (p *sourcePanic) Value() any { return p.value }

// Stack returns the stack of the goroutine that has panicked.
func (p *sourcePanic) Stack() []byte { return p.stack }

// Error returns the value and the stack.
func (p *sourcePanic) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// reportOrPanic is report. A panic ends the watch, and the target is no longer waited for.
func (tr *tracker) reportOrPanic(e Event) (open bool) {
	defer func() {
		if v := recover(); v != nil {
			tr.panicked.CompareAndSwap(nil, &sourcePanic{v, debug.Stack()})
			tr.wake()
		}
	}()
	return tr.report(e)
}

// wake makes the watch look at what has changed.
func (tr *tracker) wake() {
	select {
	case tr.wakeup <- struct{}{}:
	default:
	}
}

// relay panics if a goroutine of the source has panicked.
func (tr *tracker) relay() {
	if p := tr.panicked.Load(); p != nil {
		panic(p)
	}
}
