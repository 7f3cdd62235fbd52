// Package command builds kstatus for the tests that run it.
package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Build builds the command as users do, and returns a folder that has it as kstatus. The caller
// removes the folder.
func Build() (dir string, err error) { return build("kstatus", "kstatus.dev/cmd/kstatus") }

// BuildStandIn builds the stand-in under the name of the command, and returns its folder. The
// caller removes the folder.
func BuildStandIn() (dir string, err error) { return build("least", "kstatus.dev/test/cmd/least") }

// build builds a program into bin, where the go command does not link it again while nothing has
// changed: linking takes longer than many tests. The folder has a link to it.
func build(name, pkg string) (dir string, err error) {
	workspace, err := exec.Command("go", "env", "GOWORK").Output()
	if err != nil {
		return "", fmt.Errorf("find the workspace: %w", err)
	}
	ending := ""
	if runtime.GOOS == "windows" {
		ending = ".exe"
	}
	program := filepath.Join(filepath.Dir(strings.TrimSpace(string(workspace))), "bin", name+ending)
	if out, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	if dir, err = os.MkdirTemp("", "kstatus-command-"); err != nil {
		return "", err
	}
	return dir, os.Symlink(program, filepath.Join(dir, "kstatus"+ending))
}
