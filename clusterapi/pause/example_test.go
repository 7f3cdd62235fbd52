package pause_test

import (
	"context"
	"fmt"
	"os"

	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/status"
)

// A backup between a pause and its end.
func ExamplePause() {
	_ = func(ctx context.Context, config *rest.Config, backUp func() error) error {
		targets := []status.ID{pause.ClusterID("shop", "east")}
		result, err := pause.Pause(ctx, config, targets, pause.Options{
			OnChange: func(o pause.Object) { fmt.Fprintln(os.Stderr, o.ID, o.State, o.Message) },
		})
		if err != nil {
			return err
		}
		if !result.Done() {
			return fmt.Errorf("not paused: %s", result.Targets[0].Message)
		}
		return backUp()
	}
}

// Only the Clusters that this program has paused are resumed.
func ExampleUnpause() {
	_ = func(ctx context.Context, config *rest.Config, targets []status.ID) error {
		result, err := pause.Unpause(ctx, config, targets, pause.Options{RecordedOnly: true})
		if err != nil {
			return err
		}
		for _, t := range result.Targets {
			fmt.Println(t.ID, t.Phase, t.Message)
		}
		return nil
	}
}

// The kinds that a role for a backup program needs.
func ExampleMappings() {
	_ = func(ctx context.Context, config *rest.Config) error {
		kinds, err := pause.Mappings(ctx, config)
		if err != nil {
			return err
		}
		for _, k := range kinds {
			fmt.Println(k.Resource.GroupResource())
		}
		return nil
	}
}
