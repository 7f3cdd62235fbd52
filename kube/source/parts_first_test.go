package source_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// With PartsFirst, the Pods of a workload are listed once, before the workload is
// reported.
func TestPartsFirstReadsPodsFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		web := workload(deployment, "web")
		web.SetAnnotations(map[string]string{"deployment.kubernetes.io/revision": "2"})
		first := ""
		for revision, name := range map[string]string{"1": "web-1", "2": "web-2"} {
			set := ownedBy(workload(replicaSet, name), web)
			set.SetAnnotations(map[string]string{"deployment.kubernetes.io/revision": revision})
			set.Object["spec"] = web.Object["spec"]
			s.server.Put(set)
			pending := ownedBy(object(pod, "shop", name+"-x"), set)
			pending.SetLabels(map[string]string{"app": "web", "pod-template-hash": revision})
			if v := s.server.Put(pending); revision == "2" {
				first = v
			}
		}
		version := s.server.Put(web)
		s.observeAs(source.Cluster{PartsFirst: true}, named(deployment, "shop", "web", "nope")...)
		bubble.Sleep(time.Second)
		s.mu.Lock()
		have := strings.Join(slices.Clone(s.lines), ", ")
		s.mu.Unlock()
		if want := "web has web-2-x@" + first + ", web@" + version; !strings.Contains(have, want) {
			t.Errorf("reported %s, want %s in it", have, want)
		}
		s.expectReports("nope gone", "web has web-2-x@"+first, "web@"+version)
		s.expectRequests("list pods in shop with app in (web)", "list replicasets in shop with app in (web)",
			"watch deployments in shop named nope", "watch deployments in shop named web")
	})
}

// If every workload is Current, no Pods are read.
func TestPartsFirstSkipsCurrent(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		set := workload(replicaSet, "idle")
		set.Object["spec"].(map[string]any)["replicas"] = int64(0)
		set.SetGeneration(1)
		set.Object["status"] = map[string]any{"replicas": int64(0), "observedGeneration": int64(1)}
		version := s.server.Put(set)
		s.observeAs(source.Cluster{PartsFirst: true}, observe.Target{Kind: replicaSet, Namespace: "shop"})
		bubble.Sleep(time.Second)
		s.expectReports("idle@"+version, "all")
		s.expectRequests("watch replicasets in shop")
	})
}
