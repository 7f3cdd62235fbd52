// Prose writes the comments and texts of Go files to text files for a linter of prose.
// Texts are string literals: messages, help and descriptions of flags. Those of tests
// are not written, because users do not read them.
//
// Each comment and each text is on its line, in a file with the path of the Go file
// and the ending .txt.
//
//	go run ./test/cmd/prose -o bin/prose [FOLDER...]
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
	folders := flag.Args()
	if len(folders) == 0 {
		folders = []string{"."}
	}
	if err := export(*output, folders); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

// export writes the comments and texts of all Go files in the folders.
func export(output string, folders []string) error {
	if err := os.RemoveAll(output); err != nil {
		return err
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if name := entry.Name(); entry.IsDir() && path != folder && (name == "testdata" || name == "bin" || name[0] == '.') {
				return filepath.SkipDir
			}
			if filepath.Ext(path) != ".go" {
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
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if isCopy(file) {
		return nil
	}
	texts := commentsOf(files, file)
	if !isTest(path) {
		texts = append(texts, textsOf(files, file)...)
	}
	slices.SortStableFunc(texts, func(a, b text) int { return cmp.Compare(a.line, b.line) })
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

// isCopy reports whether a file is a copy from Kubernetes.
func isCopy(file *ast.File) bool {
	return len(file.Comments) > 0 && strings.HasPrefix(file.Comments[0].List[0].Text, "// Code generated from k8s.io/")
}

// isTest reports whether a file is a part of a test, or below the folder test.
func isTest(path string) bool {
	return strings.HasSuffix(path, "_test.go") || strings.HasPrefix(filepath.ToSlash(path), "test/")
}

// commentsOf returns the comments of a file without the outputs of examples. A comment at
// the end of a line is one text, so that the comments of two fields are not joined.
func commentsOf(files *token.FileSet, file *ast.File) []text {
	var texts []text
	for _, group := range file.Comments {
		words := sentences(group.Text())
		if words == "" || output.MatchString(words) {
			continue
		}
		// Directives, such as //go:build, are no part of the text.
		line := files.Position(group.Pos()).Line
		for _, comment := range group.List {
			if !directive.MatchString(comment.Text) {
				line = files.Position(comment.Pos()).Line
				break
			}
		}
		texts = append(texts, text{line, words})
	}
	return texts
}

// sentences returns the text of a comment. Its paragraphs, list items, headings and
// indented lines end with a full stop, so that the linter does not join them.
func sentences(comment string) string {
	if comment == "" {
		return ""
	}
	lines := strings.Split(strings.TrimRight(comment, "\n"), "\n")
	inItem := false
	for i, line := range lines {
		isIndented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		inItem = item.MatchString(line) || inItem && isIndented
		isLast := i == len(lines)-1 || lines[i+1] == "" || item.MatchString(lines[i+1]) ||
			strings.HasPrefix(line, "# ") || isIndented && !inItem
		line = dot.ReplaceAllString(strings.TrimSpace(line), "${1}_$2")
		if isLast {
			line = ended(line)
		}
		lines[i] = line
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + " "
}

// ended returns a paragraph with a full stop at its end. The colon before a list is
// an end too.
func ended(paragraph string) string {
	if paragraph == "" || strings.ContainsRune(".!?", rune(paragraph[len(paragraph)-1])) {
		return paragraph
	}
	return strings.TrimSuffix(paragraph, ":") + "."
}

// textsOf returns the texts of a file. Literals joined with + are one text.
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
		words, isText := literalText(expression)
		if !isText {
			return true
		}
		if words = sentenceText(words); words != "" {
			texts = append(texts, text{files.Position(expression.Pos()).Line, words})
		}
		return false
	})
	return texts
}

// literalText returns the value of a literal, or of literals and other expressions
// that are joined with +. Other expressions become the word "value".
func literalText(expression ast.Expr) (string, bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		value, err := strconv.Unquote(e.Value)
		if e.Value[0] == '"' { // its lines are not wrapped ones
			value = lineEnd.ReplaceAllString(value, "$1.\n")
		}
		return value, err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := literalText(e.X)
		right, isRight := literalText(e.Y)
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
	directive = regexp.MustCompile(`^//[a-z]+:[a-z]`)
	output    = regexp.MustCompile(`^(?:Unordered output|Output)\b`)
	item      = regexp.MustCompile(`^\s*(?:-|\*|\d+\.)\s`)
	// An indented line of a help text: a command, a table row, or a description of a command.
	example = regexp.MustCompile(`(?m)^  (?:# (.*)|.*)$`)
	verb    = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?[\d.*]*[a-zA-Z]`)
	word    = regexp.MustCompile(`(?:^|[\s("'])[A-Za-z]?[a-z'’-]+\b`)
	dot     = regexp.MustCompile(`(\w)\.(\w)`)
	lineEnd = regexp.MustCompile(`([^\s.:!?]):?\n`)
	heading = regexp.MustCompile(`(?:([^\s.:])|:)(\n(?:\n|  - ))`)
	code    = regexp.MustCompile("\\{\\{|=>|[;{]\n|</|^\\(\\?|apiVersion:|\\\\[bsdw]")
)

// sentenceText returns the text without verbs of fmt, so that the linter finds the ends
// of its sentences. Paragraphs end with a full stop, and identifiers contain no dots.
// The result is empty for code, for lists of words, and for fewer than three words.
func sentenceText(s string) string {
	s = example.ReplaceAllString(s, "$1.")
	s = strings.TrimSpace(verb.ReplaceAllString(s, "value"))
	s = dot.ReplaceAllString(s, "${1}_$2")
	s = heading.ReplaceAllString(s, "$1.$2")
	if code.MatchString(s) || len(word.FindAllString(s, -1)) < 3 || isWordList(s) {
		return ""
	}
	return ended(s) + " "
}

// isWordList reports whether a text is a list of at least ten words for programs. Nine of
// ten words are in the order of their first letters.
func isWordList(s string) bool {
	words := strings.Fields(s)
	unordered := 0
	for i := 1; i < len(words); i++ {
		if words[i][0] < words[i-1][0] {
			unordered++
		}
	}
	return len(words) >= 10 && unordered*10 <= len(words)
}
