// Package leaks finds the goroutines that a function started and did not end, among all goroutines
// of a test.
package leaks

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"testing"

	"kstatus.dev/test/lib/poll"
)

const label = "leaks"

// Do calls f, and labels the goroutines of f and their children with the name.
func Do(ctx context.Context, name string, f func(context.Context)) {
	pprof.Do(ctx, pprof.Labels(label, name), f)
}

// Check fails the test if goroutines of that name keep running. It calls release before each look,
// for example to close idle connections, since a connection is idle only some time after its last
// response.
func Check(t testing.TB, name string, release ...func()) {
	t.Helper()
	poll.Check(t, func() error { // net/http closes its connections a moment later
		for _, f := range release {
			f()
		}
		if left := stacks(t, name); left != "" {
			return fmt.Errorf("goroutines are left behind:\n%s", left)
		}
		return nil
	})
}

// stacks returns the stacks of the goroutines of that name.
func stacks(t testing.TB, name string) string {
	t.Helper()
	var all bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
		t.Error(err)
	}
	var left []string
	for group := range strings.SplitSeq(all.String(), "\n\n") {
		if strings.Contains(group, fmt.Sprintf("%q:%q", label, name)) {
			left = append(left, group)
		}
	}
	return strings.Join(left, "\n\n")
}
