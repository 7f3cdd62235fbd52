package queue_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"kstatus.dev/dropin/internal/queue"
)

// A write is a value of a key, or a marker if the key is empty.
type write struct {
	key   string
	value int
}

// numbered returns writes of a key with the values from first to last.
func numbered(key string, first, last int) (all []write) {
	for v := first; v <= last; v++ {
		all = append(all, write{key, v})
	}
	return all
}

func values(first, last int) (all []int) {
	for v := first; v <= last; v++ {
		all = append(all, v)
	}
	return all
}

func TestValuesInOrder(t *testing.T) {
	for _, row := range []struct {
		it     string
		writes []write
		want   []int
	}{
		{it: "keeps the order of all keys", writes: []write{{"a", 1}, {"b", 2}, {"a", 3}, {"", 4}, {"b", 5}}, want: []int{1, 2, 3, 4, 5}},
		{it: "keeps as many values of a key as the limit", writes: numbered("a", 1, queue.Limit), want: values(1, queue.Limit)},
		{
			it:     "replaces the newest value of a key beyond the limit, at its place",
			writes: slices.Concat(numbered("a", 1, queue.Limit), []write{{"b", 100}, {"a", 101}, {"a", 102}}),
			want:   append(values(1, queue.Limit-1), 102, 100),
		},
		{
			it:     "replaces no marker",
			writes: slices.Concat(numbered("", 1, queue.Limit), numbered("", 101, 110)),
			want:   append(values(1, queue.Limit), values(101, 110)...),
		},
		{
			it:     "has a limit for each key",
			writes: slices.Concat(numbered("a", 1, queue.Limit), numbered("b", 101, 100+queue.Limit)),
			want:   append(values(1, queue.Limit), values(101, 100+queue.Limit)...),
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			q := queue.New[string, int]()
			for _, w := range row.writes {
				if w.key == "" {
					q.Mark(w.value)
				} else {
					q.Put(w.key, w.value)
				}
			}
			var have []int
			for range row.want {
				v, ok := q.Take(t.Context())
				if !ok {
					t.Fatal("Take returns false before the end of the context")
				}
				have = append(have, v)
			}
			if !slices.Equal(have, row.want) {
				t.Errorf("values %v, want %v", have, row.want)
			}
		})
	}
}

// The values that were taken do not count for the limit.
func TestLimitAfterTakes(t *testing.T) {
	q := queue.New[string, int]()
	for round := range 3 {
		for v := range queue.Limit {
			q.Put("a", v)
		}
		for want := range queue.Limit {
			if have, _ := q.Take(t.Context()); have != want {
				t.Fatalf("round %d: value %d, want %d", round, have, want)
			}
		}
	}
}

func TestTakeWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		q := queue.New[string, int]()
		var have []int
		ended := false
		go func() {
			for {
				v, ok := q.Take(ctx)
				if !ok {
					ended = true
					return
				}
				have = append(have, v)
			}
		}()
		synctest.Wait()
		q.Put("a", 1)
		synctest.Wait()
		q.Mark(2)
		synctest.Wait()
		if !slices.Equal(have, []int{1, 2}) || ended {
			t.Errorf("values %v, ended %t, want 1 and 2 as soon as they are written", have, ended)
		}
		q.Put("a", 3)
		cancel()
		synctest.Wait()
		if !ended {
			t.Error("Take waits after the end of the context")
		}
		if _, ok := q.Take(ctx); ok {
			t.Error("Take returns a value after the end of the context")
		}
	})
}
