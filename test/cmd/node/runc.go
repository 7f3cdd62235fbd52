//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// runc becomes the program runc.real. The kubelet requests a seccomp profile for every sandbox, and
// a runc without libseccomp refuses it. So runc first removes the profile from the container.
func runc(args []string) error {
	if bundle := bundle(args); bundle != "" {
		if err := removeSeccomp(filepath.Join(bundle, "config.json")); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args[0] = filepath.Join(filepath.Dir(self), "runc.real")
	return syscall.Exec(args[0], args, os.Environ())
}

// bundle returns the folder of the container that the arguments create, and nothing for other
// commands of runc.
func bundle(args []string) string {
	if !slices.Contains(args, "create") {
		return ""
	}
	for i, arg := range args {
		if (arg == "--bundle" || arg == "-b") && i+1 < len(args) {
			return args[i+1]
		}
		if dir, ok := strings.CutPrefix(arg, "--bundle="); ok {
			return dir
		}
	}
	return ""
}

func removeSeccomp(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&spec); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	linux, ok := spec["linux"].(map[string]any)
	if !ok {
		return nil
	}
	delete(linux, "seccomp")
	if text, err = json.Marshal(spec); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
