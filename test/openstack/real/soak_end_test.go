package real

import (
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/openstack/openstackshop"
)

// tryPatch patches an object unless it is gone.
func (s *soak) tryPatch(r schema.GroupVersionResource, name, patch string) {
	s.T.Helper()
	_, err := s.Shop.Client(r).Patch(s.T.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "user"})
	if err != nil && !apierrors.IsNotFound(err) {
		s.T.Fatal(err)
	}
}

// settle ends all pauses, creates the Clusters that are missing, and waits until all are ready.
func (s *soak) settle() {
	s.T.Helper()
	for _, c := range s.clusters {
		obj := s.Get(openstackshop.Clusters, c.name)
		if obj == nil || obj.GetDeletionTimestamp() != nil {
			if obj != nil {
				s.WaitForDeletion(openstackshop.Clusters, c.name)
			}
			s.create(c)
		}
		if c.paused {
			s.pauseCluster(c, false)
		}
	}
	for _, c := range s.clusters {
		s.await(c)
	}
}

// await waits until a Cluster is available with all of its workers, and its objects are ready.
func (s *soak) await(c *soaked) {
	s.T.Helper()
	s.WaitUntil(openstackshop.Clusters, c.name, "available", func(obj *unstructured.Unstructured) bool {
		workers := func(field string) any { return managers.Field(obj, "status", "workers", field) }
		n := int64(c.replicas)
		return managers.HasCondition("Available=True")(obj) && workers("replicas") == n && workers("availableReplicas") == n &&
			s.allReady(openstackshop.OSClusters, c, 1) && s.allReady(openstackshop.OSMachines, c, 1+c.replicas)
	})
}

// allReady reports whether a Cluster has a number of objects that are all ready.
func (s *soak) allReady(r schema.GroupVersionResource, c *soaked, n int) bool {
	list, err := s.Shop.Client(r).List(s.T.Context(), metav1.ListOptions{LabelSelector: "cluster.x-k8s.io/cluster-name=" + c.name})
	return err == nil && len(list.Items) == n && !slices.ContainsFunc(list.Items, func(o unstructured.Unstructured) bool {
		return !managers.HasCondition("Ready=True")(&o) || managers.Field(&o, "status", "observedGeneration") != o.GetGeneration()
	})
}

// quiet changes nothing for some time, and checks that the provider writes nothing.
func (s *soak) quiet(d time.Duration) {
	s.T.Helper()
	time.Sleep(5 * time.Second) // the last passes end; no state shows that none is due
	start, before := time.Now(), len(s.meter.written())
	machines := 0
	for _, c := range s.clusters {
		machines += 1 + c.replicas
	}
	pause(s.T.Context(), d)
	s.T.Logf("%s without changes, with %d Clusters and %d machines:%s", d, len(s.clusters), machines, rates(s.meter.since(start), d))
	if writes := s.meter.written()[before:]; len(writes) > 0 {
		s.T.Errorf("without changes the provider has written %q", writes)
	}
}

// report logs the memory, and how often the controllers have reconciled.
func (s *soak) report(when string, m memory) {
	s.T.Logf("%s, %s: %s, passes %v", when, time.Since(s.started).Round(time.Second), m, passes(s.T))
}

// checkMemory checks that the memory has not grown much since the middle of the changes.
func (s *soak) checkMemory(when string, middle memory) {
	s.T.Helper()
	now := measure()
	s.report(when, now)
	if now.heap > 1.5*middle.heap+32 {
		s.T.Errorf("%s the heap has %.1f MiB; in the middle it had %.1f MiB", when, now.heap, middle.heap)
	}
	if now.goroutines > middle.goroutines*3/2+100 {
		s.T.Errorf("%s there are %d goroutines; in the middle there were %d", when, now.goroutines, middle.goroutines)
	}
}

// checkLimits checks that no period had more calls than the limiter allows. The project has one
// limiter for all services.
func (s *soak) checkLimits() {
	s.T.Helper()
	all := s.meter.since(s.started)
	s.T.Logf("all calls:%s", rates(all, time.Since(s.started)))
	for service, calls := range all {
		for _, d := range []time.Duration{time.Second, 10 * time.Second, time.Minute} {
			if most, limit := busiest(calls, d), int(soakRate*d.Seconds())+soakBurst; most > limit {
				s.T.Errorf("%s had %d calls in %s, want at most %d", service, most, d, limit)
			}
		}
	}
}

// soakManifest is a Cluster with a control plane and workers.
const soakManifest = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: NAME}
spec:
  infrastructureRef: {apiGroup: infrastructure.openstack.kstatus.dev, kind: OpenStackCluster, name: NAME}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: RackControlPlane, name: NAME}
---
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackCluster
metadata:
  name: NAME
  labels: {cluster.x-k8s.io/cluster-name: NAME}
spec:
  identityRef: {name: cloud-config, cloudName: stack}
  managedSubnets: [{cidr: 10.6.0.0/24}]
  managedSecurityGroups: {}
---
apiVersion: controlplane.cluster.x-k8s.io/v1
kind: RackControlPlane
metadata:
  name: NAME
  labels: {cluster.x-k8s.io/cluster-name: NAME}
spec:
  replicas: 1
  version: v1.36.3
  machineTemplate:
    spec:
      infrastructureRef: {apiGroup: infrastructure.openstack.kstatus.dev, kind: OpenStackMachineTemplate, name: NAME}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: NAME}
spec:
  clusterName: NAME
  replicas: REPLICAS
  selector:
    matchLabels: {workers-of: NAME}
  template:
    metadata:
      labels: {workers-of: NAME, cluster.x-k8s.io/cluster-name: NAME}
    spec:
      clusterName: NAME
      version: v1.36.3
      bootstrap:
        configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: RackConfigTemplate, name: NAME}
      infrastructureRef: {apiGroup: infrastructure.openstack.kstatus.dev, kind: OpenStackMachineTemplate, name: NAME}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1
kind: RackConfigTemplate
metadata: {name: NAME}
spec: {template: {spec: {}}}
---
` + soakTemplate

// soakTemplate is a template of machines.
const soakTemplate = `
apiVersion: infrastructure.openstack.kstatus.dev/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: NAME}
spec: {template: {spec: {image: {filter: {name: IMAGE}}, flavor: {filter: {name: small}}}}}
`
