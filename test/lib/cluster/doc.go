// Package cluster starts a real Kubernetes cluster for tests: etcd, kube-apiserver,
// kube-controller-manager and kube-scheduler as released, and kwok in place of the kubelets.
// All of it listens on loopback, on ports that were free, and keeps its data in a temporary
// folder. Starting takes a few seconds once the programs are built. Building them from the Go
// module proxy takes minutes, and happens once.
//
// # In a test
//
// A test binary has one cluster, each test a namespace in it:
//
//	var live cluster.Shared
//
//	func TestMain(m *testing.M) { os.Exit(live.Main(m)) }
//
//	func TestWait(t *testing.T) {
//		c := live.Cluster(t)    // started by the first test that asks
//		ns := c.Namespace(t)    // gone with the test
//		c.Apply(t, ns, text)    // what kubectl apply -f does
//		config := c.Config()    // for client-go, as administrator
//		file := c.Kubeconfig()  // the same, for commands
//		ci := c.User(t, ns, "ci", cluster.Grant{Namespace: ns, Verbs: []string{"get"}, Resources: []string{"deployments.apps"}})
//		…
//	}
//
// A test about faults ends programs with Kill or Terminate, and starts them again with Restart.
// Such a test starts a cluster of its own with Start.
//
// # What is real
//
// The real controllers handle Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs,
// CronJobs, autoscalers, disruption budgets and endpoint slices. They also handle quotas,
// garbage collection, the deletion of namespaces, service accounts and RBAC. The real scheduler
// schedules Pods onto three Nodes in three zones.
//
// kwok simulates kubelets, a provisioner of disks and a cloud; no container runs. The manifest
// of a Pod decides its status:
//
//   - An image from registry.invalid cannot be pulled.
//   - A container whose command contains "exit 3" exits with 3: repeatedly if it is
//     restarted, only once under restartPolicy Never.
//   - The annotation kstatus.dev/retries: "1" ends a crash loop: after that many restarts, the
//     container stays in CrashLoopBackOff. An image is pulled only once, and the container stays
//     in ImagePullBackOff. Without it, these phases alternate every few seconds.
//   - A Pod that is not always restarted completes, after the "sleep 5" of its command.
//   - Any other Pod becomes ready, the initialDelaySeconds of its probes later.
//   - A deleted Pod ends after the sleep of its preStop hook.
//   - The annotation kstatus.dev/pod sets the behavior explicitly. It is ready, slow (ready after 8
//     s), never-ready, crash-loop, unpullable, complete, fail, or a fault such as image-denied,
//     crash-memory or mount-error. kwok reports a fault in the words of the kubelet, with its
//     events; see internal/kwok/pod_faults.go.
//   - The annotation kstatus.dev/log is the log of each of its containers.
//
// Other objects:
//
//   - StorageClass standard (the default) gives every claim a volume. The volume is zonal when the
//     first Pod that uses it has a Node. The class manual has no provisioner.
//   - A Service of type LoadBalancer gets an address after a second, unless it sets
//     loadBalancerClass. An Ingress of class nginx gets one too.
//   - The metrics API reports that every container uses half of the CPU and memory it
//     requests, so that autoscalers work.
//   - A controller serves Catalogs (catalogs.shop.example.com), the custom resource of
//     examples/shop, once their CRD exists; see package catalog.
//
// # Real Nodes
//
// Options{RealNodes: 1} adds a Node with a real kubelet and real containers, and by default no
// simulated ones. RealNodes returns its registry, and ends and starts the Node; see package node.
// The API server then authorizes Nodes, and the controller manager notices their end after 20
// seconds.
//
// # Cluster API
//
// Options{ClusterAPI: true} adds the core manager of Cluster API as released, with ClusterClasses.
// It adds its CRDs with the labels of clusterctl, and its webhooks for admission and conversion.
// The build changes one line, because no flag sets the address of its webhook server. It listens on
// loopback, like all servers here.
//
// # Requests
//
// Options{AuditPolicy: …} makes the API server log requests to the file that AuditLog returns.
//
// # Nothing stays behind
//
// Stop and [Shared.Main] end everything, also on Ctrl-C and SIGTERM. This process may also end
// by a panic, os.Exit or SIGKILL, with no time to clean up. Then Linux kills the five programs,
// because they were started with PR_SET_PDEATHSIG. macOS has no such signal. There, a small
// shell for each program waits on a pipe that only this process holds open, and kills the
// program when the pipe closes. The folder of such a cluster stays for an hour, so that its
// logs can be read; then the next start removes it.
package cluster
