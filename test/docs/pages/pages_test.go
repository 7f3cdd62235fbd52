package pages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
)

// root is the folder of the repository.
const root = "../../.."

var (
	live cluster.Shared
	bin  string // the folder with kstatus, kubectl-kstatus, kubectl, helm and jq
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := programs()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bin = dir
		return live.Main(m)
	}())
}

// programs returns a folder with the programs that pages call. The caller removes it.
func programs() (dir string, err error) {
	if dir, err = command.Build(); err != nil {
		return "", err
	}
	paths, err := cluster.BuildClients(context.Background(), os.Stderr)
	if err == nil {
		paths["kubectl-kstatus"] = filepath.Join(dir, "kstatus")
		for name, path := range paths {
			if err = os.Symlink(path, filepath.Join(dir, string(name))); err != nil {
				break
			}
		}
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// allPages returns the pages, from the root of the repository. The README is the last one, because
// the objects that it leaves take longest to be removed.
func allPages(t *testing.T) []string {
	t.Helper()
	guides, err := filepath.Glob(filepath.Join(root, "docs/guides/*.md"))
	if err != nil || len(guides) < 10 {
		t.Fatalf("have %d guides, %v", len(guides), err)
	}
	var pages []string
	for _, guide := range guides {
		pages = append(pages, "docs/guides/"+filepath.Base(guide))
	}
	return append(pages, "README.md")
}

// TestCommands runs the commands of each page.
func TestCommands(t *testing.T) {
	together := map[string][]string{}
	for _, page := range allPages(t) {
		object := sharing[page]
		if object == "" {
			t.Run(name(page), func(t *testing.T) {
				t.Parallel()
				runPage(t, page, "")
			})
		}
		together[object] = append(together[object], page)
	}
	for object, remove := range shared {
		t.Run(object, func(t *testing.T) {
			t.Parallel()
			before := ""
			for _, page := range together[object] {
				t.Run(name(page), func(t *testing.T) { runPage(t, page, before) })
				before = remove
			}
		})
	}
}

func name(page string) string { return strings.TrimSuffix(filepath.Base(page), ".md") }

// runPage runs the script before, and then the commands of a page.
func runPage(t *testing.T, page, before string) {
	blocks, scripts := readPage(t, page)
	if len(scripts) == 0 {
		return
	}
	s := newStage(t, page, blocks, before)
	for _, commands := range scripts {
		s.run(t, commands)
	}
	s.checkUse(t)
}

// readPage returns the blocks of a page, and the commands of each block that has some.
func readPage(t *testing.T, page string) (blocks []block, scripts [][]commandLine) {
	t.Helper()
	blocks, err := readBlocks(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		commands, err := b.commands()
		if err != nil {
			t.Errorf("%s: %v", page, err)
		}
		if len(commands) > 0 {
			scripts = append(scripts, commands)
		}
	}
	return blocks, scripts
}

// TestTables checks that each row of a table names a command of a page.
func TestTables(t *testing.T) {
	known := map[row]bool{}
	for _, page := range allPages(t) {
		_, scripts := readPage(t, page)
		for _, c := range slices.Concat(scripts...) {
			known[row{page, c.name()}] = true
		}
	}
	for page, object := range sharing {
		if !slices.Contains(allPages(t), page) || shared[object] == "" {
			t.Errorf("table sharing: there is no page %s, or no object %q", page, object)
		}
	}
	for r := range exits {
		if !known[r] {
			t.Errorf("table exits: %s has no command %q", r.page, r.command)
		}
	}
	for r := range exceptions {
		if !known[r] {
			t.Errorf("table exceptions: %s has no command %q", r.page, r.command)
		}
	}
}
