package move_test

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
)

func Example() {
	// These are the configurations of two management clusters.
	var source, target *rest.Config

	ctx := context.Background()
	m, err := move.New(ctx, move.Options{
		Scope: plan.Scope{Namespaces: []string{"shop"}}, Source: source, Target: target, Journal: "move.json",
		OnEvent: func(e move.Event) { fmt.Println(e.Phase, e.Object, e.Message) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	p, err := m.Plan(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	problems, err := m.Preflight(ctx, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, problem := range problems {
		fmt.Println(problem)
	}
	_, err = m.Run(ctx, p)
	if interrupted, is := errors.AsType[*move.InterruptedError](err); is {
		fmt.Println("interrupted while", interrupted.Phase)
		_, err = m.Resume(ctx) // or m.Rollback(ctx)
	}
	fmt.Println(err)
}

func ExampleMover_Rollback() {
	var source, target *rest.Config

	m, err := move.New(context.Background(), move.Options{Source: source, Target: target, Journal: "move.json"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	r, err := m.Rollback(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Phase)
}

func ExampleReadStatus() {
	s, err := move.ReadStatus(context.Background(), move.Options{Journal: "absent.json"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Phase, s.Failure)
	// Output: want the journal of a move: absent.json: file does not exist
}

func ExampleMappings() {
	_ = func(ctx context.Context, config *rest.Config) error {
		kinds, err := move.Mappings(ctx, config)
		if err != nil {
			return err
		}
		for _, k := range kinds {
			fmt.Println(k.Resource.GroupResource())
		}
		return nil
	}
}

func ExampleLabeledMappings() {
	_ = func(ctx context.Context, config *rest.Config) error {
		kinds, unlisted, err := move.LabeledMappings(ctx, config, plan.Scope{Namespaces: []string{"shop"}})
		if err != nil {
			return err
		}
		for _, k := range kinds {
			fmt.Println(k.Resource.GroupResource(), "has objects that move too")
		}
		for _, r := range unlisted {
			fmt.Println(r, "may not be listed")
		}
		return nil
	}
}

func ExampleNewID() {
	id := move.NewID()
	fmt.Println(len(id), "digits")
	// Output: 8 digits
}
