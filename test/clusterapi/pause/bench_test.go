package pause

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/status"
	"kstatus.dev/test/clusterapi/managers"
)

// The numbers of objects of the benchmark.
const (
	benchClusters = 100
	benchMachines = 10 // of each Cluster
)

// eachOf calls do with the numbers below n, 20 at the same time.
func eachOf(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// BenchmarkPause pauses and resumes 100 Clusters with 1,000 Machines. The core manager works on
// Clusters and Machines. Writers take the place of the provider, and acknowledge at once.
func BenchmarkPause(b *testing.B) {
	c := live.Cluster(b)
	components.Do(func() { install(b, c) })
	ns := c.Namespace(b)
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		b.Fatal(err)
	}
	create := func(r schema.GroupVersionResource, kind, name, cluster string, spec map[string]any) {
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": r.GroupVersion().String(), "kind": kind, "spec": spec}}
		u.SetName(name)
		u.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": cluster})
		if _, err := client.Resource(r).Namespace(ns).Create(b.Context(), u, metav1.CreateOptions{}); err != nil {
			b.Error(err)
		}
	}
	reference := func(kind, name string) map[string]any {
		return map[string]any{"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": kind, "name": name}
	}
	eachOf(benchClusters, func(i int) {
		name := fmt.Sprintf("c%03d", i)
		create(shelfClusters, "ShelfCluster", name, name, map[string]any{})
		create(clusters, "Cluster", name, name, map[string]any{"infrastructureRef": reference("ShelfCluster", name)})
	})
	eachOf(benchClusters*benchMachines, func(i int) {
		cluster, name := fmt.Sprintf("c%03d", i%benchClusters), fmt.Sprintf("m%04d", i)
		create(shelfMachines, "ShelfMachine", name, cluster, map[string]any{"size": "small"})
		create(machines, "Machine", name, cluster, map[string]any{"clusterName": cluster, "version": "v1.36.3",
			"bootstrap": map[string]any{"dataSecretName": "none"}, "infrastructureRef": reference("ShelfMachine", name)})
	})
	acknowledge := func(status string) {
		for r, n := range map[schema.GroupVersionResource]int{shelfClusters: benchClusters, shelfMachines: benchClusters * benchMachines} {
			format := map[bool]string{true: "c%03d", false: "m%04d"}[r == shelfClusters]
			eachOf(n, func(i int) {
				_, err := client.Resource(r).Namespace(ns).Patch(b.Context(), fmt.Sprintf(format, i), types.MergePatchType, []byte(pausedIs(status, time.Now())), metav1.PatchOptions{FieldManager: "provider"}, "status")
				if err != nil {
					b.Error(err)
				}
			})
		}
	}
	acknowledge("False")
	for _, r := range []schema.GroupVersionResource{clusters, machines} {
		err := managers.Until(b.Context(), func() bool {
			list, err := client.Resource(r).Namespace(ns).List(b.Context(), metav1.ListOptions{})
			return err == nil && !slices.ContainsFunc(list.Items, func(u unstructured.Unstructured) bool { return condition(&u, "Paused") != "False" })
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	var targets []status.ID
	for i := range benchClusters {
		targets = append(targets, pause.ClusterID(ns, fmt.Sprintf("c%03d", i)))
	}
	for b.Loop() {
		measure(b, "pause", func(ctx context.Context) (*pause.Result, error) {
			return pause.Pause(ctx, c.Config(), targets, pause.Options{OnChange: once(func() { acknowledge("True") })})
		})
		measure(b, "unpause", func(ctx context.Context) (*pause.Result, error) {
			return pause.Unpause(ctx, c.Config(), targets, pause.Options{OnChange: once(func() { acknowledge("False") })})
		})
	}
}

// once returns an OnChange that starts a function when the first target has been written.
func once(do func()) func(pause.Object) {
	start := sync.OnceFunc(func() { go do() })
	return func(o pause.Object) {
		if !strings.HasSuffix(string(o.Reason), "Yet") {
			start()
		}
	}
}

// measure reports what a call takes.
func measure(b *testing.B, name string, call func(context.Context) (*pause.Result, error)) {
	b.Helper()
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	stop, peak := make(chan struct{}), uint64(0)
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}
		}
	})
	r, err := call(b.Context())
	close(stop)
	group.Wait()
	if err != nil || !r.Done() {
		b.Fatalf("%s: %v, %d objects", name, err, len(r.Objects))
	}
	b.ReportMetric(r.Duration.Seconds(), name+"-s")
	b.ReportMetric(float64(r.Requests), name+"-requests")
	b.ReportMetric(float64(max(peak, before.HeapAlloc)-before.HeapAlloc)/(1<<20), name+"-MiB")
	b.ReportMetric(float64(len(r.Objects)), name+"-objects")
}
