package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// The first rows of get --watch count Pods, as those of get do.
func TestFirstRowsOfWatch(t *testing.T) {
	for _, args := range [][]string{
		{"deployment/web"}, {"deployments"}, {"deployment,statefulset,daemonset"}, {"all"}, {"deployment/web", "-o", "json"}, {"deployments", "-o", "json"}, {"deployments", "-o", "wide"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			c := newMemoryCluster(t, brokenWorkloads())
			var out textBuffer
			env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &out, Now: time.Now}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan exit.Code, 1)
			go func() {
				ended <- run(ctx, env, append(append([]string{"kstatus", "get", "--watch"}, args...), c.flags...))
			}()
			row := ""
			for row == "" {
				select {
				case code := <-ended:
					t.Fatalf("it ends with %d:\n%s", code, out.String())
				case <-time.After(10 * time.Millisecond):
				}
				for line := range strings.Lines(out.String()) {
					if strings.HasSuffix(line, "\n") && (strings.Contains(line, "Deployment/web") || strings.Contains(line, `"name":"web"`)) {
						row = line
						break
					}
				}
			}
			cancel()
			<-ended
			if !strings.Contains(row, "Failed") || !strings.Contains(row, "exits with code 3 (7 restarts)") {
				t.Errorf("the first row is %s", row)
			}
		})
	}
}
