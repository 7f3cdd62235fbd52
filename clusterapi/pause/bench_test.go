package pause

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/wiretest"
	"kstatus.dev/status"
)

// fleet is a server with 100 Clusters and 1,000 Machines. All its objects acknowledge at once.
type fleet struct {
	*wiretest.Server
	mu       sync.Mutex // guards machines
	machines []*unstructured.Unstructured
	targets  []status.ID
}

func newFleet(b *testing.B) *fleet {
	boxes := wiretest.Resource{Group: boxKind.Group, Version: "v1", Kind: "Box", Name: "boxes"}
	f := &fleet{Server: wiretest.New(b,
		wiretest.Resource{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true},
		wiretest.Resource{Group: "cluster.x-k8s.io", Version: "v1", Kind: "Cluster", Name: "clusters"}, boxes)}
	for _, text := range []string{
		fmt.Sprintf(definition, "Cluster", "clusters", "cluster.x-k8s.io", ""), fmt.Sprintf(definition, "Box", "boxes", boxKind.Group, "status: {}"),
	} {
		f.Put(decode(b, text))
	}
	for i := range 100 {
		name := fmt.Sprintf("c%03d", i)
		f.targets = append(f.targets, ClusterID("ns", name))
		f.Put(decode(b, fmt.Sprintf("{apiVersion: cluster.x-k8s.io/v1, kind: Cluster, metadata: {namespace: ns, name: %s, uid: %[1]s}}", name)))
		for j := range 10 {
			u := decode(b, fmt.Sprintf("{apiVersion: %s/v1, kind: Box, metadata: {namespace: ns, name: %s-%d, uid: %[2]s-%[3]d, labels: {cluster.x-k8s.io/cluster-name: %[2]s}}}", boxKind.Group, name, j))
			f.machines = append(f.machines, u)
		}
	}
	f.report("False")
	return f
}

// report sets Paused of all Machines.
func (f *fleet) report(status string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, u := range f.machines {
		u.Object["status"] = map[string]any{"conditions": []any{map[string]any{"type": "Paused", "status": status, "lastTransitionTime": time.Now().UTC().Format(time.RFC3339)}}}
		f.Put(u)
	}
}

// BenchmarkPause measures the work of a pause of 100 Clusters with 1,000 Machines, and of its end.
// The server is in memory.
func BenchmarkPause(b *testing.B) {
	for name, row := range map[string]struct {
		call          func(context.Context, *rest.Config, []status.ID, Options) (*Result, error)
		before, after string
	}{"pause": {Pause, "False", "True"}, "unpause": {Unpause, "True", "False"}} {
		b.Run(name, func(b *testing.B) {
			f := newFleet(b)
			for b.Loop() {
				b.StopTimer()
				f.report(row.before)
				runtime.GC()
				var start, now runtime.MemStats
				runtime.ReadMemStats(&start)
				peak, changes := uint64(0), 0
				react := sync.OnceFunc(func() { go f.report(row.after) })
				b.StartTimer()
				r, err := row.call(b.Context(), f.Config(), f.targets, Options{Window: time.Second, OnChange: func(o Object) {
					if o.Reason == ReasonNotReported {
						react()
					}
					if changes++; changes%500 == 0 {
						runtime.ReadMemStats(&now)
						peak = max(peak, now.HeapAlloc)
					}
				}})
				if err != nil || !r.Done() {
					b.Fatalf("%v: %d objects", err, len(r.Objects))
				}
				b.ReportMetric(float64(r.Requests), "requests")
				b.ReportMetric(float64(len(r.Objects)), "objects")
				b.ReportMetric(float64(max(peak, start.HeapAlloc)-start.HeapAlloc)/(1<<20), "MiB")
			}
		})
	}
}
