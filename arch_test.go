package kstatus

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What each package of this module may import from this module. Besides, all
// of them, tests included, import the standard library only.
var mayImport = map[string][]string{
	"":        {},
	"docs":    {},
	"status":  {},
	"observe": {"status"},
	"explain": {"status"},
	"report":  {"status", "observe", "explain"},
	"lint":    {"status", "lint/linttest"},
	"audit":   {"status"},
	"capi":    {"status", "lint", "lint/linttest", "audit"},

	"lint/linttest": {"lint"},
}

// The other modules of the repository; they are not part of this one.
var otherModules = []string{"kube", "cmd", "test", "examples"}

func TestPackagesImportOnlyWhatTheArchitectureAllows(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(otherModules, path) || path != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")
		allowed, known := mayImport[pkg]
		if !known {
			t.Errorf("%s: package %s is not in the architecture", path, pkg)
			return nil
		}
		seen[pkg] = true
		for _, dep := range imports(t, path) {
			local, ours := strings.CutPrefix(dep, "kstatus.dev/")
			switch {
			case ours && local == pkg && strings.HasSuffix(path, "_test.go"):
			case ours && slices.Contains(allowed, local):
			case ours, strings.Contains(strings.SplitN(dep, "/", 2)[0], "."):
				t.Errorf("%s imports %s; it may import the standard library and %v", path, dep, allowed)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !seen["status"] {
		t.Error("package status was not found")
	}
}

func imports(t *testing.T, path string) (all []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, im := range f.Imports {
		all = append(all, strings.Trim(im.Path.Value, `"`))
	}
	return all
}

// The root module requires nothing, so that importing package status costs
// nobody a dependency.
func TestRootModuleRequiresNothing(t *testing.T) {
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "require") {
		t.Errorf("go.mod requires something:\n%s", data)
	}
}
