package observe

import "kstatus.dev/internal/crash"

// reportOrPanic is report. A panic ends the watch, and the target is no longer waited for.
func (tr *tracker) reportOrPanic(e Event) (open bool) {
	defer func() {
		if v := recover(); v != nil {
			tr.panicked.CompareAndSwap(nil, crash.New(v))
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

// relay panics if a goroutine of the source has panicked. The goroutine that ranges over the updates
// calls it, so that its callers can recover.
func (tr *tracker) relay() {
	if p := tr.panicked.Load(); p != nil {
		panic(p)
	}
}
