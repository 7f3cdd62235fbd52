// Package move tests pauses and moves on two real clusters with the core manager of Cluster API.
//
// The example provider runs on both clusters, with one cloud. The source is also the workload
// cluster of every Cluster: its Nodes are those of the Machines, before and after a move.
package move

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/examples/provider/config"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/clusterapi/rack"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
)

// The two clusters of this test binary.
var (
	source = cluster.Shared{Options: cluster.Options{ClusterAPI: true}, Together: 2}
	target = cluster.Shared{Options: cluster.Options{ClusterAPI: true}}
)

func TestMain(m *testing.M) {
	if encoded := os.Getenv(childVariable); encoded != "" {
		os.Exit(runChild(encoded))
	}
	log.SetLogger(logr.Discard()) // errors caused on purpose are not worth reading
	code := source.Main(m)
	if err := target.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// A site is one of the clusters.
type site struct {
	*cluster.Cluster
	name    string
	dynamic dynamic.Interface
}

// sites returns both clusters, with the definitions of the providers. It starts them together.
func sites(t testing.TB) (from, to *site) {
	t.Helper()
	var group sync.WaitGroup
	found, errs := make([]*site, 2), make([]error, 2)
	for i, shared := range []*cluster.Shared{&source, &target} {
		group.Go(func() { found[i], errs[i] = newSite(t, []string{"source", "target"}[i], shared) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return found[0], found[1]
}

// installed has the names of the clusters that have the definitions of the providers.
var installed sync.Map

func newSite(t testing.TB, name string, shared *cluster.Shared) (*site, error) {
	c, err := shared.Started()
	if err != nil {
		return nil, err
	}
	s := &site{Cluster: c, name: name}
	if s.dynamic, err = dynamic.NewForConfig(c.Config()); err != nil {
		return nil, err
	}
	once, _ := installed.LoadOrStore(name, sync.OnceValue(func() error { return install(t.Context(), c) }))
	return s, once.(func() error)()
}

// install applies the components of the providers, with the label that clusterctl adds to
// definitions.
func install(ctx context.Context, c *cluster.Cluster) error {
	components, err := config.Components()
	if err != nil {
		return err
	}
	objects, err := apply.Parse([]byte(components + "\n---\n" + rack.Definitions))
	if err != nil {
		return err
	}
	for _, o := range objects {
		if o.GetKind() == "CustomResourceDefinition" {
			labels := o.GetLabels()
			labels["clusterctl.cluster.x-k8s.io"] = ""
			o.SetLabels(labels)
		}
	}
	return apply.To(ctx, c.Config(), "default", objects, nil)
}

// coreLog returns the last lines of the log of core that contain a text.
func (s *site) coreLog(about string, most int) string {
	text, err := os.ReadFile(filepath.Join(s.Dir(), string(cluster.ClusterAPI)+".log"))
	if err != nil {
		return err.Error()
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, about) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// memory returns the resident memory of all programs of a cluster, in MiB.
func (s *site) memory() (mib int) {
	for _, p := range []cluster.Program{cluster.Etcd, cluster.APIServer, cluster.ControllerManager, cluster.Scheduler, cluster.Kwok, cluster.ClusterAPI} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Pid(p)))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
				kib := 0
				if _, err := fmt.Sscan(rest, &kib); err == nil {
					mib += kib / 1024
				}
			}
		}
	}
	return mib
}

// field returns a value of an object, and nil if it is missing.
func field(o *unstructured.Unstructured, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(o.Object, path...)
	return v
}

// condition returns the status of a condition with its reason, such as "True/Available". It is
// empty without the condition.
func condition(o *unstructured.Unstructured, typ string) string {
	list, _ := field(o, "status", "conditions").([]any)
	for _, item := range list {
		if c, _ := item.(map[string]any); c["type"] == typ {
			return fmt.Sprint(c["status"], "/", c["reason"])
		}
	}
	return ""
}

// until repeats try until it succeeds or the patience ends.
func until(t *testing.T, what string, try func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var err error
	ended := managers.Until(ctx, func() bool {
		err = try()
		return err == nil
	})
	if ended != nil {
		t.Fatalf("%s: not within %s: %v", what, patience, err)
	}
}

// patience is the timeout of any step on a busy machine.
const patience = 4 * time.Minute
