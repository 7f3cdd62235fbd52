//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/fluxsource"
	"kstatus.dev/test/lib/process"
)

// A fluxRun is a controller of Flux with one object, the target, which has a source.
type fluxRun struct {
	*trial
	objects dynamic.Interface
	sources *fluxsource.Server
	process *process.Process
	used    time.Duration // of the processor, until the present phase
}

var (
	repositories   = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "gitrepositories"}
	charts         = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "helmcharts"}
	kustomizations = schema.GroupVersionResource{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Resource: "kustomizations"}
	releases       = schema.GroupVersionResource{Group: "helm.toolkit.fluxcd.io", Version: "v2", Resource: "helmreleases"}
)

// runKustomizeController has a Kustomization that waits, and changes its source.
func runKustomizeController(ctx context.Context, r *trial) error {
	f, err := r.startFlux(ctx, "github.com/fluxcd/kustomize-controller@v1.9.5")
	if err != nil {
		return err
	}
	defer f.stop()
	publish := func(version string) (string, error) {
		files := map[string]string{}
		for i := range r.count {
			files[fmt.Sprintf("web-%d.yaml", i)] = deployment(fmt.Sprintf("web-%d", i), version)
		}
		a, err := f.sources.Publish(files)
		if err != nil {
			return "", err
		}
		return a.GitRevision(), f.patch(ctx, repositories, a.Status(a.GitRevision()), "status")
	}
	if err := f.apply(ctx, "{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, metadata: {name: shop}, spec: {url: 'https://git.example.com/shop', interval: 1h}}"); err != nil {
		return err
	}
	for i, phase := range []string{"a new Kustomization", "its source changes"} {
		revision, err := publish(versions[i])
		if err == nil && i == 0 {
			err = f.apply(ctx, "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: shop}, spec: {interval: 1h, timeout: 10m, prune: true, wait: true, path: ., sourceRef: {kind: GitRepository, name: shop}}}")
		}
		if err == nil {
			err = f.waitUntilReady(ctx, kustomizations, func(o *unstructured.Unstructured) bool {
				applied, _, _ := unstructured.NestedString(o.Object, "status", "lastAppliedRevision")
				return applied == revision
			})
		}
		if err == nil {
			err = f.finish(phase, versions[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runHelmController has a HelmRelease, and changes its values.
func runHelmController(ctx context.Context, r *trial) error {
	f, err := r.startFlux(ctx, "github.com/fluxcd/helm-controller@v1.6.4")
	if err != nil {
		return err
	}
	defer f.stop()
	if err := f.apply(ctx, "{apiVersion: source.toolkit.fluxcd.io/v1, kind: HelmChart, metadata: {name: shop}, spec: {chart: shop, interval: 1h, sourceRef: {kind: HelmRepository, name: shop}}}"); err != nil {
		return err
	}
	a, err := f.sources.Publish(chart(r.count))
	if err == nil {
		err = f.patch(ctx, charts, a.Status("1.0.0"), "status")
	}
	if err == nil {
		err = f.apply(ctx, "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: shop}, spec: {interval: 1h, timeout: 10m, chartRef: {kind: HelmChart, name: shop}, values: {tag: v1}}}")
	}
	for i, phase := range []string{"a new HelmRelease", "its values change"} {
		if err == nil && i > 0 {
			err = f.patch(ctx, releases, `{"spec": {"values": {"tag": "v2"}}}`)
		}
		if err == nil {
			err = f.waitUntilReady(ctx, releases, func(*unstructured.Unstructured) bool { return true })
		}
		if err == nil {
			err = f.finish(phase, versions[i])
		}
	}
	return err
}

// startFlux installs the definitions of a controller, and starts it.
func (r *trial) startFlux(ctx context.Context, module string) (*fluxRun, error) {
	var definitions []*unstructured.Unstructured
	for _, m := range []string{module, fluxsource.Module} {
		some, err := apply.Definitions(ctx, m, fluxsource.Definitions)
		if err != nil {
			return nil, err
		}
		definitions = append(definitions, some...)
	}
	if err := apply.To(ctx, r.cluster.Config(), "default", definitions, nil); err != nil {
		return nil, err
	}
	objects, err := dynamic.NewForConfig(r.cluster.Config())
	if err != nil {
		return nil, err
	}
	f := &fluxRun{trial: r, objects: objects, sources: fluxsource.NewServer()}
	var addresses []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, l.Addr().String())
		if err := l.Close(); err != nil {
			return nil, err
		}
	}
	f.process = &process.Process{
		Name: filepath.Base(r.path), Path: r.path, Log: filepath.Join(r.dir, "log"), Tell: os.Stderr, Env: r.environment(),
		Args: []string{"--metrics-addr=" + addresses[0], "--health-addr=" + addresses[1], "--enable-leader-election=false", "--log-level=error"},
	}
	return f, f.process.Start()
}

func (f *fluxRun) stop() {
	f.sources.Close()
	if err := f.process.Stop(true); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// apply applies an object once its definition is served.
func (f *fluxRun) apply(ctx context.Context, manifest string) error {
	objects, err := apply.Parse([]byte(manifest))
	if err != nil {
		return err
	}
	return apply.To(ctx, f.cluster.Config(), namespace, objects, nil)
}

func (f *fluxRun) patch(ctx context.Context, r schema.GroupVersionResource, patch string, subresource ...string) error {
	_, err := f.objects.Resource(r).Namespace(namespace).Patch(ctx, "shop", types.MergePatchType, []byte(patch), metav1.PatchOptions{}, subresource...)
	return err
}

// waitUntilReady waits until an object is ready, as its controller reports it.
func (f *fluxRun) waitUntilReady(ctx context.Context, r schema.GroupVersionResource, also func(*unstructured.Unstructured) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, errors.New("the object does not become ready"))
	defer cancel()
	for {
		o, err := f.objects.Resource(r).Namespace(namespace).Get(ctx, "shop", metav1.GetOptions{})
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err == nil && isReady(o) && also(o) {
			return nil
		}
		if exit := f.process.Exit(); exit != "" {
			return fmt.Errorf("the controller ended: %s\n%s", exit, f.process.Tail())
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %v\n%s", context.Cause(ctx), o.Object["status"], f.process.Tail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func isReady(o *unstructured.Unstructured) bool {
	observed, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	return observed == o.GetGeneration() && slices.ContainsFunc(conditions, func(c any) bool {
		m, _ := c.(map[string]any)
		return m["type"] == "Ready" && m["status"] == "True"
	})
}

// finish reports a phase.
func (f *fluxRun) finish(phase, version string) error {
	used, err := costOf(f.process.Pid())
	if err != nil {
		return err
	}
	before := f.used
	f.used = used.processor
	used.processor -= before
	return f.report(phase, version, used)
}

// costOf reads what a running process has used so far, on Linux only.
func costOf(pid int) (c cost, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return c, err
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			c.peak = kilobytes << 10
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return c, err
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return c, fmt.Errorf("/proc/%d/stat has no times", pid)
	}
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return c, err
	}
	c.processor = time.Duration(user+system) * (time.Second / 100) // in ticks of 10 ms
	return c, nil
}
