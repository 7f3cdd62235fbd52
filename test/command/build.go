// Package command builds kstatus for the tests that run it.
package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Build builds the command as users do, and returns its folder. The caller removes the folder.
func Build() (dir string, err error) { return build("kstatus.dev/cmd/kstatus") }

// BuildStandIn builds the stand-in under the name of the command, and returns its folder. The
// caller removes the folder.
func BuildStandIn() (dir string, err error) { return build("kstatus.dev/test/cmd/least") }

func build(pkg string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "kstatus-command-"); err != nil {
		return "", err
	}
	name := "kstatus"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return dir, nil
}
