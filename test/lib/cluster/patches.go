package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"kstatus.dev/test/lib/process"
)

// A Patch replaces a text in a source file when the programs are built. The file is given by its
// path below the folder of the module.
type Patch struct{ File, Old, New string }

// applyPatches copies the module to a folder, with all its sources in a vendor folder, and
// applies the amendments to them.
func (r recipe) applyPatches(ctx context.Context, folder string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(r.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "vendor")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if told, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod vendor of %s: %w\n%s", r.dir, err, process.LastLines(string(told), 20))
	}
	for _, a := range r.suite.patches {
		file := filepath.Join(folder, "vendor", filepath.FromSlash(r.suite.module), filepath.FromSlash(a.File))
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.Count(string(text), a.Old) != 1 {
			return fmt.Errorf("%s of %s %s: want %q once", a.File, r.suite.module, r.version, a.Old)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), a.Old, a.New, 1)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
