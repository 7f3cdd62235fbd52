package manifest

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
)

func TestInOrderKeepsTheOrder(t *testing.T) { synctest.Test(t, testInOrderKeepsTheOrder) }

func testInOrderKeepsTheOrder(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	slow := func(n *int) int {
		if *n%97 == 0 {
			bubble.Sleep(time.Millisecond)
		}
		return *n
	}
	for _, workers := range []int{1, 2, 7} {
		if got := slices.Collect(InOrder(items, workers, slow)); !slices.Equal(got, items) {
			t.Errorf("inOrder with %d workers changes the order", workers)
		}
	}
	if got := slices.Collect(InOrder(nil, 2, slow)); len(got) != 0 {
		t.Errorf("inOrder of nothing = %v", got)
	}
}

func TestInOrderStopsWithItsConsumer(t *testing.T) { synctest.Test(t, testInOrderStopsWithItsConsumer) }

func testInOrderStopsWithItsConsumer(t *testing.T) {
	var running, most, done atomic.Int32
	work := func(*int) int {
		most.Store(max(most.Load(), running.Add(1)))
		bubble.Sleep(100 * time.Microsecond)
		running.Add(-1)
		done.Add(1)
		return 0
	}
	taken := 0
	for range InOrder(make([]int, 100_000), 2, work) {
		if taken++; taken == 3 {
			break
		}
	}
	if n := running.Load(); n != 0 {
		t.Errorf("%d items are still worked on after the loop has ended", n)
	}
	if n := done.Load(); n > 1000 {
		t.Errorf("%d items were worked on for a consumer that took 3", n)
	}
	if n := most.Load(); n > 2 {
		t.Errorf("%d items were worked on at once, want 2 at most", n)
	}
}
