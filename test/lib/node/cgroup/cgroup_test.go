//go:build linux

package cgroup

import (
	"os"
	"slices"
	"testing"
)

func TestControllers(t *testing.T) {
	const mounts = `tmpfs /sys/fs/cgroup tmpfs rw,mode=755 0 0
cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw,nsdelegate 0 0
short
`
	want := []string{"rw", "relatime", "cpu", "cpuacct"}
	if have := controllers(mounts); !slices.Equal(have, want) {
		t.Errorf("controllers = %q, want %q", have, want)
	}
}

func TestAlive(t *testing.T) {
	if !alive(os.Getpid()) {
		t.Error("this process does not run")
	}
	if alive(1 << 30) {
		t.Error("a process runs whose ID is too large")
	}
}

// A group is created, and removed again.
func TestGroups(t *testing.T) {
	if err := Supported(); err != nil {
		t.Skip(err)
	}
	if err := Create(Own(), "a", "b"); err != nil {
		t.Fatal(err)
	}
	left, err := Left()
	if err != nil || !slices.Contains(left, Own()) {
		t.Errorf("Left = %q, %v, want %s", left, err, Own())
	}
	if err := Sweep(); err != nil {
		t.Error(err)
	}
	if left, err = Left(); err != nil || !slices.Contains(left, Own()) {
		t.Errorf("Sweep has removed the group of a running process: %q, %v", left, err)
	}
	if err := Remove(Own()); err != nil {
		t.Error(err)
	}
	if left, err = Left(); err != nil || slices.Contains(left, Own()) {
		t.Errorf("Left after Remove = %q, %v", left, err)
	}
}
