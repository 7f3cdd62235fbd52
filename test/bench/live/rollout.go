package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// rollout measures waiting for many Deployments. All contenders follow the same Deployments at
// the same time.
func rollout(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("rollout", flag.ExitOnError)
	count := flags.Int("deployments", 300, "how many Deployments")
	replicas := flags.Int("pods", 3, "how many Pods each has")
	within := flags.Duration("within", 5*time.Minute, "how long each of the two phases may take")
	s, who, err := prepare(ctx, flags, args, "kstatus.dev,cli-utils watcher,cli-utils poller")
	if err != nil {
		return err
	}
	defer s.close()
	const in = "bench"
	if err := s.namespace(ctx, in); err != nil {
		return err
	}
	targets := make([]observe.Target, *count)
	for i := range targets {
		targets[i] = observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: in, Name: fmt.Sprintf("web-%d", i)}
	}
	field, err := s.startContenders(ctx, who, targets)
	if err != nil {
		return err
	}
	defer field.stop()

	began := time.Now()
	if err := each(ctx, *count, func(i int) error {
		return s.create(ctx, deployments, deployment(in, targets[i].Name, *replicas, nil))
	}); err != nil {
		return err
	}
	printProgress("%d Deployments of %d Pods are made", *count, *replicas)
	before, err := field.all(instruction{Do: "start"})
	if err != nil {
		return err
	}
	current, err := field.all(instruction{Do: "reach", Generation: 1, Seconds: within.Seconds()})
	if err != nil {
		return err
	}
	changed := time.Now()
	if err := each(ctx, *count, func(i int) error {
		return s.merge(ctx, deployments, in, targets[i].Name, newTemplate)
	}); err != nil {
		return err
	}
	printProgress("the template of each is changed")
	rolled, err := field.all(instruction{Do: "reach", Generation: 2, Seconds: within.Seconds()})
	if err != nil {
		return err
	}
	rested, err := field.all(restInstruction())
	if err != nil {
		return err
	}
	t := table{title: fmt.Sprintf("%d Deployments of %d Pods", *count, *replicas), columns: field.names()}
	t.phase("until all are current", before, current, began)
	t.phase("while all roll out", current, rolled, changed)
	t.add("heap kept, all current again", megabytes, heaps(before, rested)...)
	t.add("peak memory", megabytes, peaks(rested)...)
	t.addPlain("peak memory before the start", megabytes, peaks(before)...)
	return t.print(os.Stdout)
}

// newTemplate starts a rollout.
const newTemplate = `{"spec":{"template":{"metadata":{"annotations":{"bench":"changed"}}}}}`

// deployment returns a Deployment whose Pods have these annotations.
func deployment(namespace, name string, replicas int, annotations map[string]any) *unstructured.Unstructured {
	label := map[string]any{"app": name}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"namespace": namespace, "name": name, "labels": label},
		"spec": map[string]any{
			"replicas": int64(replicas),
			"selector": map[string]any{"matchLabels": label},
			"template": map[string]any{
				"metadata": map[string]any{"labels": label, "annotations": annotations},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "registry.example.com/c:1"}}},
			},
		},
	}}
}
