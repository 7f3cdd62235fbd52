package crash

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// Each way to start a goroutine reports its panic to the handlers, the last one first.
func TestHandlers(t *testing.T) {
	for it, start := range map[string]func(f func()){
		"reports a panic of a goroutine": Go,
		"reports a panic of a group":     func(f func()) { new(Group).Go(f) },
		"reports a panic of a function":  func(f func()) { go Guarded(f)() },
	} {
		t.Run(it, func(t *testing.T) {
			seen := make(chan *Panic)
			var order []string
			defer Handle(func(p *Panic) {
				order = append(order, "first")
				seen <- p
				select {} // instead of the end of the process
			})()
			defer Handle(func(*Panic) { order = append(order, "second") })()
			Handle(func(*Panic) { order = append(order, "removed") })()
			start(func() { panic("nobody expected this") })
			p := <-seen
			if p.Value() != "nobody expected this" || !strings.Contains(string(p.Stack()), "crash_test.go") || !slices.Equal(order, []string{"second", "first"}) {
				t.Errorf("have %v by %q with the stack\n%s", p.Value(), order, p.Stack())
			}
		})
	}
}

// Without a handler a panic continues.
func TestWithoutHandler(t *testing.T) {
	defer func() {
		if have := recover(); have != "nobody expected this" {
			t.Errorf("have %v", have)
		}
	}()
	Guarded(func() { panic("nobody expected this") })()
}

func TestGroupWaits(t *testing.T) {
	var g Group
	var mu sync.Mutex // guards n
	n := 0
	for range 10 {
		g.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
	g.Wait()
	if n != 10 {
		t.Errorf("have %d of 10 goroutines", n)
	}
}
