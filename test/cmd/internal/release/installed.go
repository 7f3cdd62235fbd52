package release

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// command is the folder of the module with the command.
const command = "cmd/kstatus"

// checkCommand installs the command as users do, and runs it. It compares the versions of its
// modules with those in the workspace, with which the command is built and tested.
func (w *Workspace) checkCommand(ctx context.Context, s *simulation) error {
	sh, err := s.newShell("install")
	if err != nil {
		return err
	}
	target := w.Path + "/" + command + "@" + w.Version
	if _, err := sh.with("GOBIN="+sh.folder).goCommand(ctx, "install", target); err != nil {
		return err
	}
	binary := filepath.Join(sh.folder, "kstatus")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	version, err := sh.run(ctx, binary, "version")
	if err != nil {
		return err
	}
	w.print("go install %s: %d MB; kstatus version: %s", target, size(binary)/1e6, firstLine(version))
	verdict, err := sh.run(ctx, binary, "get", "--local", "-f", filepath.Join(s.Root, "test/cmd/internal/release/testdata/deployment.yaml"))
	if err != nil {
		return err
	}
	w.print("kstatus get --local: %s", strings.Join(strings.Fields(lastLine(verdict)), " "))
	ours := filepath.Join(s.temp, "workspace-kstatus")
	if _, err := (shell{folder: w.Root}).goCommand(ctx, "build", "-o", ours, "./"+command); err != nil {
		return err
	}
	return w.compareModules(binary, ours)
}

// compareModules returns an error with each module that has different versions in two binaries.
func (w *Workspace) compareModules(installed, built string) error {
	have, err := w.modulesOf(installed)
	if err != nil {
		return err
	}
	want, err := w.modulesOf(built)
	if err != nil {
		return err
	}
	if err := repairs(have, want); err != nil {
		return err
	}
	w.print("go version -m: %d modules, in the versions of the workspace", len(want))
	return nil
}

// repairs returns an error with each module of the workspace that has another version in the
// installed command. The error contains the command that fixes it.
func repairs(have, want map[string]string) error {
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if have[path] != want[path] {
			errs = append(errs, fmt.Errorf("%s: want %s as in the workspace, go install takes %q; repair: (cd %s && GOWORK=off go mod edit -require=%s@%s)",
				path, want[path], have[path], command, path, want[path]))
		}
	}
	if len(errs) > 0 {
		errs = append(errs, errors.New("then: go run ./test/cmd/release tidy"))
	}
	return errors.Join(errs...)
}

// modulesOf returns the versions of the modules in a binary, without our own.
func (w *Workspace) modulesOf(binary string) (map[string]string, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for _, dep := range info.Deps {
		if !w.own(dep.Path) {
			versions[dep.Path] = dep.Version
		}
	}
	return versions, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
