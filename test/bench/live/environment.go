package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/test/lib/cluster"
)

// An environment is the measured cluster, and the client that changes it.
type environment struct {
	cluster *cluster.Cluster
	config  *rest.Config
	objects dynamic.Interface

	profiles string // the folder for the contenders' profiles; empty: none
}

// writers is the number of concurrent requests in bulk writes.
const writers = 16

func newEnvironment(ctx context.Context, profiles string) (*environment, error) {
	c, err := cluster.Start(ctx, cluster.Options{})
	if err != nil {
		return nil, err
	}
	s := &environment{cluster: c, config: c.Config(), profiles: profiles}
	s.config.WarningHandlerWithContext = rest.NoWarnings{}
	if s.objects, err = dynamic.NewForConfig(s.config); err != nil {
		c.Stop()
		return nil, err
	}
	return s, nil
}

// prepare reads the flags of a measurement and starts the cluster. It adds the common flags of
// all measurements with a process for each contender. who lists the requested contenders.
func prepare(ctx context.Context, flags *flag.FlagSet, args []string, usual string) (s *environment, who string, err error) {
	flags.StringVar(&who, "who", usual, "the contenders")
	profiles := flags.String("profiles", "", "a folder for profiles of the processor and the heap of each contender")
	_ = flags.Parse(args) // exits on an error
	s, err = newEnvironment(ctx, *profiles)
	return s, who, err
}

func (s *environment) close() {
	if err := s.cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// A resource identifies the objects of a kind.
type resource = schema.GroupVersionResource

var (
	namespaces  = resource{Version: "v1", Resource: "namespaces"}
	pods        = resource{Version: "v1", Resource: "pods"}
	secrets     = resource{Version: "v1", Resource: "secrets"}
	deployments = resource{Group: "apps", Version: "v1", Resource: "deployments"}
	definitions = resource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// namespace creates a namespace and waits until it accepts Pods.
func (s *environment) namespace(ctx context.Context, name string) error {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
	if _, err := s.objects.Resource(namespaces).Create(ctx, o, metav1.CreateOptions{}); err != nil {
		return err
	}
	accounts := s.objects.Resource(resource{Version: "v1", Resource: "serviceaccounts"}).Namespace(name)
	return eventually(ctx, func() error {
		_, err := accounts.Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// create creates one object.
func (s *environment) create(ctx context.Context, r resource, o *unstructured.Unstructured) error {
	_, err := s.objects.Resource(r).Namespace(o.GetNamespace()).Create(ctx, o, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create %s %s: %w", o.GetKind(), o.GetName(), err)
	}
	return nil
}

// merge changes one object.
func (s *environment) merge(ctx context.Context, r resource, namespace, name, patch string) error {
	_, err := s.objects.Resource(r).Namespace(namespace).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("patch %s %s: %w", r.Resource, name, err)
	}
	return nil
}

// eventually retries until success, for half a minute.
func eventually(ctx context.Context, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// each calls a function with 0 to n-1, many calls concurrently, and stops at an error.
func each(ctx context.Context, n int, do func(i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					stop(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// memory returns the memory of a program of the cluster, on Linux only.
func (s *environment) memory(p cluster.Program) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cluster.Pid(p)))
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown amount"
}

// printProgress prints progress, outside the table.
func printProgress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format(time.TimeOnly)+" "+format+"\n", args...)
}
