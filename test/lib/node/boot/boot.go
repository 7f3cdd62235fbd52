//go:build linux

package boot

import (
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"kstatus.dev/test/lib/node/cgroup"
)

// Run is process 1 of the Node that a file describes. It returns only errors.
func Run(path string) error {
	spec, err := readSpec(path)
	if err != nil {
		return err
	}
	if err := cgroup.Join(spec.Group...); err != nil {
		return err
	}
	if err := spec.mountAll(); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(spec.Name)); err != nil {
		return err
	}
	n := &node{Spec: spec, running: map[string]int{}}
	n.ended = sync.NewCond(&n.mu)
	go n.reap()
	listener, err := net.Listen("unix", Socket(spec.Dir))
	if err != nil {
		return err
	}
	for _, p := range spec.Programs {
		if err := n.start(p.Name); err != nil {
			return err
		}
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go n.serve(conn)
	}
}

// node is the running Node.
type node struct {
	Spec
	mu      sync.Mutex
	ended   *sync.Cond     // a process has ended
	running map[string]int // the process ID of each running program
}

// start starts a program, and waits for its socket.
func (n *node) start(name string) error {
	for _, p := range n.Programs {
		if p.Name == name {
			if err := n.fork(p); err != nil {
				return err
			}
			return p.wait()
		}
	}
	return fmt.Errorf("the Node has no program %q", name)
}

// fork starts a program with a log of its own. Package os/exec would compete with reap for the exit
// status.
func (n *node) fork(p Program) error {
	out, err := os.OpenFile(filepath.Join(n.Dir, p.Name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.running[p.Name] != 0 {
		return fmt.Errorf("%s is running already", p.Name)
	}
	pid, err := syscall.ForkExec(p.File, append([]string{p.File}, p.Args...), &syscall.ProcAttr{
		Env:   []string{"PATH=" + n.Path, "HOME=/root"},
		Files: []uintptr{null.Fd(), out.Fd(), out.Fd()},
	})
	if err != nil {
		return fmt.Errorf("starting %s: %w", p.Name, err)
	}
	n.running[p.Name] = pid
	return nil
}

// wait waits until a program accepts connections at its socket.
func (p Program) wait() error {
	if p.Socket == "" {
		return nil
	}
	for range 1200 {
		conn, err := net.Dial("unix", p.Socket)
		if err == nil {
			return conn.Close()
		}
		time.Sleep(50 * time.Millisecond) // the kernel reports no new socket to a process in this state
	}
	return fmt.Errorf("%s does not accept connections at %s within a minute", p.Name, p.Socket)
}

// reap waits for every child, as process 1 must: a process whose parent has ended becomes its
// child.
func (n *node) reap() {
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil || pid <= 0 {
			<-children
			continue
		}
		n.mu.Lock()
		for name, p := range n.running {
			if p == pid {
				log.Printf("%s ended: exit status %d, signal %v", name, status.ExitStatus(), status.Signal())
				delete(n.running, name)
			}
		}
		n.ended.Broadcast()
		n.mu.Unlock()
	}
}

// end sends a signal to a program and waits for its end.
func (n *node) end(name string, s syscall.Signal) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	pid := n.running[name]
	if pid == 0 {
		return fmt.Errorf("%s does not run", name)
	}
	if err := syscall.Kill(pid, s); err != nil {
		return err
	}
	for n.running[name] == pid {
		n.ended.Wait()
	}
	return nil
}
