//go:build linux

package node

import (
	"errors"
	"fmt"
	"net"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// setAddresses enables the interface lo of this thread's namespace, and gives it the addresses of
// the Nodes and of two Services. Each has an alias: lo:0, lo:1, …
func setAddresses(nodes int) error {
	up := request{name: name("lo")}
	*(*uint16)(unsafe.Pointer(&up.data[0])) = unix.IFF_UP | unix.IFF_RUNNING | unix.IFF_LOOPBACK
	if err := up.send(unix.SIOCSIFFLAGS); err != nil {
		return err
	}
	for i := range nodes {
		if err := addAddress(i, address(i)); err != nil {
			return err
		}
	}
	return errors.Join(addAddress(nodes, ServiceIP), addAddress(nodes+1, dnsIP))
}

func addAddress(i int, ip string) error {
	for _, step := range []struct {
		code  uintptr
		value net.IP
	}{
		{unix.SIOCSIFADDR, net.ParseIP(ip).To4()},
		{unix.SIOCSIFNETMASK, net.IPv4bcast.To4()},
	} {
		r := request{name: name(fmt.Sprintf("lo:%d", i))}
		*(*uint16)(unsafe.Pointer(&r.data[0])) = unix.AF_INET
		copy(r.data[4:8], step.value)
		if err := r.send(step.code); err != nil {
			return fmt.Errorf("address %s of lo: %w", ip, err)
		}
	}
	return nil
}

// request is struct ifreq of netdevice(7).
type request struct {
	name [16]byte
	data [24]byte
}

func name(text string) (n [16]byte) {
	copy(n[:], text)
	return n
}

func (r *request) send(code uintptr) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), code, uintptr(unsafe.Pointer(r))); errno != 0 {
		return os.NewSyscallError("ioctl", errno)
	}
	return nil
}
