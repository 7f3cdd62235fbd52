//go:build linux

package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// address returns the address of a Node. A kubelet accepts no address in 127.0.0.0/8.
func address(i int) string { return fmt.Sprintf("10.89.0.%d", 11+i) }

// network is a network namespace. It exists as long as one thread of this process, and the processes
// that the thread has started.
type network struct {
	calls        chan func()
	inside, host int // file descriptors of the two namespaces

	mu      sync.Mutex // guards closers
	closers []io.Closer
	group   sync.WaitGroup
}

// newNetwork creates a network namespace. Its only interface is lo, which has the addresses of all
// Nodes.
func newNetwork(nodes int) (*network, error) {
	n := &network{calls: make(chan func()), inside: -1, host: -1}
	created := make(chan error)
	n.group.Go(func() {
		runtime.LockOSThread() // without unlocking, the thread ends with this goroutine
		created <- n.unshare()
		for call := range n.calls {
			call()
		}
	})
	err := <-created
	if err == nil {
		err = n.do(func() error { return setAddresses(nodes) })
	}
	if err != nil {
		n.close()
		return nil, fmt.Errorf("a network namespace: %w", err)
	}
	return n, nil
}

// unshare moves the calling thread to a new network namespace.
func (n *network) unshare() error {
	var err error
	if n.host, err = unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return err
	}
	n.inside, err = unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	return err
}

// do calls f on the thread of the namespace.
func (n *network) do(f func() error) error {
	done := make(chan error)
	n.calls <- func() { done <- f() }
	return <-done
}

// start starts a program in the namespace. The program ends with the thread if cmd sets Pdeathsig.
func (n *network) start(cmd *exec.Cmd) error { return n.do(cmd.Start) }

// close ends the listeners and the thread.
func (n *network) close() {
	n.mu.Lock()
	for _, c := range n.closers {
		_ = c.Close() // an open connection does not matter
	}
	n.mu.Unlock()
	close(n.calls)
	n.group.Wait()
	for _, fd := range []int{n.inside, n.host} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}

// addCloser adds a listener that ends with the network.
func (n *network) addCloser(c io.Closer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closers = append(n.closers, c)
}

// dial connects to an address in the namespace, on a thread that enters it.
func (n *network) dial(ctx context.Context, address string) (net.Conn, error) {
	var conn net.Conn
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := unix.Setns(n.inside, unix.CLONE_NEWNET); err != nil {
			runtime.UnlockOSThread()
			done <- err
			return
		}
		var err error
		conn, err = dialer.DialContext(ctx, "tcp", address)
		if unix.Setns(n.host, unix.CLONE_NEWNET) == nil {
			runtime.UnlockOSThread() // otherwise the thread ends with this goroutine
		}
		done <- err
	}()
	err := <-done
	return conn, err
}

var dialer = net.Dialer{Timeout: 10 * time.Second}

// forward makes an address of the machine's loopback reachable at an address in the namespace.
func (n *network) forward(inside, address string) error {
	var listener net.Listener
	err := n.do(func() (err error) {
		listener, err = net.Listen("tcp", inside)
		return err
	})
	if err != nil {
		return err
	}
	n.addCloser(listener)
	n.group.Go(func() {
		for {
			conn, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				go forwardConn(conn, address)
			}
		}
	})
	return nil
}

func forwardConn(conn net.Conn, address string) {
	defer conn.Close()
	other, err := dialer.Dial("tcp", address)
	if err != nil {
		return
	}
	defer other.Close()
	join(conn, other)
}

// join copies between two connections until both directions have ended.
func join(a, b net.Conn) {
	var group sync.WaitGroup
	for _, pair := range [][2]net.Conn{{a, b}, {b, a}} {
		group.Go(func() {
			_, _ = io.Copy(pair[0], pair[1]) // an error ends the direction, like its end
			if half, ok := pair[0].(interface{ CloseWrite() error }); ok {
				_ = half.CloseWrite()
			}
		})
	}
	group.Wait()
}
