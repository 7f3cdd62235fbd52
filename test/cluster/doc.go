// Package cluster starts a real Kubernetes cluster for tests: etcd, kube-apiserver,
// kube-controller-manager and kube-scheduler as released, and kwok in place of the
// kubelets. All of it listens on loopback, on ports that were free, and keeps its data
// in a temporary folder. Starting takes a few seconds once the programs are built;
// building them, from the Go module proxy, takes minutes and is done once.
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
// A test about faults ends programs with Kill or Terminate and brings them back with
// Restart; such a test starts a cluster of its own with Start.
//
// # What is real
//
// Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs, autoscalers,
// disruption budgets, endpoint slices, quotas, garbage collection, the deletion of
// namespaces, service accounts and RBAC are the work of the real controllers. Pods are
// scheduled by the real scheduler, onto three Nodes in three zones.
//
// What a kubelet, a provisioner of disks and a cloud would do, kwok plays; no container
// runs. What becomes of a Pod is read from its manifest:
//
//   - An image from registry.invalid cannot be pulled.
//   - A container whose command says "exit 3" ends with 3: again and again if it is
//     restarted, for good under restartPolicy Never.
//   - A Pod that is not always restarted completes, after the "sleep 5" of its command.
//   - Any other Pod becomes ready, the initialDelaySeconds of its probes later.
//   - A Pod that is deleted goes after the sleep of its preStop hook.
//   - The annotation kstatus.dev/pod says it outright where a test prefers that: ready,
//     slow (ready after 8 s), never-ready, crash-loop, unpullable, complete or fail, or an
//     ailment such as image-denied, crash-memory or mount-error, which is told in the
//     words of the kubelet, with its events; see internal/kwok/ailing.go.
//   - The annotation kstatus.dev/log is what each of its containers has printed.
//
// And around the Pods:
//
//   - StorageClass standard (the default) gives every claim a volume, zonal when the
//     first Pod that uses it has a Node; nobody provisions the class manual.
//   - A Service of type LoadBalancer gets an address after a second, unless it asks for
//     a loadBalancerClass. An Ingress of class nginx gets one too.
//   - The metrics API answers that every container uses half of the CPU and memory it
//     requests, so that autoscalers can tell.
//   - A controller serves Catalogs (catalogs.shop.example.com), the custom resource of
//     examples/shop, once their CRD is there; see package catalog.
//
// # Cluster API
//
// Options{ClusterAPI: true} adds the core manager of Cluster API as released: its CRDs, and its
// webhooks for admission and conversion. One line is built otherwise, as it has no flag for the
// address of its webhook server: it listens on loopback, as everything here does.
//
// # Requests
//
// Options{AuditPolicy: …} has the API server log requests, to the file that AuditLog names.
//
// # Nothing stays behind
//
// Stop and [Shared.Main] end everything, also on Ctrl-C and SIGTERM. When this process
// ends in a way that leaves it no time, by a panic, os.Exit or SIGKILL, then Linux
// kills the five programs, which were started with that wish (PR_SET_PDEATHSIG). On
// macOS, which has no such thing, a small shell beside each program waits on a pipe that
// only this process holds open, and kills the program when it closes. The folder of
// such a cluster is removed by a later start, an hour on, so that its logs can be read.
package cluster
