//go:build linux

package node_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/remotecommand"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
	"kstatus.dev/test/lib/node"
	"kstatus.dev/test/lib/poll"
)

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      tolerations: [{operator: Exists, effect: NoExecute}]
      containers: [{name: web, image: registry.example.com/app:1, readinessProbe: {httpGet: {port: 8080, path: /}, periodSeconds: 1}}]
`

// A Pod on a real Node becomes ready, prints a log and runs commands. The Node is powered off and on
// again, and kstatus reports both. Afterwards the machine is as before.
func TestNode(t *testing.T) {
	if err := node.Supported(); err != nil {
		t.Skip(err)
	}
	before := machineState(t)
	f := startFixture(t)
	dir := f.cluster.Dir()
	defer func() {
		if err := f.cluster.Stop(); err != nil {
			t.Error(err)
		}
		checkNothingLeft(t, dir)
		checkUnchanged(t, before)
	}()
	f.namespace = f.cluster.Namespace(t)
	f.cluster.Apply(t, f.namespace, web)
	f.kstatus(t, 0, "ok: 1 current", "wait", "deployment/web", "--timeout", "60s")
	pod := f.pod(t)
	if log := f.log(t, pod); !strings.Contains(log, "app: serving on port 8080") {
		t.Errorf("the log is %q, want the first line of the program", log)
	}
	if out := f.execute(t, pod, "/app", "print", "/etc/hostname"); strings.TrimSpace(out) != pod {
		t.Errorf("the host name in the Pod is %q, want %q", out, pod)
	}

	nodes := f.cluster.RealNodes()
	if err := nodes.PowerOff("real-1"); err != nil {
		t.Fatal(err)
	}
	f.awaitReady(t, corev1.ConditionUnknown)
	f.kstatus(t, 4, "the kubelet of node real-1 stopped reporting", "wait", "deployment/web", "--timeout", "4s", "--grace", "2s")
	f.kstatus(t, 0, "its kubelet has not reported since", "explain", "node/real-1")
	if err := nodes.PowerOn(t.Context(), "real-1"); err != nil {
		t.Fatal(err)
	}
	f.awaitReady(t, corev1.ConditionTrue)
	f.kstatus(t, 0, "ok: 1 current", "wait", "deployment/web", "--timeout", "60s")
}

type fixture struct {
	cluster   *cluster.Cluster
	client    kubernetes.Interface
	bin       string
	namespace string
}

func startFixture(t *testing.T) *fixture {
	f := &fixture{}
	var err error
	if f.bin, err = command.Build(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(f.bin) })
	if f.cluster, err = cluster.Start(t.Context(), cluster.Options{RealNodes: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.cluster.Stop() }) // if the test ends before its own Stop
	if f.client, err = kubernetes.NewForConfig(f.cluster.Config()); err != nil {
		t.Fatal(err)
	}
	return f
}

// kstatus runs the command, which must exit with a code and print a text.
func (f *fixture) kstatus(t *testing.T, code int, text string, args ...string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(f.bin, "kstatus"), append(args, "-n", f.namespace)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+f.cluster.Kubeconfig(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	} else if ok && exit.ExitCode() != code || !ok && code != 0 {
		t.Errorf("kstatus %s: %v, want exit code %d\n%s", strings.Join(args, " "), err, code, out)
	}
	if !strings.Contains(string(out), text) {
		t.Errorf("kstatus %s does not print %q:\n%s", strings.Join(args, " "), text, out)
	}
	t.Logf("kstatus %s\n%s", strings.Join(args, " "), out)
}

// pod returns the name of the one Pod.
func (f *fixture) pod(t *testing.T) string {
	t.Helper()
	pods, err := f.client.CoreV1().Pods(f.namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(pods.Items) != 1 {
		t.Fatalf("%d Pods, %v, want one", len(pods.Items), err)
	}
	return pods.Items[0].Name
}

func (f *fixture) log(t *testing.T, pod string) string {
	t.Helper()
	stream, err := f.client.CoreV1().Pods(f.namespace).GetLogs(pod, &corev1.PodLogOptions{}).Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	text, err := io.ReadAll(stream)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// execute runs a command in the Pod and returns its output.
func (f *fixture) execute(t *testing.T, pod string, args ...string) string {
	t.Helper()
	request := f.client.CoreV1().RESTClient().Post().Resource("pods").Namespace(f.namespace).Name(pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Command: args, Stdout: true, Stderr: true}, scheme.ParameterCodec)
	executor, err := remotecommand.NewWebSocketExecutor(f.cluster.Config(), "GET", request.URL().String())
	if err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	if err := executor.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdout: &out, Stderr: &stderr}); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, stderr.String())
	}
	return out.String()
}

// awaitReady waits until the condition Ready of the Node has a status.
func (f *fixture) awaitReady(t *testing.T, want corev1.ConditionStatus) {
	t.Helper()
	poll.Check(t, func() error { return f.checkReady(t.Context(), want) })
}

func (f *fixture) checkReady(ctx context.Context, want corev1.ConditionStatus) error {
	n, err := f.client.CoreV1().Nodes().Get(ctx, "real-1", metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status == want {
			return nil
		}
	}
	return fmt.Errorf("the Node is not Ready=%s: %v", want, n.Status.Conditions)
}
