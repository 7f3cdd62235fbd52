// Prose writes the texts in the string literals of Go files to text files, so
// that a linter of prose can read them: messages, help and descriptions of flags.
// Each text is on the line of its literal, in a file with the path of the Go file
// and the ending .txt.
//
//	go run ./test/cmd/prose -o bin/prose FOLDER...
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	output := flag.String("o", "bin/prose", "the folder to write to; what it holds is removed")
	flag.Parse()
	if err := export(*output, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

// export writes the texts of all Go files in the folders without tests.
func export(output string, folders []string) error {
	if err := os.RemoveAll(output); err != nil {
		return err
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			return exportFile(output, path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func exportFile(output, path string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	texts := textsOf(files, file)
	if len(texts) == 0 {
		return nil
	}
	var b strings.Builder
	line := 1
	for _, text := range texts {
		for line < text.line {
			b.WriteByte('\n')
			line++
		}
		b.WriteString(text.words)
		line += strings.Count(text.words, "\n")
	}
	b.WriteByte('\n')
	target := filepath.Join(output, path+".txt")
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, []byte(b.String()), 0o644)
}

// A text is one or more sentences, at the line of its literal.
type text struct {
	line  int
	words string
}

// textsOf returns the texts of a file in order. Literals joined with + are one text.
func textsOf(files *token.FileSet, file *ast.File) []text {
	var texts []text
	ast.Inspect(file, func(node ast.Node) bool {
		if _, isImport := node.(*ast.ImportSpec); isImport {
			return false
		}
		if field, isField := node.(*ast.Field); isField {
			field.Tag = nil
		}
		expression, isExpression := node.(ast.Expr)
		if !isExpression {
			return true
		}
		words, isText := joined(expression)
		if !isText {
			return true
		}
		if words = readable(words); words != "" {
			texts = append(texts, text{files.Position(expression.Pos()).Line, words})
		}
		return false
	})
	slices.SortStableFunc(texts, func(a, b text) int { return cmp.Compare(a.line, b.line) })
	return texts
}

// joined returns the value of a literal, or of literals and other expressions
// that are joined with +. Other expressions become the word "value".
func joined(expression ast.Expr) (string, bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		value, err := strconv.Unquote(e.Value)
		return value, err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := joined(e.X)
		right, isRight := joined(e.Y)
		if !isLeft && !isRight {
			return "", false
		}
		if !isLeft {
			left = "value"
		}
		if !isRight {
			right = "value"
		}
		return left + right, true
	}
	return "", false
}

var (
	// An indented line of a help text: a command, a table row, or a description of a command.
	example = regexp.MustCompile(`(?m)^  (?:# (.*)|.*)$`)
	verb    = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?[\d.*]*[a-zA-Z]`)
	word    = regexp.MustCompile(`(?:^|[\s("'])[A-Za-z]?[a-z'’-]+\b`)
	dot     = regexp.MustCompile(`(\w)\.(\w)`)
	heading = regexp.MustCompile(`([^\s.:])(\n(?:\n|  - ))`)
	code    = regexp.MustCompile("\\{\\{|=>|[;{]\n|</|^\\(\\?|apiVersion:|\\\\[bsdw]")
)

// readable returns the text without verbs of fmt, so that the linter finds the ends
// of its sentences: paragraphs end with a full stop or a colon, and identifiers
// contain no dots. The result is empty for code, and for fewer than three words.
func readable(s string) string {
	s = example.ReplaceAllString(s, "$1.")
	s = strings.TrimSpace(verb.ReplaceAllString(s, "value"))
	s = dot.ReplaceAllString(s, "${1}_$2")
	s = heading.ReplaceAllString(s, "$1.$2")
	if code.MatchString(s) || len(word.FindAllString(s, -1)) < 3 {
		return ""
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, ":") {
		s += "."
	}
	return s + " "
}
