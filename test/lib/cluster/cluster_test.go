package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/test/lib/poll"
)

var live Shared

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

func TestProgramsAreReleased(t *testing.T) {
	c := live.Cluster(t)
	for name, want := range map[Program]string{
		Etcd:              "etcd Version: 3.",
		APIServer:         "Kubernetes v1.36.3",
		ControllerManager: "Kubernetes v1.36.3",
		Scheduler:         "Kubernetes v1.36.3",
		Kwok:              "0.8.0",
	} {
		out, err := exec.Command(c.processes[name].Path, "--version").CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s --version = %q, %v, want %s", name, out, err, want)
		}
		if err := c.healthy(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.Pid(name) == 0 {
			t.Errorf("%s has no process", name)
		}
	}
	version, err := client(t, c.Config()).Discovery().ServerVersion()
	if err != nil || version.GitVersion != "v1.36.3" {
		t.Errorf("the server's version = %v, %v, want v1.36.3", version, err)
	}
}

func TestUserMayDoWhatIsGranted(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	pods := []string{"pods"}
	for name, test := range map[string]struct {
		grants []Grant
		want   map[string]bool // get and list in the namespace, list in the others
	}{
		"nobody": {nil, map[string]bool{"get": false, "list": false, "all": false}},
		"getter": {[]Grant{{ns, []string{"get"}, pods}}, map[string]bool{"get": true, "list": false, "all": false}},
		"lister": {[]Grant{{ns, []string{"get", "list"}, pods}}, map[string]bool{"get": true, "list": true, "all": false}},
		"viewer": {[]Grant{{"", []string{"get", "list"}, pods}}, map[string]bool{"get": true, "list": true, "all": true}},
	} {
		t.Run(name, func(t *testing.T) {
			config, err := clientcmd.BuildConfigFromFlags("", c.User(t, ns, name, test.grants...))
			if err != nil {
				t.Fatal(err)
			}
			core := client(t, config).CoreV1()
			_, get := core.Pods(ns).Get(t.Context(), "none", metav1.GetOptions{})
			_, list := core.Pods(ns).List(t.Context(), metav1.ListOptions{})
			_, all := core.Pods("").List(t.Context(), metav1.ListOptions{})
			for verb, err := range map[string]error{"get": get, "list": list, "all": all} {
				may := !apierrors.IsForbidden(err)
				if may != test.want[verb] {
					t.Errorf("%s may %s: %t (%v), want %t", name, verb, may, err, test.want[verb])
				}
			}
		})
	}
}

func TestImpersonation(t *testing.T) {
	c := live.Cluster(t)
	_, err := client(t, c.As("jane")).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("jane lists Nodes: %v, want forbidden", err)
	}
	nodes, err := client(t, c.As("root", "system:masters")).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(nodes.Items) != 3 {
		t.Errorf("a master sees %d Nodes, %v, want 3", len(nodes.Items), err)
	}
}

func TestNamespaceGoesAway(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	var ns string
	t.Run("inner", func(t *testing.T) {
		ns = c.Namespace(t)
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "p"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
		}
		if _, err := client(t, c.Config()).CoreV1().Pods(ns).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	poll.Check(t, func() error {
		_, err := client(t, c.Config()).CoreV1().Namespaces().Get(t.Context(), ns, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return errors.New("the namespace is still there")
	})
}

// A cluster survives the loss of each of its programs. It keeps its data when etcd or the API
// server crashes. Pods become ready after the loss of one of the others.
func TestRestart(t *testing.T) {
	t.Parallel()
	c, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	}()
	core := client(t, c.Config()).CoreV1()
	ns := c.Namespace(t)
	for _, name := range startOrder {
		old := c.Pid(name)
		if err := c.Kill(name); err != nil {
			t.Fatal(err)
		}
		if pid := c.Pid(name); pid != 0 {
			t.Errorf("%s runs as %d after Kill", name, pid)
		}
		if err := c.Restart(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if pid := c.Pid(name); pid == 0 || pid == old {
			t.Errorf("%s runs as %d after Restart, as %d before", name, pid, old)
		}
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "after-" + string(name)},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
		}
		poll.Check(t, func() error {
			_, err := core.Pods(ns).Create(t.Context(), pod, metav1.CreateOptions{})
			if apierrors.IsAlreadyExists(err) {
				return nil
			}
			return err
		})
	}
	poll.Check(t, func() error {
		pods, err := core.Pods(ns).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		if have := ready(pods.Items); have != len(startOrder) {
			return errors.New("not all Pods are ready")
		}
		return nil
	})
}

// When a program does not start, the error names it and contains the end of its log, and
// nothing keeps running.
func TestStartErrors(t *testing.T) {
	dir, programs := t.TempDir(), map[Program]string{}
	for _, program := range kubernetesSuite.programs {
		file := program.file()
		script := "#!/bin/sh\necho " + file + ": the disk is on fire >&2\nexit 7\n"
		programs[program] = filepath.Join(dir, file)
		if err := os.WriteFile(programs[program], []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var log strings.Builder
	c, err := prepare(Options{Dir: t.TempDir(), Log: &log}, programs)
	if err != nil {
		t.Fatal(err)
	}
	err = c.start(t.Context(), t.Context(), 1)
	for _, want := range []string{"etcd does not start", "exit status 7", "server: the disk is on fire", "etcd.log"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Start = %v, want an error with %q", err, want)
		}
	}
	if err := c.discard(); err != nil {
		t.Error(err)
	}
	if want := "logs are in " + c.Dir(); !strings.Contains(log.String(), want) {
		t.Errorf("the log says %q, want %q", log.String(), want)
	}
	if _, err := prepare(Options{Dir: c.Dir(), Log: &log}, programs); err != nil {
		t.Errorf("the folder is locked after a failed start: %v", err)
	}
}

func TestOneClusterPerFolder(t *testing.T) {
	c := live.Cluster(t)
	if !Running(c.Dir()) {
		t.Errorf("Running(%s) = false for a cluster that runs", c.Dir())
	}
	if Running(t.TempDir()) {
		t.Error("Running says that a cluster runs in an empty folder")
	}
	if _, _, err := folder(c.Dir()); err == nil || !strings.Contains(err.Error(), "runs in "+c.Dir()) {
		t.Errorf("a second cluster in %s: %v, want an error", c.Dir(), err)
	}
}

// Clusters that start at the same time have different ports, and none that is in use.
func TestClaimPorts(t *testing.T) {
	const clusters = 40
	t.Setenv("TMPDIR", t.TempDir())
	var used net.Listener
	for err := errLocked; err != nil; {
		used, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", lowestPort+portsOfBlock*rand.IntN(blocks)))
	}
	defer used.Close()
	all, releases := make([]map[string]int, clusters), make([]func(), clusters)
	var group sync.WaitGroup
	for i := range clusters {
		group.Go(func() {
			var err error
			if all[i], releases[i], err = claimPorts("a", "b"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	owner := map[int]int{portOf(used): -1}
	for i, ports := range all {
		for name, port := range ports {
			if before, taken := owner[port]; taken {
				t.Errorf("port %d belongs to clusters %d and %d", port, before, i)
			}
			if owner[port] = i; !areFree(map[string]int{name: port}) {
				t.Errorf("port %d is in use", port)
			}
		}
		defer releases[i]()
	}
}

// A block of ports is free again when its cluster has ended.
func TestClaimPortsAgain(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var releases []func()
	claim := func() error {
		_, release, err := claimPorts("a")
		if err == nil {
			releases = append(releases, release)
		}
		return err
	}
	for claim() == nil {
	}
	if len(releases) < blocks/2 {
		t.Fatalf("have %d blocks, want about %d", len(releases), blocks)
	}
	releases[0]()
	if err := claim(); err != nil {
		t.Errorf("after the end of a cluster: %v", err)
	}
	for _, release := range releases[1:] {
		release()
	}
}

func TestSweepRemovesOldFoldersOnly(t *testing.T) {
	parent := t.TempDir()
	old := time.Now().Add(-2 * leftover)
	for name, at := range map[string]time.Time{"old": old, "new": time.Now(), "held": old} {
		file := filepath.Join(parent, folderPrefix+name, "lock")
		if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := tryLock(filepath.Join(parent, folderPrefix+"held", "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	sweep(parent)
	for name, want := range map[string]bool{"old": false, "new": true, "held": true} {
		_, err := os.Stat(filepath.Join(parent, folderPrefix+name))
		if have := err == nil; have != want {
			t.Errorf("after sweep, folder %s is there: %t, want %t", name, have, want)
		}
	}
}

func client(t testing.TB, config *rest.Config) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ready(pods []corev1.Pod) int {
	n := 0
	for _, pod := range pods {
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				n++
			}
		}
	}
	return n
}
