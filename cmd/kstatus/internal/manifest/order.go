package manifest

import (
	"iter"

	"kstatus.dev/internal/crash"
)

// InOrder applies do to all items with up to workers goroutines, and yields the results in the
// order of the items. It computes a bounded number of results ahead of its consumer. All
// goroutines have ended when it returns.
func InOrder[In, Out any](items []In, workers int, do func(*In) Out) iter.Seq[Out] {
	return func(yield func(Out) bool) {
		const ahead = 64 // maximum waiting results per worker
		pending := make(chan chan Out, workers*ahead)
		stop := make(chan struct{})
		crash.Go(func() {
			defer close(pending)
			busy := make(chan struct{}, workers)
			for i := range items {
				result := make(chan Out, 1)
				select {
				case <-stop:
					return
				case pending <- result:
				}
				busy <- struct{}{}
				crash.Go(func() {
					defer func() { <-busy }()
					result <- do(&items[i])
				})
			}
		})
		stopped := false
		for result := range pending {
			out := <-result
			if !stopped && !yield(out) {
				stopped = true
				close(stop)
			}
		}
	}
}
