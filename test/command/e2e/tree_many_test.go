package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/poll"
)

// A containerFault is a fault of a container, as a kubelet writes it to the status and to an event.
type containerFault struct {
	state, last   corev1.ContainerState
	reason, event string
}

var containerFaults = map[string]containerFault{
	"pull": {reason: "Failed", event: `Failed to pull image "registry.example.com/c": not found`, state: corev1.ContainerState{
		Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: `Back-off pulling image "registry.example.com/c"`}}},
	"crash": {reason: "BackOff", event: "Back-off restarting failed container c", state: corev1.ContainerState{
		Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		last: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 3, Reason: "Error"}}},
	"memory": {reason: "BackOff", event: "Back-off restarting failed container c", state: corev1.ContainerState{
		Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		last: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled"}}},
}

// setFault gives a Pod the fault that its label app names.
func setFault(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	a := containerFaults[pod.Labels["app"]]
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", Image: "registry.example.com/c", State: a.state, LastTerminationState: a.last, RestartCount: 4}}
	if _, err := client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return err
	}
	_, err := client.CoreV1().Events(pod.Namespace).Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: pod.Name + "."},
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Type:           "Warning", Reason: a.reason, Message: a.event, Count: 7,
		FirstTimestamp: metav1.Now(), LastTimestamp: metav1.Now(),
	}, metav1.CreateOptions{})
	return err
}

// setFaults gives all Pods of a namespace their faults, once the given number of Pods exists.
func setFaults(t *testing.T, c *cluster.Cluster, ns string, count int) {
	t.Helper()
	config := c.Config()
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var pods *corev1.PodList
	poll.Check(t, func() error {
		if pods, err = client.CoreV1().Pods(ns).List(t.Context(), metav1.ListOptions{}); err == nil && len(pods.Items) < count {
			err = fmt.Errorf("there are %d Pods, want %d", len(pods.Items), count)
		}
		return err
	})
	slots, errs := make(chan struct{}, 16), make(chan error, count)
	for i := range pods.Items {
		slots <- struct{}{}
		go func() {
			errs <- setFault(t.Context(), client, &pods.Items[i])
			<-slots
		}()
	}
	for range pods.Items {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
}

// A thousand Pods that fail for three causes result in three causes, with few requests.
func TestCollectAThousandPods(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const count = 1000
	replicas := map[string]int{"pull": 400, "crash": 300, "memory": 300}
	var ids []status.ID
	for _, name := range slices.Sorted(maps.Keys(replicas)) {
		c.Apply(t, ns, fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s}
spec:
  replicas: %[2]d
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      schedulerName: nobody
      containers: [{name: c, image: registry.example.com/c, env: [{name: PASSWORD, value: hunter2}, {name: LEVEL, value: debug}]}]
`, name, replicas[name]))
		ids = append(ids, status.ID{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: ns, Name: name})
	}
	setFaults(t, c, ns, count)
	proxy := faults.Start(t, c.Config())
	r := tree.Reader{Config: proxy.Config(), Mapper: mapperOf(t, c.Config()), Logs: true}
	began := time.Now()
	facts, err := r.Collect(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	collected := time.Now()
	e := explain.Explain(facts, ids...)
	requests := proxy.Count(faults.Match{}).Requests
	t.Logf("collected in %s with %d requests, explained in %s\n%s", collected.Sub(began), requests, time.Since(collected), e.Text(facts.Now))
	if requests > 10 {
		t.Errorf("%d requests:\n%s", requests, proxy.Requests())
	}
	have := map[string]int{}
	for _, cause := range e.Causes {
		have[cause.Kind] += cause.Count
	}
	if len(e.Causes) != 3 || have["CrashLoop"] != 300 || have["OutOfMemory"] != 300 {
		t.Errorf("have %d causes: %v", len(e.Causes), have)
	}
	explainByCommand(t, proxy, ns, "deployments")
	explainByCommand(t, proxy, ns, "pods")
}

// explainByCommand explains all objects of a type with the command. It requires three causes
// and few requests, not counting discovery.
func explainByCommand(t *testing.T, proxy *faults.Proxy, ns, types string) {
	t.Helper()
	home := t.TempDir()
	kubeconfig, err := proxy.Kubeconfig(home)
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []bool{false, true} {
		before, began := proxy.Count(faults.Match{}).Requests, time.Now()
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "kstatus"), "explain", types, "-n", ns, "--kubeconfig", kubeconfig)
		cmd.Env = append(os.Environ(), "HOME="+home)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("explain %s: %v\n%s", types, err, out)
		}
		requests := proxy.Count(faults.Match{}).Requests - before
		t.Logf("kstatus explain %s: %d requests, %s", types, requests, time.Since(began))
		if n := strings.Count(string(out), "\n  Cause "); n != 3 {
			t.Errorf("explain %s: %d causes:\n%.4000s", types, n, out)
		}
		if known && requests > 10 {
			t.Errorf("explain %s: %d requests", types, requests)
		}
	}
}
