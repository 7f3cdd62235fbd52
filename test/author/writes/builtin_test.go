package writes

import (
	"slices"
	"strings"
	"testing"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// The kinds of Kubernetes' built-in controllers.
var builtin = []string{"deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs", "hpa", "pdb", "pvc", "services", "ingresses", "resourcequotas", "pods"}

// Further kinds of a rollout.
const others = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: c, image: registry.example.com/c}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: c, image: registry.example.com/c}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 4
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {ingressClassName: nginx, defaultBackend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: all}
spec: {hard: {pods: "50"}}
`

// TestBuiltinControllers audits Kubernetes' built-in controllers while they roll out, scale,
// fail and delete. No rule reports an error.
func TestBuiltinControllers(t *testing.T) {
	t.Parallel()
	c, ns := newFixture(t)
	s := &recordedTest{}
	h := &streamRecorder{}
	writes.AuditOptions{Kinds: builtin, Namespaces: []string{ns}, OnWrite: h.addWrite}.Audit(s, c.Config())
	first := strings.Join([]string{others, manifest.Deployment("web", "image: registry.example.com/c, resources: {requests: {cpu: 100m}}"),
		manifest.Deployment("bad", "image: registry.invalid/c")}, "---\n")
	c.Apply(t, ns, first+"---\n"+manifest.Job("once", 1, 60))
	available := func(image string) func() bool {
		return func() bool {
			h.mu.Lock()
			defer h.mu.Unlock()
			return slices.ContainsFunc(h.all, func(w audit.Write) bool { return w.Object["kind"] == "Deployment" && rolledOut(w.Object, image) })
		}
	}
	poll.Wait(t, "the Deployment is rolled out", available("registry.example.com/c"))
	c.Apply(t, ns, strings.ReplaceAll(first, "example.com/c", "example.com/d"))
	poll.Wait(t, "it is rolled out again", available("registry.example.com/d"))
	poll.Wait(t, "the autoscaler has read its metrics", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return slices.ContainsFunc(h.all, func(w audit.Write) bool {
			status, _ := w.Object["status"].(map[string]any)
			return w.Object["kind"] == "HorizontalPodAutoscaler" && status["currentMetrics"] != nil
		})
	})
	c.Delete(t, ns, first)
	poll.Wait(t, "the Deployment is gone", func() bool {
		return slices.ContainsFunc(h.writes(), func(w string) bool { return strings.HasPrefix(w, "DELETED web-") })
	})
	s.end()
	for _, text := range s.errors {
		// kwok is not part of Kubernetes, and changes the times of Pods' conditions.
		if !strings.Contains(text, "written by kwok") && !movedByRetry(text) {
			t.Errorf("of Kubernetes' own controllers it says: %s", text)
		}
	}
	t.Log(strings.Join(s.logs, "\n"))
}

// movedByRetry reports whether a finding is that the scheduler has changed the time of
// PodScheduled. The scheduler compares with its own copy of the Pod. If it retries a Pod before
// that copy contains the condition it has just written, it writes the condition again.
func movedByRetry(text string) bool {
	return strings.Contains(text, "W-12") && strings.Contains(text, `type="PodScheduled"`) && strings.Contains(text, "written by kube-scheduler")
}

// rolledOut reports whether a Deployment has all its Pods with this image.
func rolledOut(o map[string]any, image string) bool {
	meta, _ := o["metadata"].(map[string]any)
	spec, _ := o["spec"].(map[string]any)
	status, _ := o["status"].(map[string]any)
	template, _ := spec["template"].(map[string]any)
	pod, _ := template["spec"].(map[string]any)
	containers, _ := pod["containers"].([]any)
	return meta["name"] == "web" && len(containers) == 1 && containers[0].(map[string]any)["image"] == image &&
		status["observedGeneration"] == meta["generation"] && status["updatedReplicas"] == spec["replicas"] && status["availableReplicas"] == spec["replicas"]
}
