package leaks

import (
	"context"
	"strings"
	"testing"
)

func TestStacks(t *testing.T) {
	started, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	Do(t.Context(), "mine", func(context.Context) {
		go func() {
			defer close(ended)
			go func() {
				close(started)
				<-end
			}()
			<-end
		}()
	})
	<-started
	if text := stacks(t, "mine"); !strings.Contains(text, "TestStacks") {
		t.Errorf("have %q, want what runs", text)
	}
	if text := stacks(t, "another"); text != "" {
		t.Errorf("of another name: have %q", text)
	}
	close(end)
	<-ended
	Check(t, "mine")
}
