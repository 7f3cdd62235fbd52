package kstatus

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// within is the folder of the command's packages.
const within = "cmd/kstatus/internal/"

// inside returns the names of packages of the command.
func inside(names string) string { return under(within, names) }

// under returns the names of packages in a folder.
func under(folder, names string) string {
	return " " + folder + strings.Join(strings.Fields(names), " "+folder) + " "
}

// A folder holds the Go files of one package.
type folder struct {
	files map[string]file // by name
}

type file struct {
	imports []string
	lines   int
}

// size is the size of a package, or its limit.
type size struct{ lines, files int }

// budget is the largest permitted size of a package.
var budget = size{lines: 2000, files: 25}

// own is the prefix of the paths of all packages of this repository.
const own = "kstatus.dev/"

func TestPackagesImportOnlyWhatTheArchitectureAllows(t *testing.T) {
	rows := map[string]row{}
	for _, r := range architecture {
		if _, twice := rows[r.folder]; twice {
			t.Errorf("package %s has two rows", r.folder)
		}
		rows[r.folder] = r
	}
	found := folders(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t.Run(name, func(t *testing.T) {
			r, known := rows[name]
			if !known {
				t.Fatalf("package %s has no row in arch_table_test.go", name)
			}
			for at, f := range found[name].files {
				for _, dep := range f.imports {
					if !r.allows(dep, strings.HasSuffix(at, "_test.go")) {
						t.Errorf("%s/%s imports %s; the row of the package does not allow it", name, at, dep)
					}
				}
			}
		})
	}
	for name := range rows {
		if _, exists := found[name]; !exists {
			t.Errorf("the row %s is of a package that does not exist", name)
		}
	}
}

// allows reports whether a file of a package may import a path.
func (r row) allows(dep string, test bool) bool {
	first, _, _ := strings.Cut(dep, "/")
	if !strings.Contains(first, ".") {
		return true // the standard library
	}
	may := strings.Fields(r.may)
	if test {
		may = append(may, strings.Fields(r.tests)...)
		may = append(may, r.folder)
		may = append(may, sharedByTests...)
	}
	if local, ours := strings.CutPrefix(dep, own); ours {
		return slices.Contains(may, local) || r.shipped() && slices.Contains(shared, local)
	}
	return slices.ContainsFunc(may, func(prefix string) bool {
		return dep == prefix || strings.HasPrefix(dep, prefix+"/")
	})
}

// shipped reports whether users get the package: it is neither a test nor the example.
func (r row) shipped() bool {
	first, _, _ := strings.Cut(r.folder, "/")
	return first != "test" && first != "examples"
}

// A package is small enough to be read as a whole. Tables of rules, hints, causes and checks do
// not count: readers read one of their files at a time.
func TestPackagesAreSmall(t *testing.T) {
	found := folders(t)
	for _, r := range architecture {
		t.Run(r.folder, func(t *testing.T) {
			have, limit := found[r.folder].size(r.tables), budget
			if more, large := larger[r.folder]; large {
				limit = more
				if have.lines <= budget.lines && have.files <= budget.files {
					t.Errorf("package %s is within the budget: it needs no row in larger", r.folder)
				}
			}
			if have.lines > limit.lines || have.files > limit.files {
				t.Errorf("package %s has %d lines in %d files, want at most %d in %d", r.folder, have.lines, have.files, limit.lines, limit.files)
			}
		})
	}
}

// size counts files that are neither tests nor tables.
func (f folder) size(tables string) (n size) {
	for name, file := range f.files {
		table := slices.ContainsFunc(strings.Fields(tables), func(pattern string) bool {
			matches, _ := path.Match(pattern, name)
			return matches
		})
		if !table && !strings.HasSuffix(name, "_test.go") {
			n.lines += file.lines
			n.files++
		}
	}
	return n
}

// wings lists the folders that could be lifted out into repositories of their own, with the packages
// of other wings that each may import.
var wings = map[string][]string{
	"author": nil,
	// The checks of the contract are checks of the linter, with its findings and roles.
	"clusterapi": {"author/lint", "author/lint/linttest", "author/roles", "author/severity"},
	"dropin":     nil,
}

// The packages that judge, explain and read clusters import no wing. Wings import these packages, and
// not each other.
func TestWingsImportReadersOnly(t *testing.T) {
	for name, f := range folders(t) {
		wing := wingOf(name)
		if wing == "" && !slices.Contains([]string{"status", "observe", "explain", "report", "redact", "internal", "kube"}, top(name)) {
			continue // the command, examples and tests import all
		}
		for at, file := range f.files {
			for _, dep := range file.imports {
				local, ours := strings.CutPrefix(dep, own)
				other := wingOf(local)
				if !ours || other == "" || other == wing || slices.Contains(wings[wing], local) {
					continue
				}
				t.Errorf("%s/%s imports %s of another wing", name, at, local)
			}
		}
	}
}

func top(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

// wingOf returns the wing that a package is in, or "".
func wingOf(name string) string {
	if _, is := wings[top(name)]; is {
		return top(name)
	}
	return ""
}

// The packages of the command form few layers.
func TestCommandHasFewLayers(t *testing.T) {
	found := folders(t)
	var layer func(name string) int
	layer = func(name string) int {
		below := 0
		for at, f := range found[name].files {
			for _, dep := range f.imports {
				if local := strings.TrimPrefix(dep, own); strings.HasPrefix(local, within) && !strings.HasSuffix(at, "_test.go") {
					below = max(below, layer(local))
				}
			}
		}
		return below + 1
	}
	for name := range found {
		if strings.HasPrefix(name, within) && layer(name) > 7 {
			t.Errorf("package %s is in layer %d of the command, want at most 7 layers", name, layer(name))
		}
	}
}

// folders reads the packages of all modules of the workspace.
func folders(t *testing.T) map[string]folder {
	t.Helper()
	work, err := os.ReadFile("go.work")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]folder{}
	err = filepath.WalkDir(".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && outside(at, string(work)):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(at, ".go"):
			return nil
		}
		name := filepath.ToSlash(filepath.Dir(at))
		if _, known := all[name]; !known {
			all[name] = folder{files: map[string]file{}}
		}
		all[name].files[d.Name()] = read(t, at)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// outside reports whether a folder is not part of the workspace. The go command ignores such a
// folder, or it is a module that go.work does not list.
func outside(at, work string) bool {
	if at == "." {
		return false
	}
	name := filepath.Base(at)
	if name == "testdata" || strings.HasPrefix(name, ".") {
		return true
	}
	_, err := os.Stat(filepath.Join(at, "go.mod"))
	return err == nil && !strings.Contains(work, "\t./"+filepath.ToSlash(at)+"\n")
}

func read(t *testing.T, at string) file {
	t.Helper()
	text, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), at, text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	f := file{lines: strings.Count(string(text), "\n")}
	for _, im := range parsed.Imports {
		f.imports = append(f.imports, strings.Trim(im.Path.Value, `"`))
	}
	return f
}

// Each module with libraries requires only what its packages need. So importing one package
// does not add the dependencies of another. The root module requires nothing.
func TestModulesRequireOnlyWhatTheyAreFor(t *testing.T) {
	for _, m := range modules {
		t.Run(m.folder, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(m.folder, "go.mod"))
			if err != nil {
				t.Fatal(err)
			}
			if m.requires == "" && strings.Contains(string(data), "require") {
				t.Errorf("go.mod requires something:\n%s", data)
			}
			for line := range strings.Lines(string(data)) {
				fields := strings.Fields(strings.TrimPrefix(line, "require "))
				required := len(fields) >= 2 && strings.HasPrefix(fields[1], "v") && !strings.Contains(line, "// indirect")
				if required && m.requires != anything && !slices.Contains(strings.Fields(m.requires), fields[0]) {
					t.Errorf("go.mod requires %s; the row of the module in arch_page_test.go does not allow it", fields[0])
				}
			}
		})
	}
}

// Every module of the workspace has a row, and every row a module.
func TestModulesOfTheWorkspaceHaveRows(t *testing.T) {
	work, err := os.ReadFile("go.work")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		use := "\t./" + m.folder + "\n"
		if m.folder == "." {
			use = "\t.\n"
		}
		if !strings.Contains(string(work), use) {
			t.Errorf("go.work does not use %s", m.folder)
		}
	}
	uses, _, _ := strings.Cut(string(work), ")")
	if have := strings.Count(uses, "\t."); have != len(modules) {
		t.Errorf("go.work uses %d modules, arch_page_test.go has %d", have, len(modules))
	}
}

// A reason that code compares is a constant of package status, so that a change of its name is found.
func TestComparedReasonsAreConstants(t *testing.T) {
	literal := regexp.MustCompile(`Result\.Reason (==|!=) "[A-Z]`)
	for name, f := range folders(t) {
		for file := range f.files {
			at := path.Join(name, file)
			text, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			if found := literal.Find(text); found != nil && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s has %s…, want a constant of package status", at, found)
			}
		}
	}
}
