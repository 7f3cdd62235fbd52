//go:build linux

// Package cgroup creates, joins and removes control groups in every mounted hierarchy. A machine
// with cgroup v1 has one hierarchy for each controller, and often one of v2 without controllers.
package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// top is the folder below which the hierarchies are mounted.
const top = "/sys/fs/cgroup"

// needed are the controllers of cgroup v1 without which a kubelet does not start.
var needed = []string{"cpu", "cpuacct", "cpuset", "memory", "pids"}

// Supported returns nil if the controllers of cgroup v1 are mounted and this process can create
// groups.
func Supported() error {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return err
	}
	mounted := controllers(string(mounts))
	for _, controller := range needed {
		if !slices.Contains(mounted, controller) {
			return fmt.Errorf("the controller %s of cgroup v1 is not mounted below %s", controller, top)
		}
	}
	probe := fmt.Sprintf("%s%d-probe", prefix, os.Getpid())
	if err := Create(probe); err != nil {
		return errors.Join(fmt.Errorf("no cgroup can be created: %w", err), Remove(probe))
	}
	return Remove(probe)
}

// controllers returns the options of all mounts of cgroup v1, which include the controllers.
func controllers(mounts string) []string {
	var found []string
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		if len(fields) > 3 && fields[2] == "cgroup" {
			found = append(found, strings.Split(fields[3], ",")...)
		}
	}
	return found
}

// hierarchies returns the folders of all hierarchies. They include that of v2, in which runc
// creates groups too.
func hierarchies() ([]string, error) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return nil, err
	}
	var found []string
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		if len(fields) > 2 && strings.HasPrefix(fields[1], top) && strings.HasPrefix(fields[2], "cgroup") {
			found = append(found, fields[1])
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no cgroups are mounted below %s", top)
	}
	return found, nil
}

// prefix is the prefix of the names of all groups. The process ID of their owner follows.
const prefix = "kstatus-"

// Own returns the name of the top group of this process.
func Own() string { return prefix + strconv.Itoa(os.Getpid()) }

// Create creates a group below its parents, and missing parents, in every hierarchy.
func Create(names ...string) error {
	tops, err := hierarchies()
	if err != nil {
		return err
	}
	for _, dir := range tops {
		for _, name := range names {
			dir = filepath.Join(dir, name)
			if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			if err := inheritProcessors(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// inheritProcessors copies the processors and memory nodes of the parent. In the hierarchy of
// cpuset, a new group has none and accepts no process.
func inheritProcessors(dir string) error {
	for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
		parent, err := os.ReadFile(filepath.Join(filepath.Dir(dir), file))
		if errors.Is(err, fs.ErrNotExist) {
			continue // another hierarchy
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), parent, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Join moves this process to a group in every hierarchy.
func Join(names ...string) error {
	tops, err := hierarchies()
	if err != nil {
		return err
	}
	for _, dir := range tops {
		file := filepath.Join(dir, filepath.Join(names...), "cgroup.procs")
		if err := os.WriteFile(file, []byte("0"), 0o644); err != nil { // 0 is the writer
			return fmt.Errorf("joining the group %s: %w", file, err)
		}
	}
	return nil
}

// Remove removes a group and all groups below it, in every hierarchy. Their processes have ended,
// or are about to end.
func Remove(names ...string) error {
	tops, err := hierarchies()
	if err != nil {
		return err
	}
	var errs []error
	for _, dir := range tops {
		var groups []string
		// Groups that disappear during the walk need not be removed.
		_ = filepath.WalkDir(filepath.Join(dir, filepath.Join(names...)), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				groups = append(groups, path)
			}
			return nil
		})
		for _, group := range slices.Backward(groups) {
			errs = append(errs, remove(group))
		}
	}
	return errors.Join(errs...)
}

// remove removes one group. The kernel needs a moment after the end of its last process.
func remove(group string) error {
	var err error
	for range 250 {
		err = syscall.Rmdir(group)
		if !errors.Is(err, syscall.EBUSY) {
			break
		}
		time.Sleep(20 * time.Millisecond) // the kernel reports no end of the removal of a process
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("removing the group %s: %w", group, err)
}

// Sweep removes the groups of processes that have ended without cleaning up, such as after
// SIGKILL.
func Sweep() error {
	names, err := Left()
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		pid, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && !alive(n) {
			errs = append(errs, Remove(name))
		}
	}
	return errors.Join(errs...)
}

// Left returns the names of all top groups of this package, whatever their owner.
func Left() ([]string, error) {
	tops, err := hierarchies()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, dir := range tops {
		found, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			names = append(names, filepath.Base(path))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// alive reports whether a process runs. A zombie has ended, although its process ID exists.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
