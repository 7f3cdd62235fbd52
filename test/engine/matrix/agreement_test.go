package matrix

import (
	"fmt"
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/lib/witness"
)

// checkAgreement waits until the engine's verdict on every target matches the cluster's present
// state.
func checkAgreement(t *testing.T, c *cluster.Cluster, e *engine, targets ...observe.Target) {
	t.Helper()
	reader, err := witness.NewLive(c.Config(), status.Evaluator{})
	if err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error {
		e.mu.Lock()
		board := map[observe.Target]observe.Update{}
		for _, target := range targets {
			board[target] = e.board[target]
		}
		e.mu.Unlock()
		var differs []string
		for _, target := range targets {
			now, err := reader.Get(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			if d := witness.Differs(board[target], now); d != "" {
				differs = append(differs, target.String()+": "+d)
			}
		}
		if len(differs) > 0 {
			return fmt.Errorf("the engine and the cluster differ: %q", differs)
		}
		return nil
	})
}
