package audit

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

const benchObjects = 1000

// BenchmarkAudit runs all rules on 1,000 objects. They are written in turn,
// 1,000 times a second, as by a controller that waits.
func BenchmarkAudit(b *testing.B) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := New(Options{})
	b.ReportAllocs()
	for i := 0; i < b.N; {
		b.StopTimer()
		var stream []Write
		for ; i < b.N && len(stream) < benchObjects; i++ {
			at := start.Add(time.Duration(i) * time.Millisecond)
			stream = append(stream, Write{Type: WriteModified, Time: at, Object: benchObject(i%benchObjects, i/benchObjects, at)})
		}
		b.StartTimer()
		for _, w := range stream {
			a.Add(w)
		}
	}
}

// BenchmarkKept measures the memory that is kept per object, including its last
// version, after ten writes of each.
func BenchmarkKept(b *testing.B) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range b.N {
		before := heapNow()
		a := New(Options{})
		for i := range benchObjects * 10 {
			at := start.Add(time.Duration(i) * time.Millisecond)
			a.Add(Write{Type: WriteModified, Time: at, Object: benchObject(i%benchObjects, i/benchObjects, at)})
		}
		a.Findings()
		whole := heapNow() - before
		runtime.KeepAlive(a)
		bare := make([]map[string]any, benchObjects)
		before = heapNow()
		for i := range bare {
			bare[i] = benchObject(i, 10, start)
		}
		object := heapNow() - before
		runtime.KeepAlive(bare)
		b.ReportMetric(float64(whole)/benchObjects, "B/object")
		b.ReportMetric(float64(object)/benchObjects, "B/bare-object")
	}
}

func heapNow() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func benchObject(i, round int, at time.Time) map[string]any {
	stamp := at.Format(time.RFC3339)
	var conditions []any
	fields := map[string]any{}
	for _, t := range [...]string{"Ready", "InstanceReady", "NetworkReady", "BootstrapReady", "Paused", "Deleting"} {
		conditions = append(conditions, map[string]any{"type": t, "status": "False", "reason": "Waiting", "lastTransitionTime": "2026-01-01T00:00:00Z",
			"message": fmt.Sprintf("%d of 100000 steps are done", round), "observedGeneration": 1.0})
		fields[keyOfType(t)] = map[string]any{".": map[string]any{}, "f:status": map[string]any{}, "f:reason": map[string]any{}, "f:message": map[string]any{}}
	}
	return map[string]any{"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta2", "kind": "LampMachine",
		"metadata": map[string]any{"name": fmt.Sprintf("machine-%d", i), "namespace": "shop", "uid": fmt.Sprintf("uid-%d", i), "generation": 1.0,
			"resourceVersion": fmt.Sprint(1000 + round*benchObjects + i), "creationTimestamp": "2026-01-01T00:00:00Z",
			"labels":     map[string]any{"cluster.x-k8s.io/cluster-name": "main"},
			"finalizers": []any{"lamps"},
			"managedFields": []any{
				map[string]any{"manager": "kubectl", "operation": "Update", "time": "2026-01-01T00:00:00Z", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:color": map[string]any{}}}},
				map[string]any{"manager": "lamps", "operation": "Update", "subresource": "status", "time": stamp,
					"fieldsV1": map[string]any{"f:status": map[string]any{"f:conditions": fields, "f:observedGeneration": map[string]any{}}}}}},
		"spec":   map[string]any{"color": "red", "providerID": fmt.Sprintf("lamp://%d", i), "image": "bulb", "zone": "attic"},
		"status": map[string]any{"observedGeneration": 1.0, "done": float64(round), "conditions": conditions, "addresses": []any{map[string]any{"type": "InternalIP", "address": "10.0.0.1"}}}}
}
