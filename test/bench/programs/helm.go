//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// runHelm installs and upgrades a chart with the command of Helm.
func runHelm(ctx context.Context, r *trial) error {
	for name, text := range chart(r.count) {
		file := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for i, phase := range []string{"install", "upgrade"} {
		cmd := exec.CommandContext(ctx, r.path, phase, "shop", filepath.Join(r.dir, "shop"), "--namespace", namespace, "--wait", "--timeout", within.String(), "--set", "tag="+versions[i])
		cmd.Env = append(os.Environ(), r.environment()...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("helm %s: %w\n%s", phase, err, out)
		}
		used := cost{processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			used.peak = int64(usage.Maxrss) << 10 // Linux counts kilobytes
		}
		if err := r.report("helm "+phase+" --wait", versions[i], used); err != nil {
			return err
		}
	}
	return nil
}
