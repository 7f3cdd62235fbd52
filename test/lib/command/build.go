// Package command builds kstatus for the tests that run it.
package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Build builds the command as users do, and returns its folder. The caller removes the folder.
func Build() (dir string, err error) { return build("kstatus.dev/cmd/kstatus") }

// BuildStandIn builds the stand-in under the name of the command, and returns its folder. The
// caller removes the folder.
func BuildStandIn() (dir string, err error) { return build("kstatus.dev/test/cmd/least") }

// tags are the build tags of releases: TAGS in the Makefile.
const tags = "kustomize_disable_go_plugin_support"

// build builds a program in bin/tests of the repository, and returns a folder with a link to it.
// Many packages of tests need the same program, and to link it takes longer than most of their
// tests. The go command links a program again only if it has changed.
func build(pkg string) (dir string, err error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "kstatus.dev").Output()
	if err != nil {
		return "", fmt.Errorf("find the module kstatus.dev: %w", err)
	}
	name := "kstatus"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	kept := filepath.Join(strings.TrimSpace(string(root)), "bin", "tests", path.Base(pkg))
	if err := os.MkdirAll(kept, 0o755); err != nil {
		return "", err
	}
	// The link keeps the program of this caller if another build replaces it.
	unlock, err := lockedfile.MutexAt(filepath.Join(kept, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	program := filepath.Join(kept, name)
	if out, err := exec.Command("go", "build", "-tags", tags, "-o", program, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	if dir, err = os.MkdirTemp(kept, "of-"); err != nil {
		return "", err
	}
	if err := os.Link(program, filepath.Join(dir, name)); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}
