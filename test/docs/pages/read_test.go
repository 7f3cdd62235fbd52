package pages

import (
	"fmt"
	"os"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"sigs.k8s.io/yaml"
)

// A block is a fenced block of a page.
type block struct {
	line     int // of the first line of text, from 1
	language string
	text     string
}

// A commandLine is one command of a block.
type commandLine struct {
	line int // in the page
	text string
	// shown is the output on the page, if shows is set.
	shown string
	shows bool
}

// readBlocks returns the fenced blocks of a page.
func readBlocks(page string) ([]block, error) {
	source, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	var blocks []block
	err = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(source)), func(node ast.Node, enters bool) (ast.WalkStatus, error) {
		fenced, ok := node.(*ast.FencedCodeBlock)
		if !ok || !enters || fenced.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		start := fenced.Lines().At(0).Start
		blocks = append(blocks, block{
			line:     1 + strings.Count(string(source[:start]), "\n"),
			language: string(fenced.Language(source)),
			text:     string(fenced.Lines().Value(source)),
		})
		return ast.WalkContinue, nil
	})
	return blocks, err
}

// commands returns the commands of a block. A block in an unknown language is an error.
func (b block) commands() ([]commandLine, error) {
	switch b.language {
	case "sh":
		return b.lines(), nil
	case "console":
		return b.session()
	case "yaml":
		return b.steps()
	case "go":
		return nil, nil
	}
	return nil, fmt.Errorf("line %d: the language %q is not one of sh, console, yaml and go", b.line, b.language)
}

// lines returns the command of each line. A line that ends with a backslash continues.
func (b block) lines() []commandLine {
	var all []commandLine
	continues := false
	for i, line := range strings.Split(b.text, "\n") {
		trimmed := strings.TrimSpace(line)
		if !continues && (trimmed == "" || strings.HasPrefix(trimmed, "#")) {
			continue
		}
		if continues {
			all[len(all)-1].text += "\n" + line
		} else {
			all = append(all, commandLine{line: b.line + i, text: line})
		}
		continues = strings.HasSuffix(line, `\`)
	}
	return all
}

// session returns the commands after "$ ", each with the lines that follow.
func (b block) session() ([]commandLine, error) {
	var all []commandLine
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, commandLine{line: b.line + i, text: text, shows: true})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("line %d: want a line that begins with \"$ \"", b.line)
		}
		all[len(all)-1].shown += line + "\n"
	}
	return all, nil
}

// steps returns the commands of a pipeline: the values of "run", and the items of "script".
func (b block) steps() ([]commandLine, error) {
	var document any
	if err := yaml.Unmarshal([]byte(b.text), &document); err != nil {
		return nil, fmt.Errorf("line %d: %w", b.line, err)
	}
	var all []commandLine
	for _, text := range stepsOf(document) {
		before, _, found := strings.Cut(b.text, text)
		if !found {
			return nil, fmt.Errorf("line %d: write the step %q in one line", b.line, text)
		}
		all = append(all, commandLine{line: b.line + strings.Count(before, "\n"), text: text})
	}
	return all, nil
}

func stepsOf(document any) (all []string) {
	switch d := document.(type) {
	case []any:
		for _, item := range d {
			all = append(all, stepsOf(item)...)
		}
	case map[string]any:
		if run, ok := d["run"].(string); ok {
			all = append(all, run)
		}
		script, _ := d["script"].([]any)
		for _, line := range script {
			if text, ok := line.(string); ok {
				all = append(all, text)
			}
		}
		for _, value := range d {
			if nested, ok := value.(map[string]any); ok {
				all = append(all, stepsOf(nested)...)
			}
		}
	}
	return all
}
