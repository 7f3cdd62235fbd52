// Gitops keeps sets of objects in a cluster as the folders of a checkout describe them. Each folder
// is a set. It prints a line for each set whenever the status of the set changes.
//
//	gitops -sets DIR [-n NAMESPACE] [-timeout 2m] [-parallel 8] [-interval 0]
//
// With an interval it reconciles all sets again and again, until a signal ends it. Otherwise it
// reconciles them once, and exits with 1 if a set is not Current.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/report"
	"kstatus.dev/status"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "gitops:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir := flag.String("sets", "", "folder whose folders are the sets")
	namespace := flag.String("n", "default", "namespace of objects that name none")
	timeout := flag.Duration("timeout", 2*time.Minute, "timeout of each set")
	parallel := flag.Int("parallel", 8, "how many sets are reconciled at the same time")
	interval := flag.Duration("interval", 0, "how often all sets are reconciled; zero means once")
	flag.Parse()
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1 // the API server limits requests itself
	objects, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	shared, err := source.NewClient(config, source.Options{})
	if err != nil {
		return err
	}
	r := &reconciler{client.NewNamespacedClient(objects, *namespace), wait.Resolver{Client: shared}, *timeout}
	for {
		err := r.reconcileAll(ctx, *dir, *parallel)
		if *interval == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(*interval):
		}
	}
}

// A reconciler applies sets and waits for them. All waits share one connection.
type reconciler struct {
	objects  client.Client
	resolver wait.Resolver
	timeout  time.Duration
}

// reconcileAll reconciles the sets of a folder. A set that fails does not stop the others.
func (r *reconciler) reconcileAll(ctx context.Context, dir string, parallel int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var sets []string
	for _, entry := range entries {
		if entry.IsDir() {
			sets = append(sets, filepath.Join(dir, entry.Name()))
		}
	}
	errs := make([]error, len(sets))
	slots := make(chan struct{}, max(parallel, 1))
	var all sync.WaitGroup
	for i, set := range sets {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := r.reconcile(ctx, set); err != nil {
				errs[i] = fmt.Errorf("set %s: %w", filepath.Base(set), err)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// reconcile applies a set and waits until it is Current, has failed, or has timed out.
func (r *reconciler) reconcile(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	applied, err := r.apply(ctx, dir)
	if err != nil {
		return err
	}
	var last status.Status
	var board observe.Board
	for e, err := range r.resolver.WaitForStatusOfObjects(ctx, applied...) {
		if err != nil {
			return err
		}
		if board.Add(e.Update); e.Aggregate != last && e.Synced {
			last = e.Aggregate
			fmt.Printf("%-12s %-10s %v\n", filepath.Base(dir), last, report.Summarize(board.StatusCounts()))
		}
	}
	return nil
}

// apply applies the objects of the files of a set and returns them as the API server returns them.
func (r *reconciler) apply(ctx context.Context, dir string) (applied []runtime.Object, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		objects, err := read(file)
		if err != nil {
			return nil, err
		}
		for _, obj := range objects {
			err := r.objects.Apply(ctx, client.ApplyConfigurationFromUnstructured(obj), client.FieldOwner("gitops"), client.ForceOwnership)
			if err != nil {
				return nil, fmt.Errorf("apply %s %s: %w", obj.GetKind(), obj.GetName(), err)
			}
			applied = append(applied, obj)
		}
	}
	return applied, nil
}

// read returns the objects of a file.
func read(name string) (objects []*unstructured.Unstructured, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, file.Close()) }()
	decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for {
		obj := &unstructured.Unstructured{}
		if err := decoder.Decode(&obj.Object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(obj.Object) > 0 {
			objects = append(objects, obj)
		}
	}
}
