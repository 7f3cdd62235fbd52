package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/test/lib/cluster"
)

// childVariable has the orders for a process of this test binary that only moves Clusters.
const childVariable = "KSTATUS_TEST_MOVER"

// crashesVariable is the number of moves of TestCrashes.
const crashesVariable = "KSTATUS_TEST_CRASHES"

// orders are what a moving process does, and when it kills itself.
type orders struct {
	Source, Target string // kubeconfigs
	Namespace      string
	Journal        string
	// Request is the number of the request at which the process kills itself, before it is sent,
	// or after the answer if Answered. Zero means never.
	Request  int64
	Answered bool
	// Transition is the number of the entry in the journal after which the process kills itself.
	Transition int64
}

// String names the point at which the process kills itself.
func (o orders) String() string {
	switch {
	case o.Transition > 0:
		return fmt.Sprintf("after transition %d", o.Transition)
	case o.Answered:
		return fmt.Sprintf("after the answer to request %d", o.Request)
	case o.Request > 0:
		return fmt.Sprintf("before request %d", o.Request)
	}
	return "never"
}

// kill ends this process as a crash does.
func kill() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it cannot fail for the own process
	select {}
}

// A fuse is a transport that kills the process at a request.
type fuse struct {
	next     http.RoundTripper
	sent     *atomic.Int64
	at       int64
	answered bool
}

// RoundTrip sends a request.
func (f *fuse) RoundTrip(r *http.Request) (*http.Response, error) {
	now := f.sent.Add(1) == f.at
	if now && !f.answered {
		kill()
	}
	response, err := f.next.RoundTrip(r)
	if now {
		kill()
	}
	return response, err
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (f *fuse) WrappedRoundTripper() http.RoundTripper { return f.next }

// runChild carries out orders, and returns the exit code of the process.
func runChild(encoded string) int {
	var o orders
	err := json.Unmarshal([]byte(encoded), &o)
	if err == nil {
		err = o.run(context.Background())
	}
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

func (o orders) run(ctx context.Context) error {
	var sent, transitions atomic.Int64
	options := move.Options{
		Scope: plan.Scope{Namespaces: []string{o.Namespace}}, Journal: o.Journal, Window: time.Second, Timeout: patience,
	}
	last := ""
	options.OnEvent = func(e move.Event) {
		if entry := fmt.Sprint(e.Phase, e.Step); e.Object == "" && e.Message == "" && entry != last {
			last = entry
			if transitions.Add(1) == o.Transition {
				kill()
			}
		}
	}
	var err error
	if options.Source, err = clientcmd.BuildConfigFromFlags("", o.Source); err != nil {
		return err
	}
	if options.Target, err = clientcmd.BuildConfigFromFlags("", o.Target); err != nil {
		return err
	}
	wrap := func(next http.RoundTripper) http.RoundTripper { return &fuse{next, &sent, o.Request, o.Answered} }
	options.Source.Wrap(wrap)
	options.Target.Wrap(wrap)
	m, err := move.New(ctx, options)
	if err != nil {
		return err
	}
	defer m.Close()
	if _, err := os.Stat(o.Journal); err == nil {
		_, err = m.Resume(ctx)
		return err
	}
	p, err := m.Plan(ctx)
	if err == nil {
		_, err = m.Run(ctx, p)
	}
	fmt.Println("requests", sent.Load(), "transitions", transitions.Load())
	return err
}

// start runs a moving process, and reports whether it was killed.
func (f *fixture) start(o orders) (killed bool, output string, err error) {
	encoded, err := json.Marshal(o)
	if err != nil {
		return false, "", err
	}
	cmd := exec.CommandContext(f.t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(encoded))
	text, err := cmd.CombinedOutput()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if failed && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true, "", nil
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return false, string(text), err
}

// crashes is how many moves TestCrashes makes: a few, unless the variable says more.
func crashes(t *testing.T) int {
	text := os.Getenv(crashesVariable)
	if text == "" {
		return 8
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", crashesVariable, err)
	}
	return n
}

// A process that moves Clusters is killed at any point: after each entry in its journal, before and
// after random requests. Another process resumes the move, and is killed too. In the end no object
// is lost and the cloud is unchanged. The Clusters never were active on both sides.
func TestCrashes(t *testing.T) {
	cluster.Long(t)
	total := crashes(t)
	lanes := min(6, total)
	points := make(chan orders)
	go func() {
		defer close(points)
		for n := range total {
			o := orders{Transition: int64(n + 1)}
			if n >= 24 || total < 24 && n%2 == 1 {
				o = orders{Request: 1 + rand.Int64N(1100), Answered: rand.N(2) == 0}
			} else if total < 24 {
				o.Transition = 1 + rand.Int64N(24)
			}
			points <- o
		}
	}()
	var killed, resumed atomic.Int64
	var group sync.WaitGroup
	fixtures := make([]*fixture, lanes)
	for lane := range fixtures {
		fixtures[lane] = newFixture(t)
	}
	for _, f := range fixtures {
		group.Go(func() {
			defer func() {
				for range points { // the other lanes need not go on after a failure
				}
			}()
			f.createClass()
			names := f.createClusters(1, 1)
			f.waitOwned(f.from, names...)
			before, things := len(f.cloud.Changes()), f.contents(f.from)
			for n := 0; ; n++ {
				o, more := <-points
				if !more {
					return
				}
				from, to := f.from, f.to
				if n%2 == 1 {
					from, to = f.to, f.from
				}
				o.Source, o.Target, o.Namespace = from.Kubeconfig(), to.Kubeconfig(), f.ns
				o.Journal = filepath.Join(t.TempDir(), "journal.json")
				k, r := f.crash(o, from, to, names)
				killed.Add(k)
				resumed.Add(r)
				f.checkContents(o, to, things)
				f.waitAvailable(to, names...)
				if changes := f.changes(before); len(changes) > 0 {
					t.Errorf("killed %s: the cloud was changed: %v", o, changes)
				}
				if t.Failed() {
					return
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d moves, %d processes were killed, %d times the move was resumed", total, killed.Load(), resumed.Load())
	if killed.Load() == 0 {
		t.Error("no process was killed")
	}
}

// crash moves Clusters with processes that are killed, and with one that is not.
func (f *fixture) crash(o orders, from, to *site, names []string) (killed, resumed int64) {
	for attempt := 0; ; attempt++ {
		wasKilled, _, err := f.start(o)
		if err != nil {
			f.t.Errorf("killed %s, attempt %d: %v", o, attempt, err)
			return killed, resumed
		}
		f.checkOneSide(o, from, to, names)
		if !wasKilled {
			return killed, resumed
		}
		killed++
		if _, err := os.Stat(o.Journal); err == nil {
			resumed++
		}
		// Kill the next process too, sometimes.
		o.Transition, o.Request, o.Answered = 0, 0, false
		if attempt == 0 && rand.N(2) == 0 {
			o.Request, o.Answered = 1+rand.Int64N(800), rand.N(2) == 0
		}
	}
}

// checkOneSide checks that no Cluster is active on both sides.
func (f *fixture) checkOneSide(o orders, from, to *site, names []string) {
	for _, name := range names {
		active := 0
		for _, s := range []*site{from, to} {
			c, err := f.in(s, clusters).Get(f.t.Context(), name, metav1.GetOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				f.t.Error(err)
			}
			if err == nil && field(c, "spec", "paused") != true {
				active++
			}
		}
		if active > 1 {
			f.t.Errorf("killed %s: Cluster %s is active on both sides", o, name)
		}
	}
}

// contents returns the specs and the data of all objects of Cluster API in the namespace of the
// Clusters, and of their Secrets and ConfigMaps.
func (f *fixture) contents(s *site) map[string]string {
	all := map[string]string{}
	kinds := f.kinds(s)
	for _, r := range append(kinds, resource("", "v1", "secrets"), resource("", "v1", "configmaps")) {
		list, err := f.in(s, r).List(f.t.Context(), metav1.ListOptions{})
		if apierrors.IsNotFound(err) {
			continue // a kind of the cluster has no namespace
		}
		if err != nil {
			f.t.Error(err)
			continue
		}
		for i := range list.Items {
			o := &list.Items[i]
			if o.GetName() != "kube-root-ca.crt" {
				all[o.GetKind()+" "+o.GetName()] = essence(o)
			}
		}
	}
	return all
}

// essence returns what must stay of an object: everything but its status and most of its metadata.
func essence(o *unstructured.Unstructured) string {
	content := map[string]any{"labels": o.GetLabels(), "finalizers": o.GetFinalizers()}
	var owners []string
	for _, r := range o.GetOwnerReferences() {
		if r.Kind == "Secret" {
			continue // core makes one for the time in which it creates a Cluster of a class
		}
		owners = append(owners, fmt.Sprint(r.Kind, r.Name, r.Controller != nil && *r.Controller))
	}
	slices.Sort(owners)
	content["owners"] = owners
	for name, value := range o.Object {
		if name != "metadata" && name != "status" {
			content[name] = value
		}
	}
	if o.GetKind() == "Cluster" {
		unstructured.RemoveNestedField(o.Object, "spec", "paused")
	}
	data, err := json.Marshal(content)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// checkContents checks that a cluster has the objects that another one had.
func (f *fixture) checkContents(o orders, s *site, want map[string]string) {
	have := f.contents(s)
	for name, content := range want {
		if have[name] != content {
			f.t.Errorf("killed %s: %s on the %s is\n%s\nwant\n%s", o, name, s.name, have[name], content)
		}
	}
	for name := range have {
		if want[name] == "" {
			f.t.Errorf("killed %s: the %s has %s, which did not exist before", o, s.name, name)
		}
	}
}

// waitOwned waits until core has set the owners of the MachineHealthChecks of Clusters, which is
// its last change to the metadata of an object.
func (f *fixture) waitOwned(s *site, names ...string) {
	for _, name := range names {
		until(f.t, "MachineHealthCheck "+name+" has an owner", func() error {
			o, err := f.in(s, resource("cluster.x-k8s.io", "v1beta2", "machinehealthchecks")).Get(f.t.Context(), name, metav1.GetOptions{})
			if err == nil && len(o.GetOwnerReferences()) == 0 {
				err = errors.New("it has none")
			}
			return err
		})
	}
}

// kinds returns the namespaced kinds of Cluster API.
func (f *fixture) kinds(s *site) (all []schema.GroupVersionResource) {
	list, err := s.dynamic.Resource(resource("apiextensions.k8s.io", "v1", "customresourcedefinitions")).List(f.t.Context(), metav1.ListOptions{LabelSelector: "clusterctl.cluster.x-k8s.io"})
	if err != nil {
		f.t.Error(err)
		return nil
	}
	for i := range list.Items {
		d := &list.Items[i]
		if field(d, "spec", "scope") != "Namespaced" || strings.HasPrefix(d.GetName(), "providers.") {
			continue
		}
		versions, _ := field(d, "spec", "versions").([]any)
		for _, v := range versions {
			if v, _ := v.(map[string]any); v["storage"] == true {
				all = append(all, resource(fmt.Sprint(field(d, "spec", "group")), fmt.Sprint(v["name"]), fmt.Sprint(field(d, "spec", "names", "plural"))))
			}
		}
	}
	return all
}
