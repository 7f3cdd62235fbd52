//go:build linux

package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"kstatus.dev/test/lib/node/boot"
	"kstatus.dev/test/lib/node/cgroup"
)

// machine is one Node: its files, and its process 1 while it runs.
type machine struct {
	spec   boot.Spec
	group  []string // the control group of everything on the Node
	cmd    *exec.Cmd
	ended  chan struct{} // closed when process 1 has ended
	stderr string        // the file with the output of process 1
}

// newMachine writes the files of a Node.
func (n *Nodes) newMachine(i int) (*machine, error) {
	s := n.settings(i)
	for _, dir := range []string{"", "kubelet", "plugins", "pods", "containerd", "var", "var-work"} {
		if err := os.MkdirAll(filepath.Join(s.Dir, dir), 0o755); err != nil {
			return nil, err
		}
	}
	if err := s.write(); err != nil {
		return nil, fmt.Errorf("the configuration of Node %s: %w", s.Name, err)
	}
	m := &machine{group: []string{s.Group, s.Name}, stderr: filepath.Join(s.Dir, "boot.log")}
	m.spec = boot.Spec{
		Name: s.Name, Dir: s.Dir, Group: append(m.group, "system"),
		Path: strings.Join([]string{n.bin(), s.Containerd, "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}, ":"),
		Programs: []boot.Program{
			{
				Name: string(Containerd), File: filepath.Join(s.Containerd, "containerd"), Socket: "/run/containerd/containerd.sock",
				Args: []string{"--config", filepath.Join(s.Dir, "containerd.toml")},
			}, {
				Name: string(Kubelet), File: n.options.Programs.Kubelet,
				Args: []string{
					"--config", filepath.Join(s.Dir, "kubelet.yaml"), "--kubeconfig", n.options.Kubeconfigs[i],
					"--node-ip", s.IP, "--hostname-override", s.Name, "--node-labels", Label + "=true",
					"--root-dir", filepath.Join(s.Dir, "kubelet"), "--cert-dir", filepath.Join(s.Dir, "kubelet", "pki"),
				},
			},
		},
	}
	return m, m.spec.Write()
}

// powerOn starts process 1 of a Node in namespaces of its own, and waits until it takes requests. Its
// processes and mounts end with it, and it ends with the network.
func (n *Nodes) powerOn(ctx context.Context, m *machine) error {
	if m.running() {
		return fmt.Errorf("the Node %s is running already", m.spec.Name)
	}
	if err := cgroup.Create(m.spec.Group...); err != nil {
		return err
	}
	if err := os.RemoveAll(boot.Socket(m.spec.Dir)); err != nil {
		return err
	}
	out, err := os.OpenFile(m.stderr, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	m.cmd = exec.Command(filepath.Join(n.bin(), "node"), "boot", boot.SpecFile(m.spec.Dir))
	m.cmd.Stdout, m.cmd.Stderr = out, out
	m.cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL, Setpgid: true,
	}
	if err := n.network.start(m.cmd); err != nil {
		return fmt.Errorf("starting the Node %s: %w", m.spec.Name, err)
	}
	m.ended = make(chan struct{})
	go m.wait(m.cmd, m.ended, n.options.Log)
	return m.untilUp(ctx)
}

// wait waits for the end of process 1, and reports an unexpected one.
func (m *machine) wait(cmd *exec.Cmd, ended chan<- struct{}, log io.Writer) {
	err := cmd.Wait()
	close(ended)
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		text, readErr := os.ReadFile(m.stderr)
		fmt.Fprintf(log, "node: %s ended by itself: %v; its output:\n%s", m.spec.Name, err, text)
		if readErr != nil {
			fmt.Fprintln(log, readErr)
		}
	}
}

// untilUp waits until process 1 takes requests.
func (m *machine) untilUp(ctx context.Context) error {
	for {
		conn, err := net.Dial("unix", boot.Socket(m.spec.Dir))
		if err == nil {
			return conn.Close()
		}
		select {
		case <-m.ended:
			return fmt.Errorf("the Node %s has ended; its output is in %s", m.spec.Name, m.stderr)
		case <-ctx.Done():
			return fmt.Errorf("waiting for the Node %s: %w", m.spec.Name, context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (m *machine) running() bool {
	if m.ended == nil {
		return false
	}
	select {
	case <-m.ended:
		return false
	default:
		return true
	}
}

// powerOff kills process 1, and with it all processes of the Node. It then removes their groups.
func (m *machine) powerOff() error {
	if m.running() {
		if err := m.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("ending the Node %s: %w", m.spec.Name, err)
		}
		select {
		case <-m.ended:
		case <-time.After(20 * time.Second):
			return fmt.Errorf("the Node %s, process %d, does not end", m.spec.Name, m.cmd.Process.Pid)
		}
	}
	return cgroup.Remove(m.group...)
}
