package examples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

var live cluster.Shared

func TestMain(m *testing.M) {
	code := live.Main(m)
	if dir, err := build(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// build builds the programs and the command, once, and returns their folder.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kstatus-examples-")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "kstatus.dev/examples/...", "kstatus.dev/cmd/kstatus").CombinedOutput()
	if err != nil {
		return "", errors.Join(fmt.Errorf("go build: %w\n%s", err, out), os.RemoveAll(dir))
	}
	return dir, nil
})

// newCommand returns a command that runs a program as administrator of the cluster.
func newCommand(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, name), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+live.Cluster(t).Kubeconfig())
	return cmd
}

// A run is the result of a program.
type run struct {
	code           int
	stdout, stderr string
	took           time.Duration
}

func (r run) String() string {
	return fmt.Sprintf("exit code %d after %s\n--- stdout\n%s--- stderr\n%s", r.code, r.took, r.stdout, r.stderr)
}

// execute runs a program and returns its result.
func execute(t *testing.T, name string, args ...string) run {
	t.Helper()
	return finish(t, newCommand(t, name, args...))
}

func finish(t *testing.T, cmd *exec.Cmd) run {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begun := time.Now()
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Fatal(err)
	}
	return run{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), time.Since(begun)}
}

// start runs a program until the test ends. Then the program must exit by itself, with success.
func start(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := newCommand(t, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // at the end of the test
	cmd.WaitDelay = 10 * time.Second
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("%s ends with %d: %v", name, code, err)
		}
		if t.Failed() {
			t.Logf("%s has printed:\n%s", name, &log)
		}
	})
}

// An api reads and writes the objects of one kind in one namespace.
type api struct {
	t *testing.T
	dynamic.ResourceInterface
}

func newAPI(t *testing.T, namespace, group, version, resource string) api {
	t.Helper()
	config := live.Cluster(t).Config()
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return api{t, client.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: resource}).Namespace(namespace)}
}

func (a api) get(name string) *unstructured.Unstructured {
	a.t.Helper()
	obj, err := a.Get(a.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		a.t.Fatal(err)
	}
	return obj
}

func (a api) patch(name, patch string) {
	a.t.Helper()
	if _, err := a.Patch(a.t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		a.t.Fatal(err)
	}
}

// until calls look with every version of every object until it returns true.
func (a api) until(look func(*unstructured.Unstructured) bool) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), poll.Patience)
	defer cancel()
	watch, err := a.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		a.t.Fatal(err)
	}
	defer watch.Stop()
	var last *unstructured.Unstructured
	for event := range watch.ResultChan() {
		obj, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			a.t.Fatalf("the watch ends with %v", event.Object)
		}
		if last = obj; look(obj) {
			return
		}
	}
	a.t.Fatalf("waited in vain for %s; last seen: %v", poll.Patience, last)
}

// applyDeployments applies manifests with Deployments, and waits until all their Pods are ready, or cannot
// pull their image. A program with a short timeout then finds them in this state.
func applyDeployments(t *testing.T, ns, manifests string) {
	t.Helper()
	live.Cluster(t).Apply(t, ns, manifests)
	deployments, pods := newAPI(t, ns, "apps", "v1", "deployments"), newAPI(t, ns, "", "v1", "pods")
	poll.Check(t, func() error {
		all, err := deployments.List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, d := range all.Items {
			settled := integer(&d, "status", "availableReplicas")
			theirs, err := pods.List(t.Context(), metav1.ListOptions{LabelSelector: "app=" + d.GetName()})
			if err != nil {
				return err
			}
			for _, pod := range theirs.Items {
				containers, _, _ := unstructured.NestedSlice(pod.Object, "status", "containerStatuses")
				if len(containers) == 1 && containers[0].(map[string]any)["image"] == broken {
					settled++
				}
			}
			if settled != 2 {
				return fmt.Errorf("%d of 2 Pods of Deployment %s are as their image says", settled, d.GetName())
			}
		}
		return nil
	})
}

// condition returns a condition of an object, empty if the type is missing.
func condition(obj *unstructured.Unstructured, typ string) map[string]any {
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, entry := range list {
		if c, ok := entry.(map[string]any); ok && c["type"] == typ {
			return c
		}
	}
	return map[string]any{}
}

// integer returns an integer of an object, 0 if it is missing.
func integer(obj *unstructured.Unstructured, path ...string) int64 {
	n, _, _ := unstructured.NestedInt64(obj.Object, path...)
	return n
}

// deployment returns the manifest of a Deployment with two replicas.
func deployment(name, image string) string {
	return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ` + name + `, labels: {app: shop}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ` + name + `}}
  template:
    metadata: {labels: {app: ` + name + `}}
    spec: {containers: [{name: main, image: ` + image + `}]}
`
}

const (
	good   = "registry.example.com/web:1"
	broken = "registry.invalid/web:2" // the test cluster cannot pull it
)

// write writes a file to a folder, and returns its name.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
