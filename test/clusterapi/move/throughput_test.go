package move

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/kube/move"
	"kstatus.dev/kube/move/plan"
)

// The objects of BenchmarkMove: 50 Clusters with 33 Machines, each with its infrastructure and a
// Secret, are 5,050 objects.
const (
	manyClusters = 50
	manyMachines = 33
)

// BenchmarkMove moves 5,050 objects of Clusters that are paused. It reports the time, the requests
// and the highest heap of this process, in MiB.
func BenchmarkMove(b *testing.B) {
	from, to := sites(b)
	ns := createMany(b, from)
	b.Cleanup(func() {
		for _, s := range []*site{from, to} {
			_ = s.dynamic.Resource(namespaces).Delete(b.Context(), ns, metav1.DeleteOptions{}) // the cluster ends soon
		}
	})
	for b.Loop() {
		peak := watchHeap()
		start := time.Now()
		m, err := move.New(b.Context(), move.Options{
			Scope: plan.Scope{Namespaces: []string{ns}}, Source: from.Config(), Target: to.Config(),
			Journal: filepath.Join(b.TempDir(), "journal.json"), Window: 5 * time.Second, Accept: []string{"not-ready"},
			OnEvent: func(e move.Event) {
				if e.Object == "" && e.Total == 0 {
					b.Logf("%5.1f s: %s %d", time.Since(start).Seconds(), e.Phase, e.Step)
				}
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		p, err := m.Plan(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		r, err := m.Run(b.Context(), p)
		m.Close()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Moved), "objects/op")
		b.ReportMetric(float64(r.Requests), "requests/op")
		b.ReportMetric(float64(peak()), "MiB-heap")
		from, to = to, from // move them back the next time
	}
}

// watchHeap returns a function that returns the highest heap since, in MiB.
func watchHeap() func() uint64 {
	done := make(chan struct{})
	var highest atomic.Uint64
	go func() {
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			highest.Store(max(highest.Load(), m.HeapAlloc>>20))
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(done)
		return highest.Load()
	}
}

// createMany creates a namespace with paused Clusters and their objects.
func createMany(b *testing.B, s *site) (ns string) {
	b.Helper()
	ns = "many-" + strings.ToLower(fmt.Sprintf("%x", time.Now().UnixMilli()))
	create := func(r schema.GroupVersionResource, o map[string]any) *unstructured.Unstructured {
		var client dynamic.ResourceInterface = s.dynamic.Resource(r)
		if r != namespaces {
			client = s.dynamic.Resource(r).Namespace(ns)
		}
		created, err := client.Create(b.Context(), &unstructured.Unstructured{Object: o}, metav1.CreateOptions{})
		if err != nil {
			b.Error(err)
			return &unstructured.Unstructured{}
		}
		return created
	}
	create(namespaces, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": ns}})
	owner := func(o *unstructured.Unstructured) []any {
		return []any{map[string]any{"apiVersion": o.GetAPIVersion(), "kind": o.GetKind(), "name": o.GetName(), "uid": string(o.GetUID())}}
	}
	var group sync.WaitGroup
	for n := range manyClusters {
		group.Go(func() {
			name := fmt.Sprintf("c%d", n)
			cluster := create(clusters, map[string]any{
				"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": map[string]any{"name": name},
				"spec": map[string]any{
					"paused": true, "controlPlaneEndpoint": map[string]any{"host": "192.0.2.1", "port": int64(6443)},
					"infrastructureRef": map[string]any{"apiGroup": shelfClusters.Group, "kind": "ShelfCluster", "name": name},
				},
			})
			create(shelfClusters, map[string]any{
				"apiVersion": shelfClusters.GroupVersion().String(), "kind": "ShelfCluster",
				"metadata": map[string]any{"name": name, "ownerReferences": owner(cluster)}, "spec": map[string]any{},
			})
			for i := range manyMachines {
				id := fmt.Sprintf("%s-%d", name, i)
				labels := map[string]any{"cluster.x-k8s.io/cluster-name": name}
				machine := create(machines, map[string]any{
					"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
					"metadata": map[string]any{"name": id, "labels": labels, "ownerReferences": owner(cluster)},
					"spec": map[string]any{
						"clusterName": name, "version": "v1.36.3", "bootstrap": map[string]any{"dataSecretName": id},
						"infrastructureRef": map[string]any{"apiGroup": shelfMachines.Group, "kind": "ShelfMachine", "name": id},
					},
				})
				create(shelfMachines, map[string]any{
					"apiVersion": shelfMachines.GroupVersion().String(), "kind": "ShelfMachine",
					"metadata": map[string]any{"name": id, "labels": labels, "ownerReferences": owner(machine)},
					"spec":     map[string]any{"size": "small"},
				})
				create(resource("", "v1", "secrets"), map[string]any{
					"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
					"metadata": map[string]any{"name": id, "labels": labels, "ownerReferences": owner(machine)},
					"data":     map[string]any{"value": "I2Nsb3VkLWNvbmZpZwo="},
				})
			}
		})
	}
	group.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return ns
}
