package snippet

import (
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the repository.
const root = "../../.."

// pages returns the pages for readers. The pages are in another module, so the go command does not
// see their changes. It sees those of the variable, which the Makefile sets to a sum of the files.
func pages(t *testing.T) []string {
	t.Helper()
	_ = os.Getenv("KSTATUS_TEST_FILES")
	all := []string{"README.md", "CONTRIBUTING.md"}
	for _, folder := range []string{"docs", "examples"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".md") {
				all = append(all, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestPagesNameExistingSymbols checks the names that pages mention.
func TestPagesNameExistingSymbols(t *testing.T) {
	t.Chdir(root)
	wrong, err := CheckNames(pages(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range wrong {
		t.Error(err)
	}
}

func TestCheckNamesFinds(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	text := "`status.Compute(u)`, `e.Nothing`, status.Nothing, `observe.Update.Parts`, `wait.NewResolver`\n```\n`status.Nothing`\n```\n" +
		"`status.Nothing`, `a, *observe.Update.Nothing`"
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong, err := CheckNames([]string{page})
	if err != nil {
		t.Fatal(err)
	}
	want := page + ":5: status.Nothing does not exist\n" + page + ":5: observe.Update.Nothing does not exist"
	if have := errors.Join(wrong...); have == nil || have.Error() != want {
		t.Errorf("have %v, want %s", have, want)
	}
}

// TestPagesCompile checks the Go code of every page.
func TestPagesCompile(t *testing.T) {
	t.Chdir(root)
	var blocks []Block
	for _, page := range pages(t) {
		found, err := Read(page)
		if err != nil {
			t.Error(err)
		}
		blocks = append(blocks, found...)
	}
	wrong, err := Check(blocks)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range wrong {
		t.Error(err)
	}
	for _, b := range blocks {
		formatted, err := format.Source([]byte(b.Text)) // fails on omissions, and on imports before statements
		if err == nil && string(formatted) != b.Text {
			t.Errorf("%s:%d: not gofmt'ed", b.Page, b.Line)
		}
	}
	if !slices.ContainsFunc(blocks, func(b Block) bool { return b.Page == "README.md" }) {
		t.Error("README.md has no block of Go")
	}
}

func TestCheckFinds(t *testing.T) {
	rows := []struct{ it, page, want string }{
		{"nothing in statements", "```go\nfmt.Println(1)\n```", ""},
		{"nothing in a whole file", "```go\npackage main\n\nfunc main() {}\n```", ""},
		{"nothing in imports that statements follow", "```go\nimport \"fmt\"\n\nfmt.Println(1)\n```", ""},
		{"nothing in what a comment declares", "<!-- go\ntype T struct{ N int }\nfunc(t T) error -->\n\n```go\nif t.N > 0 {\n\t…\n}\n```", ""},
		{"nothing in an import of a comment", "<!-- go import s \"strings\" -->\n```go\nvar _ = s.ToUpper(\"a\")\n```", ""},
		{"nothing in what an earlier block declares", "```go\nvar x = 1\n```\n```go\nfmt.Println(x)\n```", ""},
		{"nothing in a variable of a fragment that is not used", "```go\nx := 1\n```", ""},
		{"nothing in other languages", "```\nx := y\n```", ""},
		{"a variable that is not declared", "text\n\n```go\nx := 1\nx = y\n```", "page.md:5: undefined: y"},
		{"a method that does not exist", "```go\nvar e status.Evaluator\ne.Judge(nil)\n```", "page.md:3: e.Judge undefined (type status.Evaluator has no field or method Judge)"},
		{"a variable of a whole file that is not used", "```go\npackage main\n\nfunc main() {\n\tx := 1\n}\n```", "page.md:5: declared and not used: x"},
		{"an import that is not used", "```go\nimport \"fmt\"\n\nx := 1\n```", "page.md:2: \"fmt\" imported and not used"},
		{"a package that does not exist", "```go\nimport \"kstatus.dev/nothing\"\n\nnothing.F()\n```", "page.md:2: could not import kstatus.dev/nothing (there is no package kstatus.dev/nothing)"},
		{"what does not parse", "```go\nx := := 1\n```", "page.md:2: expected operand, found ':=' (and 1 more errors)"},
		{"a mistake of a comment", "<!-- go\ntype T U\nfunc(t T) -->\n```go\nt = t\n```", "page.md:2: undefined: U"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			blocks, err := parse("page.md", row.page)
			if err != nil {
				t.Fatal(err)
			}
			wrong, err := Check(blocks)
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, err := range wrong {
				have = append(have, err.Error())
			}
			if strings.Join(have, "\n") != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}

// TestPagesShowTestedCode compares pages with tested functions: bodies of functions in
// test/engine/race, and whole tests of this package.
func TestPagesShowTestedCode(t *testing.T) {
	t.Chdir(root)
	rows := []struct {
		page, file string
		whole      bool // the page shows the whole function, not only its body
	}{
		{"docs/guides/from-cli-utils.md", "test/engine/race/pages.go", false},
		{"docs/guides/library.md", "test/docs/snippet/library_test.go", true},
	}
	for _, row := range rows {
		blocks, err := Read(row.page)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(row.file)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, row.file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		waits := func(b Block) bool {
			return strings.Contains(b.Signature+b.Text, "io.Writer") || row.whole && strings.HasPrefix(b.Text, "func Test")
		}
		shown := 0
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || ast.IsExported(f.Name.Name) != row.whole {
				continue
			}
			shown++
			at := func(p token.Pos) int { return fset.Position(p).Offset }
			want := Block{Signature: "func" + string(text[at(f.Type.Params.Pos()):at(f.Body.Lbrace)-1])}
			want.Text = strings.ReplaceAll(strings.Trim(string(text[at(f.Body.Lbrace)+1:at(f.Body.Rbrace)]), "\n"), "\n\t", "\n")[1:]
			if row.whole {
				want = Block{Text: string(text[at(f.Pos()):at(f.End())])}
			}
			if !slices.ContainsFunc(blocks, func(b Block) bool { return b.Text == want.Text && b.Signature == want.Signature }) {
				t.Errorf("%s has no block that is %s of %s:\n%s\n%s", row.page, f.Name.Name, row.file, want.Signature, want.Text)
			}
		}
		for _, b := range blocks {
			if waits(b) {
				shown--
			}
		}
		if shown != 0 {
			t.Errorf("%s: the number of blocks that wait is not that of the functions of %s", row.page, row.file)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	rows := []struct{ it, page, want string }{
		{"a block without an end", "\n```go\nx", "page.md:2: the block does not end"},
		{"a comment without an end", "<!-- go\nx", "page.md:1: the comment does not end"},
		{"a comment at the end", "<!-- go type T int -->", "page.md:1: want a block of Go after the comment"},
		{"a comment before text", "<!-- go type T int -->\ntext", "page.md:1: want a block of Go after the comment"},
		{"a comment before another language", "<!-- go type T int -->\n```sh\nx\n```", "page.md:1: want a block of Go after the comment"},
		{"two comments", "<!-- go type T int -->\n<!-- go type U int -->\n```go\n```", "page.md:1: want a block of Go after the comment"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if _, err := parse("page.md", row.page); err == nil || err.Error() != row.want {
				t.Errorf("have %v, want %s", err, row.want)
			}
		})
	}
	if _, err := Read("nothing.md"); !os.IsNotExist(err) {
		t.Errorf("have %v, want that the page does not exist", err)
	}
}
