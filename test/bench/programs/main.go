//go:build linux

// Programs measures whole programs that wait with kstatus: with the original of it, and with
// kstatus.dev/dropin in its place in both modes. Each run has a new cluster of real controllers and
// simulated nodes. The requests of the program pass a proxy that counts them.
//
// Usage, at the root of the workspace:
//
//	go run ./test/dropin/suites -sizes -programs FOLDER helm kustomize-controller helm-controller
//	go run ./test/bench/programs -programs FOLDER [-deployments 300] [PROGRAM…]
//
// Each program first installs Deployments of one Pod, and then changes the template of each. A phase
// ends when the program reports that all are ready.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
)

func main() {
	folder := flag.String("programs", "", "the folder with the programs")
	count := flag.Int("deployments", 300, "how many Deployments")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *folder, *count, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench programs:", err)
		os.Exit(1)
	}
}

// A program can apply a number of Deployments, and wait until they are ready.
type program struct {
	name string
	// run runs both phases. It calls done with its processes' costs at the end of each.
	run func(ctx context.Context, r *trial) error
}

var programs = []program{{"helm", runHelm}, {"kustomize-controller", runKustomizeController}, {"helm-controller", runHelmController}}

// A variant is a program with the original or the replacement.
type variant struct{ name, file, mode string }

var variants = []variant{{"original", "original", ""}, {"compat", "replaced", "compat"}, {"right", "replaced", "right"}}

// within limits a phase.
const within = 10 * time.Minute

// versions are the image tags of the phases.
var versions = []string{"v1", "v2"}

func run(ctx context.Context, folder string, count int, names []string) error {
	if folder == "" {
		return errors.New("-programs: want the folder with the programs, have none")
	}
	fmt.Printf("\n### %d Deployments of one Pod, applied by whole programs\n\n", count)
	fmt.Println("| program | phase | requests | lists and watches of Deployments, ReplicaSets and Pods | received | ends after the last Pod is ready | and after the last Deployment is complete | processor time | peak memory |")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|---:|---:|")
	var errs []error
	for _, p := range programs {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		for _, v := range variants {
			if err := p.measure(ctx, filepath.Join(folder, p.name+"-"+v.file), v, count); err != nil {
				errs = append(errs, fmt.Errorf("%s, %s: %w", p.name, v.name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// A trial is one variant of a program on a cluster.
type trial struct {
	path    string // of the program
	mode    string // the mode of the replacement
	label   string
	count   int
	dir     string // temporary
	cluster *cluster.Cluster
	proxy   *faults.Proxy
	config  string // the kubeconfig through the proxy
	view    *view
	before  faults.Count
	reads   int
}

// namespace is the namespace of the Deployments.
const namespace = "shop"

// measure runs a variant of a program on a new cluster.
func (p program) measure(ctx context.Context, path string, v variant, count int) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-programs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := cluster.Start(ctx, cluster.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	r := &trial{path: path, mode: v.mode, label: p.name + ", " + v.name, count: count, dir: dir, cluster: c}
	if r.proxy, err = faults.New(c.Config()); err != nil {
		return err
	}
	defer r.proxy.Close()
	if r.config, err = r.proxy.Kubeconfig(dir); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if r.view, err = newView(ctx, c.Config(), count); err != nil {
		return err
	}
	return p.run(ctx, r)
}

// environment is the environment of the program.
func (r *trial) environment() []string {
	return []string{"KUBECONFIG=" + r.config, "HOME=" + r.dir, "KSTATUS_DROPIN=" + r.mode, "RUNTIME_NAMESPACE=default", "POD_NAMESPACE=default"}
}

// A cost is what the processes of a program have used in a phase.
type cost struct {
	processor time.Duration
	peak      int64 // bytes
}

// report prints the row of a phase that has just ended.
func (r *trial) report(phase string, version string, used cost) error {
	ended := time.Now()
	ready, complete, err := r.view.reached(version)
	if err != nil {
		return err
	}
	total := r.proxy.Count(faults.Match{})
	reads := r.proxy.Count(faults.Match{Verbs: []string{"list", "watch"}, Resources: []string{"deployments.apps", "replicasets.apps", "pods"}}).Requests
	fmt.Println("| " + strings.Join([]string{r.label, phase, fmt.Sprint(total.Requests - r.before.Requests), fmt.Sprint(reads - r.reads),
		fmt.Sprintf("%.1f MiB", float64(total.Received-r.before.Received)/(1<<20)), fmt.Sprintf("%+.1f s", ended.Sub(ready).Seconds()),
		fmt.Sprintf("%+.1f s", ended.Sub(complete).Seconds()), fmt.Sprintf("%.1f s", used.processor.Seconds()), fmt.Sprintf("%.0f MiB", float64(used.peak)/(1<<20))}, " | ") + " |")
	r.before, r.reads = total, reads
	return nil
}

// deployment is the manifest of a Deployment. Values may be those of a template.
func deployment(name, tag string) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: %[3]s}
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec: {containers: [{name: web, image: 'registry.example.com/web:%[2]s'}]}
`, name, tag, namespace)
}

// chart returns the files of a chart with that many Deployments, and the value tag.
func chart(count int) map[string]string {
	return map[string]string{
		"shop/Chart.yaml":         "{apiVersion: v2, name: shop, version: 1.0.0}\n",
		"shop/values.yaml":        "{tag: v1}\n",
		"shop/templates/web.yaml": fmt.Sprintf("{{- range until %d }}\n", count) + deployment("web-{{ . }}", "{{ $.Values.tag }}") + "{{- end }}\n",
	}
}
