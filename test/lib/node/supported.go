//go:build linux

package node

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"

	"kstatus.dev/test/lib/node/cgroup"
)

// Supported returns nil if this machine can run real Nodes. Otherwise its error is one line with the
// reason.
func Supported() error {
	if os.Geteuid() != 0 {
		return errors.New("real Nodes need root")
	}
	if _, _, err := FindRunc(); err != nil {
		return err
	}
	if err := cgroup.Supported(); err != nil {
		return fmt.Errorf("real Nodes need cgroup v1: %w", err)
	}
	if err := tryNamespaces(); err != nil {
		return fmt.Errorf("real Nodes need namespaces and overlay mounts: %w", err)
	}
	return nil
}

// FindRunc returns the installed runc on a machine without a C compiler, and nothing with one: there,
// runc is built.
func FindRunc() (installed string, found bool, err error) {
	if _, err := exec.LookPath("cc"); err == nil {
		return "", false, nil
	}
	if installed, err = exec.LookPath("runc"); err != nil {
		return "", false, errors.New("real Nodes need runc: neither a C compiler, cc, nor an installed runc is in PATH")
	}
	return installed, true, nil
}

// tryNamespaces creates the namespaces of a Node, and an overlay, on a thread that then ends.
func tryNamespaces() error {
	dir, err := os.MkdirTemp("", "kstatus-node-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"upper", "work", "merged"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
	}
	tried := make(chan error)
	go func() {
		runtime.LockOSThread() // without unlocking, the thread and its namespaces end with this goroutine
		tried <- tryOverlay(dir)
	}()
	return <-tried
}

func tryOverlay(dir string) error {
	if err := unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC); err != nil {
		return os.NewSyscallError("unshare", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return os.NewSyscallError("mount", err)
	}
	data := "lowerdir=/var,upperdir=" + filepath.Join(dir, "upper") + ",workdir=" + filepath.Join(dir, "work")
	merged := filepath.Join(dir, "merged")
	if err := unix.Mount("overlay", merged, "overlay", 0, data); err != nil {
		return fmt.Errorf("overlay on %s: %w", dir, err)
	}
	return unix.Unmount(merged, 0)
}
