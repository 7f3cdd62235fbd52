//go:build linux

// Package boot is process 1 of a Node. It mounts the Node's own file systems, starts its programs
// and reaps its orphans. When it ends, the kernel ends all processes and mounts of the Node.
package boot

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Spec describes a Node to its process 1.
type Spec struct {
	Name     string
	Dir      string   // the folder of the Node
	Group    []string // the control group of the Node's own programs
	Path     string   // the variable PATH of the programs
	Programs []Program
}

// Program is one of the programs that process 1 starts, in their order.
type Program struct {
	Name string
	File string
	Args []string
	// Socket, if not empty, is a Unix socket. The program has started when it accepts connections.
	Socket string
}

// SpecFile returns the file of the Spec in the folder of a Node.
func SpecFile(dir string) string { return filepath.Join(dir, "boot.json") }

// Socket returns the Unix socket on which process 1 takes requests; see [Request].
func Socket(dir string) string { return filepath.Join(dir, "boot.sock") }

// Sysctls returns the folder with a file for each kernel setting that the Node must not change. The
// name of a file is that of its setting, such as kernel.panic.
func Sysctls(dir string) string { return filepath.Join(dir, "sysctl") }

// Write writes the Spec to its file.
func (s Spec) Write() error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(SpecFile(s.Dir), text, 0o600)
}

func readSpec(path string) (Spec, error) {
	var s Spec
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("the description of the Node: %w", err)
	}
	return s, nil
}
