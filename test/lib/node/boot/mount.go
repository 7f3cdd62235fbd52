//go:build linux

package boot

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

type mount struct {
	source, target, kind string
	flags                uintptr
	data                 string
}

// mountAll gives the Node its own /proc, /run and /var. It writes to /var in its own folder.
func (s Spec) mountAll() error {
	in := func(name string) string { return filepath.Join(s.Dir, name) }
	mounts := []mount{
		{target: "/", flags: unix.MS_REC | unix.MS_PRIVATE},
		{"proc", "/proc", "proc", unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC, ""},
		{"tmpfs", "/run", "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=755"},
		{"overlay", "/var", "overlay", 0, "lowerdir=/var,upperdir=" + in("var") + ",workdir=" + in("var-work")},
	}
	if _, err := os.Stat(in("resolv.conf")); err == nil {
		mounts = append(mounts, mount{source: in("resolv.conf"), target: "/etc/resolv.conf", flags: unix.MS_BIND})
	}
	// A kubelet sets some kernel settings for the whole machine unless they have its values. It
	// finds these values in files that are mounted over the settings.
	sysctls, err := os.ReadDir(Sysctls(s.Dir))
	if err != nil {
		return err
	}
	for _, sysctl := range sysctls {
		mounts = append(mounts, mount{
			source: filepath.Join(Sysctls(s.Dir), sysctl.Name()), flags: unix.MS_BIND,
			target: "/proc/sys/" + strings.ReplaceAll(sysctl.Name(), ".", "/"),
		})
	}
	// A kubelet passes mounts to containers and receives theirs.
	mounts = append(mounts, mount{target: "/", flags: unix.MS_REC | unix.MS_SHARED})
	for _, m := range mounts {
		if err := unix.Mount(m.source, m.target, m.kind, m.flags, m.data); err != nil {
			return fmt.Errorf("mounting %s: %w", m.target, err)
		}
	}
	return nil
}
