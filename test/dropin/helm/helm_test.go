package helm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"helm.sh/helm/v4/pkg/action"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/kube"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"

	dropinflux "kstatus.dev/dropin/flux"
	dropinhelm "kstatus.dev/dropin/helm"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

var (
	live  cluster.Shared
	count = flag.Int("deployments", 10, "how many Deployments the chart has")
)

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// A program is a program with the SDK of Helm, in one namespace.
type program struct {
	configuration *action.Configuration
	namespace     string
	options       []kube.WaitOption
	timeout       time.Duration
	proxy         *faults.Proxy
	clientset     *kubernetes.Clientset
}

// adapters are the two ways to use kstatus with the SDK.
var adapters = map[string]func(*testing.T, *program, genericclioptions.RESTClientGetter){
	"reader": func(t *testing.T, p *program, getter genericclioptions.RESTClientGetter) {
		mapper, err := getter.ToRESTMapper()
		if err != nil {
			t.Fatal(err)
		}
		p.options = append(p.options, kube.WithKStatusReaders(dropinflux.Reader(mapper)))
	},
	"wrap": func(_ *testing.T, p *program, getter genericclioptions.RESTClientGetter) {
		p.configuration.KubeClient = dropinhelm.Wrap(kube.New(getter))
	},
}

// newProgram returns a program that uses an adapter, in a new namespace.
func newProgram(t *testing.T, adapter string) *program {
	t.Helper()
	c := live.Cluster(t)
	p := &program{namespace: c.Namespace(t), proxy: faults.Start(t, c.Config()), configuration: new(action.Configuration), timeout: 2 * time.Minute}
	file, err := p.proxy.Kubeconfig(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	getter := genericclioptions.NewConfigFlags(true)
	getter.KubeConfig, getter.Namespace = &file, &p.namespace
	if err := p.configuration.Init(getter, p.namespace, "secret"); err != nil {
		t.Fatal(err)
	}
	if p.clientset, err = kubernetes.NewForConfig(c.Config()); err != nil {
		t.Fatal(err)
	}
	adapters[adapter](t, p, getter)
	return p
}

// failCrashed ends the deadline of the Deployment of crashing once its Pod has crashed. A Deployment that
// fails earlier does not name the crash.
func (p *program) failCrashed(t *testing.T) {
	done := make(chan error)
	go func() {
		done <- poll.Until(t.Context(), func() error {
			pods, err := p.clientset.CoreV1().Pods(p.namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app=crash"})
			if err != nil {
				return err
			}
			if len(pods.Items) == 0 || len(pods.Items[0].Status.ContainerStatuses) == 0 || pods.Items[0].Status.ContainerStatuses[0].State.Waiting == nil {
				return errors.New("the Pod has not crashed")
			}
			_, err = p.clientset.AppsV1().Deployments(p.namespace).Patch(t.Context(), "crash", types.MergePatchType,
				[]byte(`{"spec": {"progressDeadlineSeconds": 2}}`), metav1.PatchOptions{})
			return err
		})
	}()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func (p *program) newInstall() *action.Install {
	i := action.NewInstall(p.configuration)
	i.ReleaseName, i.Namespace, i.Timeout = "shop", p.namespace, p.timeout
	i.WaitStrategy, i.WaitOptions = kube.StatusWatcherStrategy, p.options
	return i
}

func (p *program) install(c *chart.Chart) error {
	_, err := p.newInstall().Run(c, nil)
	return err
}

func (p *program) upgrade(c *chart.Chart) error {
	u := action.NewUpgrade(p.configuration)
	u.Namespace, u.Timeout = p.namespace, p.timeout
	u.WaitStrategy, u.WaitOptions = kube.StatusWatcherStrategy, p.options
	_, err := u.Run("shop", c, nil)
	return err
}

func (p *program) uninstall() error {
	u := action.NewUninstall(p.configuration)
	u.WaitStrategy, u.WaitOptions, u.Timeout = kube.StatusWatcherStrategy, p.options, p.timeout
	_, err := u.Run("shop")
	return err
}

// checkReady checks that the Pods of all Deployments are ready and have a version.
func (p *program) checkReady(t *testing.T, version string) {
	t.Helper()
	list, err := p.clientset.AppsV1().Deployments(p.namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != *count {
		t.Errorf("%d Deployments, want %d", len(list.Items), *count)
	}
	for _, d := range list.Items {
		if d.Status.UpdatedReplicas != 1 || d.Status.AvailableReplicas != 1 || d.Status.ObservedGeneration != d.Generation ||
			d.Spec.Template.Spec.Containers[0].Env[0].Value != version {
			t.Errorf("the wait has ended, and Deployment %s has the status %+v", d.Name, d.Status)
		}
	}
}

// reads are the requests of waits.
func (p *program) reads(resources ...string) int {
	return p.proxy.Count(faults.Match{Verbs: []string{"list", "watch"}, Resources: resources}).Requests
}

// Installs, upgrades and uninstalls wait until the cluster is as requested, with few requests.
func TestRelease(t *testing.T) {
	for adapter := range adapters {
		t.Run(adapter, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, adapter)
			steps := []struct {
				name string
				do   func() error
			}{
				{"install", func() error {
					return p.install(newChart("1.0.0", append(deployments(*count, "v1"), hook("before", "pre-install", 2))...))
				}},
				{"upgrade", func() error { return p.upgrade(newChart("1.1.0", deployments(*count, "v2")...)) }},
			}
			for i, step := range steps {
				deploymentsBefore, childrenBefore := p.reads("deployments.apps"), p.reads("replicasets.apps", "pods")
				begin := time.Now()
				if err := step.do(); err != nil {
					t.Fatalf("%s: %v", step.name, err)
				}
				p.checkReady(t, []string{"v1", "v2"}[i])
				own, children := p.reads("deployments.apps")-deploymentsBefore, p.reads("replicasets.apps", "pods")-childrenBefore
				t.Logf("%s of %d Deployments: %s, %d lists and watches of Deployments, %d of ReplicaSets and Pods",
					step.name, *count, time.Since(begin).Round(time.Millisecond), own, children)
				if own > 4 || children > 6 || adapter == "reader" && children > 0 {
					t.Errorf("%s: %d lists and watches of Deployments, %d of ReplicaSets and Pods, want at most 4 and 6, and none of these with the reader:\n%s",
						step.name, own, children, p.proxy.Requests())
				}
			}
			p.checkUninstall(t, adapter == "wrap")
		})
	}
}

// checkUninstall uninstalls while a finalizer keeps a Deployment for some seconds. Helm uses no
// status reader for an uninstall. Its own wait may end early, also with the error that the object
// still exists: https://github.com/helm/helm/issues/32261
func (p *program) checkUninstall(t *testing.T, waits bool) {
	t.Helper()
	api := p.clientset.AppsV1().Deployments(p.namespace)
	patch := func(ctx context.Context, finalizers string) error {
		_, err := api.Patch(ctx, "web-0", types.MergePatchType, []byte(`{"metadata":{"finalizers":`+finalizers+`}}`), metav1.PatchOptions{})
		return err
	}
	if err := patch(t.Context(), `["example.com/keep"]`); err != nil {
		t.Fatal(err)
	}
	const keep = 3 * time.Second
	released := make(chan error, 1)
	begin := time.Now()
	time.AfterFunc(keep, func() { released <- patch(context.Background(), "null") })
	if err := p.uninstall(); err != nil && waits {
		t.Fatalf("uninstall: %v", err)
	}
	if took := time.Since(begin); waits && took < keep {
		t.Errorf("the uninstall ended after %s, while a finalizer kept an object", took)
	}
	if err := <-released; err != nil {
		t.Error(err)
	}
	if _, err := api.Get(t.Context(), "web-0", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the uninstall has ended, and the Deployment still exists: %v", err)
	}
}

// The error of a failed wait names the object and the cause.
func TestFailure(t *testing.T) {
	for adapter := range adapters {
		t.Run(adapter, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, adapter)
			p.failCrashed(t)
			err := p.install(newChart("1.0.0", crashing(), manifest.Deployment("fine", manifest.Runs, "kstatus.dev/pod: ready")))
			if err == nil {
				t.Fatal("the install of a Deployment that crashes has no error")
			}
			t.Log(err)
			for _, want := range []string{"Deployment/" + p.namespace + "/crash", "Failed", "CrashLoop"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not contain %q: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), "/fine") {
				t.Errorf("the error names a Deployment that is ready: %v", err)
			}
		})
	}
}

// A failure ends a wait at once only with FailFast. Otherwise the wait goes on while another object
// is in progress.
func TestFailFast(t *testing.T) {
	for _, failFast := range []bool{true, false} {
		t.Run(fmt.Sprint(failFast), func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "wrap")
			p.configuration.KubeClient.(*dropinhelm.Client).FailFast = failFast
			timeout := map[bool]time.Duration{true: 10 * time.Minute, false: 40 * time.Second}[failFast]
			p.timeout = timeout
			begin := time.Now()
			p.failCrashed(t)
			err := p.install(newChart("1.0.0", crashing(), manifest.Deployment("never", manifest.Runs, "kstatus.dev/pod: never-ready")))
			end, ok := errors.AsType[*dropinhelm.Unfinished](err)
			if !ok || end.Outcome != observe.OutcomeFailure || len(end.Unmet) != 2 {
				t.Errorf("the error is %v, want a failure that names both Deployments", err)
			}
			if early := time.Since(begin) < timeout; early != failFast {
				t.Errorf("the wait took %s, with the timeout %s", time.Since(begin), timeout)
			}
		})
	}
}

// A running Job is ready, unless the program waits for Jobs.
func TestJobs(t *testing.T) {
	for _, waitForJobs := range []bool{false, true} {
		t.Run(fmt.Sprint(waitForJobs), func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "wrap")
			i := p.newInstall()
			i.WaitForJobs = waitForJobs
			seconds := map[bool]int{false: 600, true: 3}[waitForJobs]
			if _, err := i.Run(newChart("1.0.0", manifest.Job("migrate", seconds, 600)), nil); err != nil {
				t.Fatal(err)
			}
			job, err := p.clientset.BatchV1().Jobs(p.namespace).Get(t.Context(), "migrate", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if completed := job.Status.Succeeded == 1; completed != waitForJobs {
				t.Errorf("the wait has ended, and the Job has the status %+v", job.Status)
			}
		})
	}
}

// A failed hook ends the install, and its error names the Job.
func TestFailedHook(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "wrap")
	err := p.install(newChart("1.0.0", strings.Replace(hook("migrate", "pre-install", 0), `[sleep, "0"]`, `[sh, -c, "exit 3"]`, 1)))
	if err == nil || !strings.Contains(err.Error(), "Job/"+p.namespace+"/migrate is Failed") {
		t.Errorf("the error is %v, want one that names the Job", err)
	}
}

// The timeout and the context of the client end a wait, and the error matches theirs.
func TestEnd(t *testing.T) {
	never := newChart("1.0.0", manifest.Deployment("never", manifest.Runs, "kstatus.dev/pod: never-ready"))
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		p := newProgram(t, "wrap")
		p.timeout = 15 * time.Second
		err := p.install(never)
		end, ok := errors.AsType[*dropinhelm.Unfinished](err)
		if !ok || end.Outcome != observe.OutcomeTimeout || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "/never is InProgress") {
			t.Errorf("the error is %v, want a timeout that names the Deployment", err)
		}
	})
	t.Run("context", func(t *testing.T) {
		t.Parallel()
		p := newProgram(t, "wrap")
		stopped := errors.New("the program stops")
		ctx, cancel := context.WithCancelCause(t.Context())
		p.configuration.KubeClient.(*dropinhelm.Client).Context = ctx
		time.AfterFunc(3*time.Second, func() { cancel(stopped) })
		begin := time.Now()
		if err := p.install(never); !errors.Is(err, context.Canceled) || !errors.Is(err, stopped) {
			t.Errorf("the error is %v, want the end of the context and its cause", err)
		}
		if took := time.Since(begin); took >= p.timeout {
			t.Errorf("the install ended after %s, want soon after the end of its context", took)
		}
	})
}

// With FailFast, a failure that kstatus sees also ends the wait for the objects of a reader.
func TestFailFastWithReaders(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "wrap")
	client := p.configuration.KubeClient.(*dropinhelm.Client)
	client.Readers, client.FailFast = append(client.Readers, notReady{}), true
	p.timeout = 3 * time.Minute
	begin := time.Now()
	p.failCrashed(t)
	err := p.install(newChart("1.0.0", crashing(), manifest.ConfigMap("conf")))
	if end, ok := errors.AsType[*dropinhelm.Unfinished](err); !ok || end.Outcome != observe.OutcomeFailure {
		t.Errorf("the error is %v, want a failure", err)
	}
	if took := time.Since(begin); took >= p.timeout {
		t.Errorf("the wait took %s, with the timeout %s", took, p.timeout)
	}
}

// Readers of the program judge their kinds, and kstatus the others.
func TestReadersOfTheProgram(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "wrap")
	client := p.configuration.KubeClient.(*dropinhelm.Client)
	client.Readers = append(client.Readers, notReady{})
	p.timeout = 30 * time.Second
	err := p.install(newChart("1.0.0", manifest.ConfigMap("conf"), manifest.Deployment("fine", manifest.Runs, "kstatus.dev/pod: ready")))
	if err == nil || !strings.Contains(err.Error(), "/conf") || strings.Contains(err.Error(), "/fine") {
		t.Errorf("the error is %v, want one about the ConfigMap only", err)
	}
}
