// Package turn lets one caller at a time do what must not happen twice at once, such as a request.
package turn

import (
	"context"
	"sync"
)

// A Turn belongs to one caller at a time. Unlike a mutex, it lets a caller wait only until its
// context ends. So it may be held during a request. The zero value is ready for use.
type Turn struct {
	once sync.Once
	free chan struct{}
}

// Take waits for the turn. The caller must call end after it, and may then use what belongs to the
// holder of the turn. The error is the cause of the end of ctx.
func (t *Turn) Take(ctx context.Context) (end func(), err error) {
	t.once.Do(func() { t.free = make(chan struct{}, 1) })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case t.free <- struct{}{}:
		return func() { <-t.free }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
