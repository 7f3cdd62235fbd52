// Package node runs real Nodes for the test cluster: a kubelet, containerd with its runc shim, runc,
// and the CNI plugins ptp and host-local. Images come from a registry in this process. Package
// cluster starts them with [kstatus.dev/test/lib/cluster.Options].RealNodes.
//
// # Network
//
// All Nodes share one network namespace, in which their Pods and kubelets have addresses. The
// namespace exists as long as one thread of this process. The machine's own network never changes.
// Two ways lead through the wall of the namespace:
//
//   - Inside, listeners forward the addresses of the API server and of the registry to the same
//     addresses of the machine's loopback.
//   - The API server reaches kubelets through a proxy on a Unix socket, the egress socket.
//
// There is no kube-proxy. Only the Service kubernetes.default has an address that works. The DNS
// server answers that a name does not exist.
//
// # Processes
//
// Process 1 of a Node has its own PID, mount, UTS and IPC namespaces. When it ends, the kernel ends all
// processes of the Node and its mounts. It ends at the latest with this process, also after SIGKILL.
// Only control groups remain then; the next start removes them. A Node has its own /proc and /run,
// and an overlay on /var, so it writes only to its own folder. Files that are mounted over
// kernel settings have the values that a kubelet wants, so that it does not set them.
//
// # What differs from production
//
//   - No seccomp profile is set when runc was built here, because it has no libseccomp.
//   - The kubelet never evicts Pods because of the machine's disk or memory.
//   - The registry has the names of image.Hosts, and uses HTTP.
package node
