package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/bench"
)

// rollout measures waiting for many Deployments. All contenders follow the
// same ones at the same time.
func rollout(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("rollout", flag.ExitOnError)
	count := flags.Int("deployments", 300, "how many Deployments")
	replicas := flags.Int("pods", 3, "how many Pods each has")
	within := flags.Duration("within", 5*time.Minute, "how long each of the two phases may take")
	who := flags.String("who", "kstatus.dev,cli-utils watcher,cli-utils poller", "the contenders")
	_ = flags.Parse(args)
	s, err := newStage(ctx)
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
	field, err := enter(ctx, *who, s.config, targets)
	if err != nil {
		return err
	}
	defer field.leave()

	began := time.Now()
	if err := each(ctx, *count, func(i int) error {
		return s.create(ctx, deployments, deployment(in, targets[i].Name, *replicas, nil))
	}); err != nil {
		return err
	}
	say("%d Deployments of %d Pods are made", *count, *replicas)
	before, err := field.all(order{Do: "start"})
	if err != nil {
		return err
	}
	current, err := field.all(order{Do: "reach", Generation: 1, Seconds: within.Seconds()})
	if err != nil {
		return err
	}
	changed := time.Now()
	if err := each(ctx, *count, func(i int) error {
		return s.merge(ctx, deployments, in, targets[i].Name, newTemplate)
	}); err != nil {
		return err
	}
	say("the template of each is changed")
	rolled, err := field.all(order{Do: "reach", Generation: 2, Seconds: within.Seconds()})
	if err != nil {
		return err
	}
	t := table{title: fmt.Sprintf("%d Deployments of %d Pods", *count, *replicas), columns: field.names()}
	t.phase("until all are current", before, current, began)
	t.phase("while all roll out", current, rolled, changed)
	t.add("heap kept, all current again", megabytes, heaps(before, rolled)...)
	t.add("peak memory", megabytes, peaks(rolled)...)
	t.add("peak memory before the start", megabytes, peaks(before)...)
	return t.print(os.Stdout)
}

// newTemplate begins a rollout.
const newTemplate = `{"spec":{"template":{"metadata":{"annotations":{"bench":"changed"}}}}}`

// deployment returns one whose Pods have these annotations.
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

// A field is the contenders that run side by side.
type field []*child

// enter starts the contenders of a list of names.
func enter(ctx context.Context, names string, config *rest.Config, targets []observe.Target) (f field, err error) {
	for _, name := range strings.Split(names, ",") {
		c, err := spawn(ctx, name, config, targets)
		if c != nil {
			f = append(f, c)
		}
		if err != nil {
			f.leave()
			return nil, err
		}
	}
	return f, nil
}

func (f field) leave() {
	for _, c := range f {
		c.end()
	}
}

func (f field) names() (names []string) {
	for _, c := range f {
		names = append(names, c.contender)
	}
	return names
}

// all gives everyone an order at once and waits for all reports. One who has
// not done it is told of, since its figures cannot be compared.
func (f field) all(o order) ([]report, error) {
	reports, errs := make([]report, len(f)), make([]error, len(f))
	var group sync.WaitGroup
	for i, c := range f {
		group.Go(func() { reports[i], errs[i] = c.ask(o) })
	}
	group.Wait()
	for i, r := range reports {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if r.Err != "" {
			say("NOT REACHED: %s: %s with %d targets missing: %s", f[i].contender, o.Do, r.Behind, r.Err)
		}
	}
	return reports, nil
}

// phase adds what was used between two reports, of a phase that began at one
// time for all or at one for each.
func (t *table) phase(when string, before, after []report, began ...time.Time) {
	column := func(of func(bench.Usage) float64) (cells []float64) {
		for i := range after {
			cells = append(cells, of(after[i].Since(before[i].Usage)))
		}
		return cells
	}
	var took, missing []float64
	for i, r := range after {
		took = append(took, r.At.Sub(began[min(i, len(began)-1)]).Seconds())
		missing = append(missing, float64(r.Behind))
	}
	t.add("API requests "+when, number, column(func(u bench.Usage) float64 { return float64(u.Requests) })...)
	t.add("– discovery", number, column(func(u bench.Usage) float64 { return float64(u.Discovery) })...)
	t.add("– received", megabytes, column(func(u bench.Usage) float64 { return float64(u.Received) })...)
	t.add("– read, decompressed", megabytes, column(func(u bench.Usage) float64 { return float64(u.Read) })...)
	t.add("– processor time", seconds, column(func(u bench.Usage) float64 { return u.Processor.Seconds() })...)
	t.add("– seen after", seconds, took...)
	t.add("– targets not seen current", number, missing...)
}

func heaps(before, after []report) (cells []float64) {
	for i := range after {
		cells = append(cells, float64(after[i].Heap-before[i].Heap))
	}
	return cells
}

func peaks(reports []report) (cells []float64) {
	for _, r := range reports {
		cells = append(cells, float64(r.Peak))
	}
	return cells
}
