package snippet

import (
	"fmt"
	"os"
	"strings"
)

// A Block is one block of Go code of a page.
type Block struct {
	Page string // the path of the page
	Line int    // the line of Text in the page, from 1
	Text string

	// Declared is what the hidden comment before the block declares for it, and DeclaredLine
	// its line. It is empty without a comment.
	Declared     string
	DeclaredLine int

	// Signature is the last line of the comment if it begins with "func(": the signature of the
	// function with the block as its body.
	Signature string
}

const (
	commentStart = "<!-- go"
	commentEnd   = "-->"
)

// Read returns the Go blocks of a page. Errors name the line of a block or
// comment that does not end, or of a comment without a block.
func Read(page string) ([]Block, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	return parse(page, string(text))
}

func parse(page, text string) (blocks []Block, err error) {
	lines := strings.Split(text, "\n")
	var comment Block // for the next block
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
		case line == commentStart || strings.HasPrefix(line, commentStart+" "):
			if comment.DeclaredLine > 0 {
				return nil, fmt.Errorf("%s:%d: want a block of Go after the comment", page, comment.DeclaredLine)
			}
			end := i
			for end < len(lines) && !strings.HasSuffix(strings.TrimSpace(lines[end]), commentEnd) {
				end++
			}
			if end == len(lines) {
				return nil, fmt.Errorf("%s:%d: the comment does not end", page, i+1)
			}
			comment = declared(lines[i:end+1], i+1)
			i = end
		case strings.HasPrefix(line, "```"):
			end := i + 1
			for end < len(lines) && strings.TrimSpace(lines[end]) != "```" {
				end++
			}
			if end == len(lines) {
				return nil, fmt.Errorf("%s:%d: the block does not end", page, i+1)
			}
			if line == "```go" {
				block := comment
				block.Page, block.Line, block.Text = page, i+2, strings.Join(lines[i+1:end], "\n")
				blocks = append(blocks, block)
				comment = Block{}
			}
			i = end
			fallthrough
		default:
			if comment.DeclaredLine > 0 {
				return nil, fmt.Errorf("%s:%d: want a block of Go after the comment", page, comment.DeclaredLine)
			}
		}
	}
	if comment.DeclaredLine > 0 {
		return nil, fmt.Errorf("%s:%d: want a block of Go after the comment", page, comment.DeclaredLine)
	}
	return blocks, nil
}

// declared returns a Block with the declarations of a comment, which begins at a line of a page.
func declared(comment []string, line int) Block {
	text := strings.TrimSpace(strings.Join(comment, "\n"))
	text = strings.TrimPrefix(strings.TrimSuffix(text, commentEnd), commentStart)
	lines := strings.Split(strings.TrimRight(text, "\n "), "\n")
	b := Block{DeclaredLine: line}
	if last := len(lines) - 1; strings.HasPrefix(strings.TrimSpace(lines[last]), "func(") {
		b.Signature = strings.TrimSpace(lines[last])
		lines = lines[:last]
	}
	b.Declared = strings.Join(lines, "\n")
	return b
}
