package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
)

// foreign measures waiting for one Deployment in a namespace that is full of unrelated objects.
// The contenders take turns, each with its own Deployment.
func foreign(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("foreign", flag.ExitOnError)
	podCount := flags.Int("pods", 50_000, "how many foreign Pods")
	secretCount := flags.Int("secrets", 5_000, "how many foreign Secrets")
	secret := flags.Bool("secret", false, "wait for one of the Secrets as well")
	within := flags.Duration("within", 2*time.Minute, "how long each of a contender's two phases may take")
	s, who, err := prepare(ctx, flags, args, "kstatus.dev,cli-utils watcher,cli-utils poller")
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.crowd(ctx, *podCount, *secretCount); err != nil {
		return err
	}
	t := table{title: fmt.Sprintf("One Deployment beside %d Pods and %d Secrets", *podCount, *secretCount), columns: strings.Split(who, ",")}
	if *secret {
		t.title = strings.Replace(t.title, "Deployment", "Deployment and one Secret", 1)
	}
	var before, current, rolled, rested []report
	var began, changed []time.Time
	for i, name := range t.columns {
		targets := []observe.Target{{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: crowded, Name: fmt.Sprintf("web-%d", i)}}
		if *secret {
			targets = append(targets, observe.Target{Kind: status.Kind{Kind: "Secret"}, Namespace: crowded, Name: "secret-0"})
		}
		turn, err := s.turn(ctx, name, targets, *within)
		if err != nil {
			return err
		}
		before, current, rolled = append(before, turn.before), append(current, turn.current), append(rolled, turn.rolled)
		rested = append(rested, turn.rested)
		began, changed = append(began, turn.began), append(changed, turn.changed)
	}
	t.phase("until it is current", before, current, began...)
	t.phase("while it rolls out", current, rolled, changed...)
	t.add("heap kept", megabytes, heaps(before, rested)...)
	t.add("peak memory", megabytes, peaks(rested)...)
	t.addPlain("peak memory before the start", megabytes, peaks(before)...)
	return t.print(os.Stdout)
}

// A turn is the result of one contender.
type turn struct {
	before, current, rolled, rested report
	began, changed                  time.Time
}

// turn lets one contender wait for a Deployment that is created now and then rolls out.
func (s *environment) turn(ctx context.Context, name string, targets []observe.Target, within time.Duration) (t turn, err error) {
	f, err := s.startContenders(ctx, name, targets)
	if err != nil {
		return t, err
	}
	defer f.stop()
	ask := func(o instruction) (r report) {
		if err == nil {
			var all []report
			if all, err = f.all(o); err == nil {
				r = all[0]
			}
		}
		return r
	}
	target := targets[0]
	t.began = time.Now()
	// Its Pods become ready slowly, so that the Deployment is not Current at the first read.
	if err := s.create(ctx, deployments, deployment(crowded, target.Name, 3, map[string]any{"kstatus.dev/pod": "slow"})); err != nil {
		return t, err
	}
	t.before = ask(instruction{Do: "start"})
	t.current = ask(instruction{Do: "reach", Seconds: within.Seconds()})
	t.changed = time.Now()
	if err := s.merge(ctx, deployments, crowded, target.Name, newTemplate); err != nil {
		return t, err
	}
	t.rolled = ask(instruction{Do: "reach", Generation: 2, Seconds: within.Seconds()})
	t.rested = ask(restInstruction())
	printProgress("%s has had its turn", name)
	return t, err
}

const crowded = "crowded"

// crowd fills a namespace with Secrets, and with Pods that are never scheduled.
func (s *environment) crowd(ctx context.Context, podCount, secretCount int) error {
	if err := s.namespace(ctx, crowded); err != nil {
		return err
	}
	if err := each(ctx, secretCount, func(i int) error { return s.create(ctx, secrets, foreignSecret(i)) }); err != nil {
		return err
	}
	printProgress("%d Secrets are made", secretCount)
	if err := each(ctx, podCount, func(i int) error { return s.create(ctx, pods, foreignPod(i)) }); err != nil {
		return err
	}
	printProgress("%d Pods are made; the API server has %s of memory", podCount, s.memory(cluster.APIServer))
	return nil
}

// foreignSecret returns a Secret with a kilobyte of data.
func foreignSecret(i int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret",
		"metadata":   map[string]any{"namespace": crowded, "name": fmt.Sprintf("secret-%d", i)},
		"stringData": map[string]any{"ballast": strings.Repeat("x", 1<<10)},
	}}
}

// foreignPod returns a Pod as large as a real one without a status.
func foreignPod(i int) *unstructured.Unstructured {
	labels := map[string]any{"app.kubernetes.io/name": "foreign", "app.kubernetes.io/instance": fmt.Sprintf("foreign-%d", i/100),
		"app.kubernetes.io/part-of": "crowd", "pod-template-hash": fmt.Sprintf("%08x", i/100)}
	container := func(name string, port int64) map[string]any {
		var env []any
		for n := range 8 {
			env = append(env, map[string]any{"name": fmt.Sprintf("SETTING_%d", n), "value": "the value of a setting"})
		}
		return map[string]any{"name": name, "image": "registry.example.com/team/" + name + ":1.2.3", "env": env,
			"ports":          []any{map[string]any{"containerPort": port}},
			"resources":      map[string]any{"requests": map[string]any{"cpu": "10m", "memory": "32Mi"}, "limits": map[string]any{"memory": "64Mi"}},
			"readinessProbe": map[string]any{"httpGet": map[string]any{"path": "/ready", "port": port}},
		}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"namespace": crowded, "name": fmt.Sprintf("foreign-%08x-%d", i/100, i), "labels": labels},
		"spec": map[string]any{
			"schedulingGates": []any{map[string]any{"name": "bench.kstatus.dev/never"}},
			"containers":      []any{container("app", 8080), container("sidecar", 8081)},
		},
	}}
}
