package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A patch replaces a source file by another text when the programs are built. The file is
// given by its path below the module's folder.
type patch struct{ file, old, new string }

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
		return fmt.Errorf("go mod vendor of %s: %w\n%s", r.dir, err, lastLines(string(told), 20))
	}
	for _, a := range r.suite.patches {
		file := filepath.Join(folder, "vendor", filepath.FromSlash(r.suite.module), filepath.FromSlash(a.file))
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.Count(string(text), a.old) != 1 {
			return fmt.Errorf("%s of %s %s: want %q once", a.file, r.suite.module, r.version, a.old)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), a.old, a.new, 1)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// source downloads the module of the programs and returns its folder.
func (r recipe) source(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", r.suite.module)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	told, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(told, &module); err != nil || jsonErr != nil || module.Dir == "" {
		return "", fmt.Errorf("go mod download %s in %s: %v %s", r.suite.module, r.dir, errors.Join(err, jsonErr), module.Error)
	}
	return module.Dir, nil
}
