// Package markdown formats generated pages.
package markdown

import (
	"regexp"
	"slices"
	"strings"
)

// Width is the number of bytes in a line of a page, at most.
const Width = 100

var (
	// These lines are not paragraphs: tables, headings, HTML, images, definitions of links and rules.
	special = regexp.MustCompile(`^\s*(?:\||#|<|!\[|\[!\[|\[[^\]]+\]:|---)`)
	// The beginning of a paragraph, of a quotation, or of an item of a list.
	start = regexp.MustCompile(`^(\s*(?:> ?)?)((?:[-*]|\d+\.) +)?`)
	span  = regexp.MustCompile("`[^`]+`")
	// A word that would begin a list, a heading or a quotation if it were the first of a line.
	marker = regexp.MustCompile(`^(?:[-*+>]|#+|\d+[.)])$`)
)

// Wrap wraps the paragraphs, quotations and items of lists that have a line of more than Width
// bytes. Only a word or a code span that is longer exceeds the width then. Wrap does not change
// code and tables.
func Wrap(page string) string {
	lines := strings.Split(page, "\n")
	var out []string
	fenced := false
	for i := 0; i < len(lines); {
		line := lines[i]
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		isCode := strings.HasPrefix(line, "    ") && (i == 0 || strings.TrimSpace(lines[i-1]) == "" || strings.HasPrefix(lines[i-1], "    "))
		if fenced || isCode || !isText(line) {
			out = append(out, line)
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && isText(lines[end]) && start.FindStringSubmatch(lines[end])[2] == "" && isQuoted(lines[end]) == isQuoted(line) {
			end++
		}
		out = append(out, wrapParagraph(lines[i:end])...)
		i = end
	}
	return strings.Join(out, "\n")
}

// isText reports whether a line is a part of a paragraph.
func isText(line string) bool {
	text := strings.TrimLeft(line, "> ")
	return text != "" && !strings.HasPrefix(text, "```") && !special.MatchString(line)
}

func isQuoted(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), ">") }

func wrapParagraph(lines []string) []string {
	if !slices.ContainsFunc(lines, func(line string) bool { return len(line) > Width }) {
		return lines
	}
	first := start.FindStringSubmatch(lines[0])
	var text []string
	for i, line := range lines {
		prefix := start.FindString(line)
		if i > 0 {
			prefix = start.FindStringSubmatch(line)[1]
		}
		text = append(text, strings.TrimSpace(strings.TrimPrefix(line, prefix)))
	}
	// A code span is one word.
	whole := span.ReplaceAllStringFunc(strings.Join(text, " "), func(code string) string { return strings.ReplaceAll(code, " ", "\x00") })
	indent := first[1] + strings.Repeat(" ", len(first[2]))
	var out []string
	current := first[0]
	isEmpty := true
	for _, word := range strings.Fields(whole) {
		switch {
		case isEmpty:
			current += word
		case len(current)+1+len(word) > Width && !marker.MatchString(word):
			out = append(out, current)
			current = indent + word
		default:
			current += " " + word
		}
		isEmpty = false
	}
	out = append(out, current)
	for i, line := range out {
		out[i] = strings.ReplaceAll(line, "\x00", " ")
	}
	return out
}
