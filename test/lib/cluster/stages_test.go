package cluster

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/test/lib/poll"
)

// Each row applies a manifest and reads the versions of an object. It waits until one has the fields
// under soon, and then until one has those under want, in order. A field has the form "{jsonpath}=value".
var stageRows = []struct {
	name     string // it …
	manifest string
	look     string // resource.group/name
	soon     []string
	want     []string
}{
	{
		name:     "makes Pods ready",
		manifest: deployment("", "image: nginx"),
		look:     "deployments.apps/d",
		want:     []string{"{.status.availableReplicas}=2", `{.status.conditions[?(@.type=="Available")].status}=True`},
	},
	{
		name:     "runs a DaemonSet's Pod on each Node",
		manifest: "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec:\n  selector: {matchLabels: {app: d}}\n  template: {metadata: {labels: {app: d}}, spec: {containers: [{name: c, image: nginx}]}}\n",
		look:     "daemonsets.apps/d",
		want:     []string{"{.status.numberReady}=3"},
	},
	{
		name:     "delays readiness by the probe",
		manifest: pod("", "image: nginx, readinessProbe: {initialDelaySeconds: 2, httpGet: {port: 80}}", ""),
		look:     "pods/p",
		soon:     []string{"{.status.phase}=Running", `{.status.conditions[?(@.type=="Ready")].reason}=ContainersNotReady`},
		want:     []string{`{.status.conditions[?(@.type=="Ready")].status}=True`, "{.status.containerStatuses[0].ready}=true"},
	},
	{
		name:     "delays readiness when asked to",
		manifest: pod("slow", "image: nginx", ""),
		look:     "pods/p",
		soon:     []string{"{.status.phase}=Running", `{.status.conditions[?(@.type=="Ready")].status}=False`},
		want:     []string{`{.status.conditions[?(@.type=="Ready")].status}=True`},
	},
	{
		name:     "waits for readiness gates",
		manifest: pod("", "image: nginx", "readinessGates: [{conditionType: example.com/go}]"),
		look:     "pods/p",
		want:     []string{"{.status.phase}=Running", `{.status.conditions[?(@.type=="Ready")].status}=False`},
	},
	{
		name:     "crashes a container whose command says so, and only that",
		manifest: pod("", `image: nginx, command: [sh, -c, "exit 3"]}, {name: side, image: nginx`, ""),
		look:     "pods/p",
		soon:     []string{"{.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff"},
		want: []string{
			"{.status.phase}=Running", "{.status.containerStatuses[0].lastState.terminated.exitCode}=3",
			"{.status.containerStatuses[0].restartCount}=1", "{.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff",
			"{.status.containerStatuses[1].ready}=true", `{.status.conditions[?(@.type=="Ready")].status}=False`,
		},
	},
	{
		name:     "holds a crash loop after its restarts",
		manifest: pod(`crash-loop, kstatus.dev/retries: "1"`, "image: nginx", ""),
		look:     "pods/p",
		want: []string{
			"{.status.containerStatuses[0].restartCount}=1", "{.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff",
		},
	},
	{
		name:     "crashes every container when asked to",
		manifest: pod("crash-loop", "image: nginx", ""),
		look:     "pods/p",
		want:     []string{"{.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff", "{.status.containerStatuses[0].lastState.terminated.exitCode}=1"},
	},
	{
		name:     "cannot pull from registry.invalid",
		manifest: pod("", "image: registry.invalid/shop/web:1", ""),
		look:     "pods/p",
		want:     []string{"{.status.phase}=Pending", "{.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff", `{.status.conditions[?(@.type=="Ready")].status}=False`},
	},
	{
		name:     "cannot pull when asked not to",
		manifest: pod("unpullable", "image: nginx", ""),
		look:     "pods/p",
		soon:     []string{"{.status.containerStatuses[0].state.waiting.reason}=ErrImagePull"},
		want:     []string{"{.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff"},
	},
	{
		name:     "tells in a kubelet's words why an image is not pulled",
		manifest: pod("image-not-found", "image: registry.example.com/web:2", ""),
		look:     "pods/p",
		want: []string{
			"{.status.phase}=Pending", "{.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff",
			`{.status.containerStatuses[0].state.waiting.message}=Back-off pulling image "registry.example.com/web:2": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.com/web:2": failed to resolve image: registry.example.com/web:2: not found`,
		},
	},
	{
		name:     "lets the containers wait for an init container that ails",
		manifest: pod("crash, kstatus.dev/container: b", "image: nginx", "initContainers: [{name: a, image: a}, {name: b, image: b}]"),
		look:     "pods/p",
		want: []string{
			"{.status.phase}=Pending", `{.status.conditions[?(@.type=="Initialized")].message}=containers with incomplete status: [b]`,
			"{.status.initContainerStatuses[0].state.terminated.reason}=Completed",
			"{.status.initContainerStatuses[1].lastState.terminated.exitCode}=1",
			"{.status.containerStatuses[0].state.waiting.reason}=PodInitializing",
		},
	},
	{
		name:     "fails a Pod that is not restarted",
		manifest: pod("", `image: nginx, command: [sh, -c, "exit 4"]`, "restartPolicy: Never"),
		look:     "pods/p",
		want:     []string{"{.status.phase}=Failed", "{.status.containerStatuses[0].state.terminated.exitCode}=4"},
	},
	{
		name:     "completes a Pod that is not restarted",
		manifest: pod("", `image: nginx`, "restartPolicy: Never"),
		look:     "pods/p",
		want:     []string{"{.status.phase}=Succeeded", `{.status.conditions[?(@.type=="Ready")].reason}=PodCompleted`},
	},
	{
		name:     "completes a Job",
		manifest: job("sleep 1"),
		look:     "jobs.batch/j",
		want:     []string{`{.status.conditions[?(@.type=="Complete")].status}=True`, "{.status.succeeded}=1"},
	},
	{
		name:     "fails a Job",
		manifest: job("exit 1"),
		look:     "jobs.batch/j",
		want:     []string{`{.status.conditions[?(@.type=="Failed")].reason}=BackoffLimitExceeded`},
	},
	{
		name:     "says when a Deployment makes no progress",
		manifest: deployment("progressDeadlineSeconds: 2", "image: registry.invalid/web"),
		look:     "deployments.apps/d",
		want:     []string{`{.status.conditions[?(@.type=="Progressing")].reason}=ProgressDeadlineExceeded`},
	},
	{
		name:     "binds a claim of the default class",
		manifest: claim(""),
		look:     "persistentvolumeclaims/c",
		want:     []string{"{.status.phase}=Bound", "{.status.capacity.storage}=1Gi", "{.spec.storageClassName}=standard"},
	},
	{
		name:     "binds a claim of class zonal when a Pod uses it",
		manifest: claim("storageClassName: zonal") + "---\n" + pod("", "image: nginx", "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]"),
		look:     "persistentvolumeclaims/c",
		want:     []string{"{.status.phase}=Bound", "{.spec.storageClassName}=zonal"},
	},
	{
		name:     "gives a load balancer an address",
		manifest: "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n",
		look:     "services/s",
		want:     []string{"{.status.loadBalancer.ingress[0].ipMode}=VIP"},
	},
	{
		name:     "gives an Ingress an address",
		manifest: "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {ingressClassName: nginx, defaultBackend: {service: {name: s, port: {number: 80}}}}\n",
		look:     "ingresses.networking.k8s.io/i",
		want:     []string{"{.status.loadBalancer.ingress[0].ip}=198.18.255.254"},
	},
}

func TestStages(t *testing.T) {
	c := live.Cluster(t)
	// The rows mostly wait, so they run in parallel.
	var group sync.WaitGroup
	defer group.Wait()
	for _, row := range stageRows {
		group.Go(func() {
			t.Run(row.name, func(t *testing.T) {
				ns := c.Namespace(t)
				versions := follow(t, c, ns, row.look)
				c.Apply(t, ns, row.manifest)
				for _, want := range append(row.soon, row.want...) {
					versions.until(want)
				}
			})
		})
	}
}

// The API server returns the log of a container from the annotation of its Pod.
func TestLogs(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, pod(`crash, kstatus.dev/log: "one\ntwo\nthree"`, "image: nginx", "")+"---\n"+
		strings.ReplaceAll(pod("image-not-found", "image: nginx", ""), "{name: p,", "{name: q,"))
	for _, name := range []string{"p", "q"} {
		poll.Check(t, func() error {
			return checkField(t, c, ns, "pods/"+name, `{.status.conditions[?(@.type=="Ready")].status}=False`)
		})
	}
	two := int64(2)
	for _, row := range []struct {
		pod      string
		previous bool
		want     string
	}{
		{"p", true, "two\nthree"},
		{"p", false, "two\nthree"},
		{"q", false, `container "c" in pod "q" is waiting to start: ImagePullBackOff`},
		{"q", true, `previous terminated container "c" in pod "q" not found`},
	} {
		t.Run(fmt.Sprintf("%s, previous %t", row.pod, row.previous), func(t *testing.T) {
			options := &corev1.PodLogOptions{Container: "c", Previous: row.previous, TailLines: &two}
			stream, err := client(t, c.Config()).CoreV1().Pods(ns).GetLogs(row.pod, options).Stream(t.Context())
			have := fmt.Sprint(err)
			if err == nil {
				text, err := io.ReadAll(stream)
				if err != nil {
					t.Fatal(err)
				}
				have = string(text)
				stream.Close()
			}
			if !strings.HasSuffix(strings.TrimSpace(have), row.want) {
				t.Errorf("the log is %q, want %q", have, row.want)
			}
		})
	}
}

// Objects of classes without a controller do not change.
func TestStagesLeaveAlone(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, claim("storageClassName: manual")+"---\n"+
		strings.ReplaceAll(claim("storageClassName: zonal"), "{name: c}", "{name: unused}")+"---\n"+
		pod("never-ready", "image: nginx", "")+"---\n"+
		"apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: LoadBalancer, loadBalancerClass: example.com/none, ports: [{port: 80}]}\n")
	poll.Check(t, func() error { return checkField(t, c, ns, "pods/p", "{.status.phase}=Running") })
	// What was applied later has been handled.
	marker := c.Namespace(t)
	c.Apply(t, marker, claim("")+"---\n"+pod("", "image: nginx", "")+"---\n"+
		"apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n")
	for _, row := range [][2]string{
		{"persistentvolumeclaims/c", "{.status.phase}=Bound"},
		{"services/s", "{.status.loadBalancer.ingress[0].ipMode}=VIP"},
		{"pods/p", `{.status.conditions[?(@.type=="Ready")].status}=True`},
	} {
		poll.Check(t, func() error { return checkField(t, c, marker, row[0], row[1]) })
	}
	for _, row := range [][2]string{
		{"persistentvolumeclaims/c", "{.status.phase}=Pending"},
		{"persistentvolumeclaims/unused", "{.status.phase}=Pending"},
		{"services/s", "{.status.loadBalancer}={}"},
		{"pods/p", `{.status.conditions[?(@.type=="Ready")].status}=False`},
	} {
		if err := checkField(t, c, ns, row[0], row[1]); err != nil {
			t.Error(err)
		}
	}
}

// A simulated fault of a Pod stays, also after the time in which an image is pulled again.
func TestFaultStays(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns, marker := c.Namespace(t), c.Namespace(t)
	const reason = "{.status.containerStatuses[0].state.waiting.reason}="
	c.Apply(t, ns, pod("image-not-found", "image: nginx", ""))
	poll.Check(t, func() error { return checkField(t, c, ns, "pods/p", reason+"ImagePullBackOff") })
	// A Pod that begins later has pulled its image again.
	versions := follow(t, c, marker, "pods/p")
	c.Apply(t, marker, pod("", "image: registry.invalid/web", ""))
	for _, then := range []string{"ErrImagePull", "ImagePullBackOff", "ErrImagePull"} {
		versions.until(reason + then)
	}
	if err := checkField(t, c, ns, "pods/p", reason+"ImagePullBackOff"); err != nil {
		t.Error(err)
	}
}

// The volume of a claim is deleted with the claim.
func TestVolumeGoesWithItsClaim(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, claim(""))
	poll.Check(t, func() error { return checkField(t, c, ns, "persistentvolumeclaims/c", "{.status.phase}=Bound") })
	bound, err := fetch(t, c, ns, "persistentvolumeclaims/c")
	if err != nil {
		t.Fatal(err)
	}
	volume := "persistentvolumes/pvc-" + string(bound.GetUID())
	if err := checkField(t, c, "", volume, "{.status.phase}=Bound"); err != nil {
		t.Error(err)
	}
	if err := client(t, c.Config()).CoreV1().PersistentVolumeClaims(ns).Delete(t.Context(), "c", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error {
		if _, err := fetch(t, c, "", volume); !apierrors.IsNotFound(err) {
			return fmt.Errorf("%s is still there: %v", volume, err)
		}
		return nil
	})
}

// A deleted Pod exists and is terminating until its preStop hook has ended.
func TestPodTerminatesSlowly(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, pod("", "image: nginx, lifecycle: {preStop: {sleep: {seconds: 2}}}", ""))
	poll.Check(t, func() error { return checkField(t, c, ns, "pods/p", "{.status.phase}=Running") })
	pods := client(t, c.Config()).CoreV1().Pods(ns)
	ctx, stop := context.WithTimeout(t.Context(), poll.Patience)
	defer stop()
	watch, err := pods.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=p"})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	began := time.Now()
	if err := pods.Delete(ctx, "p", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	terminating := false
	for e := range watch.ResultChan() {
		if p, is := e.Object.(*corev1.Pod); is && e.Type == apiwatch.Modified && p.DeletionTimestamp != nil {
			terminating = true
		}
		if e.Type != apiwatch.Deleted {
			continue
		}
		if lasted := time.Since(began); lasted < 2*time.Second || !terminating {
			t.Errorf("the Pod went after %s, terminating before: %t, want 2 s and true", lasted, terminating)
		}
		return
	}
	t.Error("the Pod is still there")
}
