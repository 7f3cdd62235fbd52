package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
)

// layout contains the folder, the ports and the credentials of one cluster.
type layout struct {
	dir     string
	ports   map[string]int
	creds   credentials
	audited bool // the API server writes an audit log
	// realNodes is the number of Nodes with a real kubelet.
	realNodes int
}

// The ports are below those that Linux and macOS use for outgoing connections. The cluster
// opens many connections, and a port that is free now must stay free until its use.
const lowestPort, portsOfBlock, blocks = 20000, 16, 750

// claimPorts returns a free loopback port for each name. They are in a block of ports that belongs
// to this cluster until release, also while none of its programs listens. Clusters that start at
// the same time therefore never choose the same port.
func claimPorts(names ...string) (ports map[string]int, release func(), err error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("kstatus-ports-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	for i, first := 0, rand.IntN(blocks); i < blocks; i++ {
		block := (first + i) % blocks
		release, err := tryLock(filepath.Join(dir, fmt.Sprint(block)))
		if errors.Is(err, errLocked) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		ports := map[string]int{}
		for k, name := range names {
			ports[name] = lowestPort + block*portsOfBlock + k
		}
		if areFree(ports) {
			return ports, release, nil
		}
		release()
	}
	return nil, nil, fmt.Errorf("no block of %d ports from %d on is free", portsOfBlock, lowestPort)
}

// areFree reports whether nothing listens on the ports.
func areFree(ports map[string]int) bool {
	for _, port := range ports {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return false
		}
		l.Close()
	}
	return true
}

// listen holds a free port until it is closed.
func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

func portOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

func (l layout) path(name string) string { return filepath.Join(l.dir, name) }

// url returns the URL of a port.
func (l layout) url(scheme, port, path string) string {
	return fmt.Sprintf("%s://127.0.0.1:%d%s", scheme, l.ports[port], path)
}

func (l layout) kubeconfig() string { return l.path("kubeconfig") }

// health returns the health URL of each program.
func (l layout) health(p Program) string {
	return map[Program]string{
		Etcd:              l.url("http", "etcd", "/health"),
		APIServer:         l.url("https", "apiserver", "/readyz"),
		ControllerManager: l.url("https", "controllers", "/healthz"),
		Scheduler:         l.url("https", "scheduler", "/healthz"),
		Kwok:              l.url("http", "kwok", "/healthz"),
		ClusterAPI:        l.url("http", "cluster-api", "/readyz"),
	}[p]
}

// args returns the command line of each program. Everything listens on loopback only. It differs
// from a production cluster: etcd does not wait for the disk, and clients have no rate limit. Each
// program has one instance and so no leader election.
func (l layout) args(p Program) []string {
	port := func(name string) string { return fmt.Sprint(l.ports[name]) }
	switch p {
	case Etcd:
		return []string{
			"--name=kstatus-test", "--data-dir=" + l.path("etcd"), "--unsafe-no-fsync",
			"--listen-client-urls=" + l.url("http", "etcd", ""), "--advertise-client-urls=" + l.url("http", "etcd", ""),
			"--listen-peer-urls=" + l.url("http", "etcd-peer", ""), "--initial-advertise-peer-urls=" + l.url("http", "etcd-peer", ""),
			"--initial-cluster=kstatus-test=" + l.url("http", "etcd-peer", ""),
		}
	case APIServer:
		return append(slices.Concat(l.audit(), l.kubeletAccess()),
			"--etcd-servers="+l.url("http", "etcd", ""),
			"--bind-address=127.0.0.1", "--secure-port="+port("apiserver"),
			"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
			"--tls-cert-file="+l.creds.cert, "--tls-private-key-file="+l.creds.key,
			"--token-auth-file="+l.creds.tokens, "--authorization-mode="+l.authorization(),
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file="+l.creds.serviceAccountKey,
			"--service-account-signing-key-file="+l.creds.serviceAccountKey,
			"--service-cluster-ip-range=10.96.0.0/16", "--allow-privileged=true",
			"--kubelet-preferred-address-types=InternalIP", // no name resolves to a Node
		)
	case ControllerManager:
		return append(slices.Concat(l.client("controllers"), l.monitorNodes()),
			"--leader-elect=false", "--use-service-account-credentials=true",
			"--service-account-private-key-file="+l.creds.serviceAccountKey, "--root-ca-file="+l.creds.cert,
			"--kube-api-qps=500", "--kube-api-burst=1000",
			// Autoscalers read their metrics every 15 seconds and ignore young Pods for five
			// minutes; this is too slow for tests.
			"--horizontal-pod-autoscaler-sync-period=2s",
			"--horizontal-pod-autoscaler-cpu-initialization-period=1s",
			"--horizontal-pod-autoscaler-initial-readiness-delay=1s",
		)
	case Scheduler:
		return append(l.client("scheduler"), "--leader-elect=false", "--kube-api-qps=500", "--kube-api-burst=1000")
	case Kwok:
		return append(l.simulatedNodes(),
			// A restarted kwok must wait for the leases of its predecessor to expire.
			"--node-lease-duration-seconds=8",
			"--kubeconfig="+l.kubeconfig(), "--config="+l.path("kwok.yaml"),
			"--cidr=10.244.0.0/16", "--node-ip=127.0.0.1", "--server-address=127.0.0.1:"+port("kwok"),
		)
	case ClusterAPI:
		return []string{
			"--kubeconfig=" + l.kubeconfig(), "--health-addr=127.0.0.1:" + port("cluster-api"), "--diagnostics-address=0",
			"--webhook-port=" + port("webhooks"), "--webhook-cert-dir=" + l.dir,
			"--webhook-cert-name=" + filepath.Base(l.creds.cert), "--webhook-key-name=" + filepath.Base(l.creds.key),
			"--feature-gates=ClusterTopology=true",
		}
	}
	return nil
}

// audit returns the flags for the audit log of the API server.
func (l layout) audit() []string {
	if !l.audited {
		return nil
	}
	return []string{"--audit-policy-file=" + l.path("audit-policy.yaml"), "--audit-log-path=" + l.path("audit.log")}
}

// client returns the common flags of the clients of the API server.
func (l layout) client(port string) []string {
	return []string{
		"--kubeconfig=" + l.kubeconfig(),
		"--authentication-kubeconfig=" + l.kubeconfig(), "--authorization-kubeconfig=" + l.kubeconfig(),
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", l.ports[port]),
	}
}
