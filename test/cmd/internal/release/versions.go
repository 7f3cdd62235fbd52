package release

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// Floor builds the libraries and runs their tests in the working tree, without the workspace.
// It uses the versions that their own go.mod files require: the oldest supported ones.
func (w *Workspace) Floor(ctx context.Context) error {
	temp, err := os.MkdirTemp("", "kstatus-floor-")
	if err != nil {
		return err
	}
	defer removeAll(temp)
	for _, m := range w.libraries() {
		run, err := w.standalone(m, filepath.Join(temp, strings.ReplaceAll(m.Path, "/", "_")))
		if err != nil {
			return err
		}
		if err := w.testModule(ctx, run, m, "as required", ""); err != nil {
			return err
		}
	}
	return nil
}

// checkFloor runs the tests of the released libraries at the versions that they require.
func (w *Workspace) checkFloor(ctx context.Context, s *simulation) error {
	for _, m := range s.libraries() {
		run := shell{filepath.Join(s.Root, m.Folder), s.env}
		if err := w.testModule(ctx, run, m, "as required", strings.Join(m.kubernetes(), ", ")); err != nil {
			return err
		}
	}
	return nil
}

// checkNewest runs the tests of the released libraries at the versions of the workspace.
func (w *Workspace) checkNewest(ctx context.Context, s *simulation) error {
	out, err := (shell{folder: w.Root}).goCommand(ctx, "list", "-m", "-f", "{{.Path}} {{.Version}}", "all")
	if err != nil {
		return err
	}
	newest := map[string]string{}
	for line := range strings.Lines(out) {
		if path, version, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			newest[path] = version
		}
	}
	for _, m := range s.libraries() {
		raised := m.older(newest)
		if len(raised) == 0 {
			continue // already tested by checkFloor
		}
		run := shell{filepath.Join(s.Root, m.Folder), s.env}
		if _, err := run.goCommand(ctx, append([]string{"get"}, raised...)...); err != nil {
			return err
		}
		if _, err := run.goCommand(ctx, "mod", "tidy"); err != nil {
			return err
		}
		if err := w.testModule(ctx, run, m, "as in the workspace", strings.Join(raised, ", ")); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workspace) testModule(ctx context.Context, run shell, m Module, which, versions string) error {
	begin := time.Now()
	out, err := run.goCommand(ctx, "test", "./...")
	if err != nil {
		return fmt.Errorf("test %s, other modules %s: %w", m.Path, which, err)
	}
	if versions != "" {
		versions = " (" + versions + ")"
	}
	w.print("test %s, other modules %s%s: %d packages pass in %.0f s", m.Path, which, versions, strings.Count("\n"+out, "\nok"), time.Since(begin).Seconds())
	return nil
}

// kubernetes returns the libraries of Kubernetes and of rules that a module requires directly.
func (m Module) kubernetes() (all []string) {
	for _, r := range m.file.Require {
		name := r.Mod.Path
		if !r.Indirect && (strings.HasPrefix(name, "k8s.io/") || strings.Contains(name, "controller-runtime") || strings.Contains(name, "cel-go")) {
			all = append(all, r.Mod.String())
		}
	}
	return all
}

// older returns the direct requirements of a module with a newer version, as arguments of go
// get.
func (m Module) older(newest map[string]string) (all []string) {
	for _, r := range m.file.Require {
		if version := newest[r.Mod.Path]; !r.Indirect && version != "" && semver.Compare(r.Mod.Version, version) < 0 {
			all = append(all, r.Mod.Path+"@"+version)
		}
	}
	return all
}
