//go:build linux

package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"kstatus.dev/test/lib/node/boot"
	"kstatus.dev/test/lib/node/cgroup"
	"kstatus.dev/test/lib/node/image"
)

// Nodes are the real Nodes of one cluster, with their network and their registry. Its methods must
// not be called at the same time.
type Nodes struct {
	options  Options
	registry *image.Registry
	network  *network
	machines []*machine
}

// New creates the network and the registry of the Nodes. The API server can then start with
// [Nodes.EgressSocket], and [Nodes.Join] starts the Nodes.
func New(ctx context.Context, o Options) (*Nodes, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	if err := cgroup.Sweep(); err != nil {
		return nil, err
	}
	n := &Nodes{options: o}
	if err := n.prepare(ctx); err != nil {
		return nil, errors.Join(err, n.Stop())
	}
	return n, nil
}

func (n *Nodes) prepare(ctx context.Context) error {
	if err := os.MkdirAll(n.bin(), 0o755); err != nil {
		return err
	}
	if err := n.build(ctx); err != nil {
		return err
	}
	var err error
	if n.registry, err = image.Serve(filepath.Join(n.bin(), "node")); err != nil {
		return fmt.Errorf("the registry of images: %w", err)
	}
	if n.network, err = newNetwork(len(n.options.Kubeconfigs)); err != nil {
		return err
	}
	// The API server and the registry have the same address inside and outside.
	for inside, outside := range map[string]string{
		n.options.APIServer: n.options.APIServer, n.registry.Address(): n.registry.Address(),
		ServiceIP + ":443": n.options.APIServer,
	} {
		if err := n.network.forward(inside, outside); err != nil {
			return err
		}
	}
	return errors.Join(n.network.serveDNS(), n.network.serveEgress(n.EgressSocket()))
}

// bin returns the folder of the program of test/cmd/node under its names.
func (n *Nodes) bin() string { return filepath.Join(n.options.Dir, "bin") }

// build builds test/cmd/node. Go's build cache makes this fast.
func (n *Nodes) build(ctx context.Context) error {
	file := filepath.Join(n.bin(), "node")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, "kstatus.dev/test/cmd/node")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building test/cmd/node: %w\n%s", err, out)
	}
	if n.options.Programs.Seccomp {
		return os.Symlink(n.options.Programs.Runc, filepath.Join(n.bin(), "runc"))
	}
	return errors.Join(
		os.Symlink(n.options.Programs.Runc, filepath.Join(n.bin(), "runc.real")),
		os.Symlink("node", filepath.Join(n.bin(), "runc")),
	)
}

// EgressSocket returns the Unix socket through which the API server reaches the kubelets.
func (n *Nodes) EgressSocket() string { return filepath.Join(n.options.Dir, "egress.sock") }

// Registry returns the registry from which the Nodes pull images.
func (n *Nodes) Registry() *image.Registry { return n.registry }

// Join starts all Nodes. It returns when their containerd serves and their kubelet has started; the
// API server reports when they are ready.
func (n *Nodes) Join(ctx context.Context) error {
	for i := range n.options.Kubeconfigs {
		m, err := n.newMachine(i)
		if err != nil {
			return err
		}
		n.machines = append(n.machines, m)
		if err := n.powerOn(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// Stop ends all Nodes, their network and the registry, and removes their control groups.
func (n *Nodes) Stop() error {
	var errs []error
	for _, m := range n.machines {
		errs = append(errs, m.powerOff())
	}
	if n.network != nil {
		n.network.close()
	}
	if n.registry != nil {
		errs = append(errs, n.registry.Close())
	}
	n.machines, n.network, n.registry = nil, nil, nil
	return errors.Join(append(errs, cgroup.Remove(cgroup.Own()))...)
}

// machine returns the Node with a name.
func (n *Nodes) machine(name string) (*machine, error) {
	for _, m := range n.machines {
		if m.spec.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("no Node %q has been started", name)
}

// PowerOff ends all processes of a Node at once.
func (n *Nodes) PowerOff(name string) error {
	m, err := n.machine(name)
	if err != nil {
		return err
	}
	return m.powerOff()
}

// PowerOn starts a Node again after [Nodes.PowerOff]. Like after a reboot, its disk has kept its
// content.
func (n *Nodes) PowerOn(ctx context.Context, name string) error {
	m, err := n.machine(name)
	if err != nil {
		return err
	}
	return n.powerOn(ctx, m)
}

// Terminate asks a program of a Node to end, and waits for its end. Containers continue.
func (n *Nodes) Terminate(ctx context.Context, name string, p Program) error {
	return n.request(ctx, name, boot.Terminate, p)
}

// Start starts a program of a Node after [Nodes.Terminate].
func (n *Nodes) Start(ctx context.Context, name string, p Program) error {
	return n.request(ctx, name, boot.Start, p)
}

func (n *Nodes) request(ctx context.Context, name string, verb boot.Verb, p Program) error {
	m, err := n.machine(name)
	if err != nil {
		return err
	}
	return boot.Request(ctx, m.spec.Dir, verb, string(p))
}
