//go:build linux

package node_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/test/lib/node/cgroup"
)

// settings are the kernel settings that a kubelet or a CNI plugin sets.
var settings = []string{
	"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
	"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes", "net/ipv4/ip_forward",
}

// folders are what the programs of a Node would write to without their own mounts.
var folders = []string{
	"/var/lib/kubelet", "/var/lib/cni", "/var/lib/containerd", "/run/containerd", "/etc/cni", "/opt/cni",
	"/opt/containerd", "/var/log/pods", "/var/log/containers",
}

// machineState returns the settings of the machine, its interfaces and those of the folders that exist.
func machineState(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, setting := range settings {
		value, err := os.ReadFile("/proc/sys/" + setting)
		if err != nil {
			t.Fatal(err)
		}
		state["setting "+setting] = strings.TrimSpace(string(value))
	}
	interfaces, err := filepath.Glob("/sys/class/net/veth*")
	if err != nil {
		t.Fatal(err)
	}
	state["interfaces"] = strings.Join(interfaces, " ")
	for _, folder := range folders {
		if _, err := os.Stat(folder); err == nil {
			state["folder "+folder] = "exists"
		}
	}
	return state
}

// checkUnchanged compares the machine with an earlier state.
func checkUnchanged(t *testing.T, before map[string]string) {
	t.Helper()
	if after := machineState(t); !maps.Equal(after, before) {
		t.Errorf("the machine differs: have %v, want %v", after, before)
	}
}

// checkNothingLeft looks for mounts and processes that belong to the cluster in a folder, and for
// groups of this process.
func checkNothingLeft(t *testing.T, dir string) {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(mounts), dir) {
		t.Errorf("mounts are left:\n%s", mounts)
	}
	for _, pid := range processesOf(t, dir) {
		t.Errorf("process %s is left", pid)
	}
	groups, err := cgroup.Left()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range groups {
		if name == cgroup.Own() {
			t.Errorf("the control group %s is left", name)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("the folder %s is left", dir)
	}
}

// processesOf returns the processes whose program or arguments are below a folder.
func processesOf(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, process := range all {
		// A process that has ended in the meantime has neither.
		arguments, _ := os.ReadFile(filepath.Join(process, "cmdline"))
		program, _ := os.Readlink(filepath.Join(process, "exe"))
		if strings.Contains(string(arguments), dir) || strings.HasPrefix(program, dir) {
			found = append(found, fmt.Sprintf("%s (%s)", filepath.Base(process), strings.ReplaceAll(string(arguments), "\x00", " ")))
		}
	}
	return found
}
