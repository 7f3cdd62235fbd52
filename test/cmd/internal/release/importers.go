package release

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An importer is a program that starts to use one of our modules.
type importer struct {
	name     string   // of its folder in test/cmd/internal/release/importer
	module   string   // the module that it starts to require, without the path of the root module
	requires []string // its requirements before
}

// kubernetes is the version of Kubernetes' libraries in the importers: the oldest that we
// support.
const kubernetes = "v0.35.0"

var importers = []importer{
	{name: "status"},
	{"wait", "/kube", []string{"k8s.io/api@" + kubernetes, "k8s.io/apimachinery@" + kubernetes, "k8s.io/client-go@" + kubernetes}},
	{"conditions", "/kube/conditions", []string{"k8s.io/apimachinery@" + kubernetes}},
}

// checkImporters builds and runs each importer outside the repository, first without our module
// and then with it, and prints the difference in cost.
func (w *Workspace) checkImporters(ctx context.Context, s *simulation) error {
	for _, i := range importers {
		if err := w.checkImporter(ctx, s, i); err != nil {
			return fmt.Errorf("a program that imports %s: %w", i.name, err)
		}
	}
	return nil
}

func (w *Workspace) checkImporter(ctx context.Context, s *simulation, i importer) error {
	sh, err := s.newShell("import-" + i.name)
	if err != nil {
		return err
	}
	if _, err := sh.goCommand(ctx, "mod", "init", "example.com/importer"); err != nil {
		return err
	}
	before, err := w.build(ctx, s, sh, i.name, "before.go", i.requires)
	if err != nil {
		return err
	}
	after, err := w.build(ctx, s, sh, i.name, "main.go", append(i.requires, w.Path+i.module+"@"+w.Version))
	if err != nil {
		return err
	}
	said, err := sh.run(ctx, after.binary)
	if err != nil {
		return err
	}
	w.print("import %s: go list -m all %d, before %d; %.1f MB, before %.1f MB; it prints: %s",
		i.name, after.modules, before.modules, float64(size(after.binary))/1e6, float64(size(before.binary))/1e6, firstLine(said))
	for line := range strings.Lines(difference(before.goMod, after.goMod)) {
		w.print("  go.mod: %s", strings.TrimSpace(line))
	}
	return nil
}

// A built is an importer after a build.
type built struct {
	goMod   string
	modules int // number of lines of go list -m all
	binary  string
}

// build builds an importer from one of its files.
func (w *Workspace) build(ctx context.Context, s *simulation, sh shell, name, file string, requires []string) (built, error) {
	text, err := os.ReadFile(filepath.Join(s.Root, "test/cmd/internal/release/importer", name, file))
	if err != nil {
		return built{}, err
	}
	if file == "before.go" {
		text = append(text, "\nfunc main() {}\n"...)
	}
	if err := os.WriteFile(filepath.Join(sh.folder, file), text, 0o644); err != nil {
		return built{}, err
	}
	if len(requires) > 0 {
		if _, err := sh.goCommand(ctx, append([]string{"get"}, requires...)...); err != nil {
			return built{}, err
		}
	}
	if file == "main.go" { // it has its own func main
		text, err := os.ReadFile(filepath.Join(s.Root, "test/cmd/internal/release/importer", name, "before.go"))
		if err != nil {
			return built{}, err
		}
		if err := os.WriteFile(filepath.Join(sh.folder, "before.go"), text, 0o644); err != nil {
			return built{}, err
		}
	}
	b := built{binary: filepath.Join(sh.folder, strings.TrimSuffix(file, ".go")+".exe")}
	if _, err := sh.goCommand(ctx, "mod", "tidy"); err != nil {
		return built{}, err
	}
	if _, err := sh.goCommand(ctx, "build", "-o", b.binary, "."); err != nil {
		return built{}, err
	}
	all, err := sh.goCommand(ctx, "list", "-m", "all")
	if err != nil {
		return built{}, err
	}
	b.modules = strings.Count(all, "\n")
	b.goMod, err = readOptional(filepath.Join(sh.folder, "go.mod"))
	return b, err
}

// size returns the size of a file in bytes; 0 if it does not exist.
func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}
