package cluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kstatus.dev/test/lib/node"
)

// The programs of real Nodes. Each suite has a module of its own: the kubelet has the requirements
// of Kubernetes, runc needs a C compiler, and the others neither.
var (
	kubeletSuite = suite{
		folder: "test/lib/programs/kubelet", module: kubernetesSuite.module, stamps: kubernetesSuite.stamps,
		programs: []Program{Kubelet},
		what:     "kubelet %s",
		takes:    "half a minute on two cores after the programs of the cluster, 7 minutes without them",
	}
	containerdSuite = suite{
		folder: "test/lib/programs/containerd", module: "github.com/containerd/containerd/v2",
		stamps:   []string{"github.com/containerd/containerd/v2/version.Version"},
		flags:    []string{"-tags=no_btrfs,no_zfs,no_devmapper"},
		programs: []Program{Containerd, "containerd-shim-runc-v2", "ptp", "host-local", "loopback"},
		what:     "containerd %s, its shim and plugins of CNI",
		takes:    "2 minutes on two cores",
	}
	runcSuite = suite{
		folder: "test/lib/programs/runc", module: "github.com/opencontainers/runc",
		flags:    []string{"-tags=netgo,osusergo"},
		cgo:      true,
		programs: []Program{Runc},
		what:     "runc %s",
		takes:    "15 seconds on two cores",
	}
)

// BuildRealNodes does the same as [Build] for the programs of real Nodes.
func BuildRealNodes(ctx context.Context, log io.Writer) error {
	_, err := buildRealNodes(ctx, log)
	return err
}

func buildRealNodes(ctx context.Context, log io.Writer) (node.Programs, error) {
	var p node.Programs
	installed, found, err := node.FindRunc()
	if err != nil {
		return p, err
	}
	p.Runc, p.Seccomp = installed, found // an installed runc has libseccomp
	if !found {
		dir, err := runcSuite.build(ctx, log)
		if err != nil {
			return p, err
		}
		p.Runc = filepath.Join(dir, Runc.file())
	}
	if p.Containerd, err = containerdSuite.build(ctx, log); err != nil {
		return p, err
	}
	dir, err := kubeletSuite.build(ctx, log)
	p.Kubelet = filepath.Join(dir, Kubelet.file())
	return p, err
}

// prepareRealNodes creates the network and the registry of the real Nodes. Their kubelets start
// after the API server.
func (c *Cluster) prepareRealNodes(ctx context.Context) error {
	if err := node.Supported(); err != nil {
		return err
	}
	programs, err := buildRealNodes(ctx, c.log)
	if err != nil {
		return err
	}
	l := c.layout
	o := node.Options{
		Dir: l.dir, APIServer: fmt.Sprintf("127.0.0.1:%d", l.ports["apiserver"]), CAFile: l.creds.cert,
		Programs: programs, Log: c.log,
	}
	for i, token := range l.creds.nodeTokens {
		config := c.Config()
		config.BearerToken = token
		file := l.path(node.Name(i) + ".kubeconfig")
		if err := WriteKubeconfig(file, config, "default"); err != nil {
			return err
		}
		o.Kubeconfigs = append(o.Kubeconfigs, file)
	}
	if c.realNodes, err = node.New(ctx, o); err != nil {
		return err
	}
	egress := fmt.Appendf(nil, `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection: {proxyProtocol: HTTPConnect, transport: {uds: {udsName: %s}}}
`, c.realNodes.EgressSocket())
	return os.WriteFile(l.path("egress.yaml"), egress, 0o644)
}

// RealNodes returns the real Nodes of the cluster, and nil without Options.RealNodes.
func (c *Cluster) RealNodes() *node.Nodes { return c.realNodes }

// kubeletAccess returns the flags with which the API server reaches the kubelets of real Nodes, and
// restricts what they may write. Their network is not that of this machine.
func (l layout) kubeletAccess() []string {
	if l.realNodes == 0 {
		return nil
	}
	return []string{
		"--enable-admission-plugins=NodeRestriction", "--egress-selector-config-file=" + l.path("egress.yaml"),
		"--kubelet-client-certificate=" + l.creds.cert, "--kubelet-client-key=" + l.creds.key,
	}
}

// authorization returns the authorizers of the API server. Node limits what a kubelet may read.
func (l layout) authorization() string {
	if l.realNodes == 0 {
		return "RBAC"
	}
	return "Node,RBAC"
}

// monitorNodes returns the flags with which the controller manager notices the end of a real Node
// earlier than after 50 seconds.
func (l layout) monitorNodes() []string {
	if l.realNodes == 0 {
		return nil
	}
	return []string{"--node-monitor-grace-period=20s", "--node-monitor-period=2s"}
}

// simulatedNodes returns the flags that select the Nodes of kwok.
func (l layout) simulatedNodes() []string {
	if l.realNodes == 0 {
		return []string{"--manage-all-nodes=true"}
	}
	return []string{"--manage-all-nodes=false", "--manage-nodes-with-label-selector=!" + node.Label}
}
