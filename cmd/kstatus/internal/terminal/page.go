package terminal

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/text"
)

// A Page prints explanations as text.
type Page struct {
	Out io.Writer
	Style
}

// Print prints an explanation.
func (p Page) Print(lines []layout.Line) error {
	out := bufio.NewWriter(p.Out)
	for _, l := range lines {
		for _, text := range p.lines(l) {
			out.WriteString(strings.TrimRight(text, " "))
			out.WriteByte('\n')
		}
	}
	return out.Flush()
}

// leastText is the minimum number of columns for text. If its lead leaves fewer, the text begins
// on a new line.
const leastText = 24

// lines returns a line as printed: long text is wrapped below its start.
func (p Page) lines(l layout.Line) []string {
	lead := text.Line(l.Prefix(p.UTF8) + l.Lead)
	under := strings.Repeat(" ", ansi.StringWidth(lead))
	if l.Role == layout.RoleLog {
		under = lead
	}
	return hangingIndent(lead, under, text.Line(l.Text), p.Width,
		func(text string, width int) []string { return wrap(text, width, l.Role) },
		func(text string) string { return p.paint(l.Role, text) })
}

// Wrap returns the lines of a text with a lead, such as a time or a name. It wraps at words,
// below the text. With zero columns it returns one line.
func Wrap(lead, text string, columns int) []string {
	return hangingIndent(lead, strings.Repeat(" ", ansi.StringWidth(lead)), text, columns,
		func(text string, width int) []string { return wrap(text, width, layout.RoleEvidence) },
		func(text string) string { return text })
}

// hangingIndent returns the lines of a text. The first line begins with lead, and the others
// begin with under.
func hangingIndent(lead, under, text string, columns int, wrap func(text string, width int) []string, paint func(string) string) []string {
	var lines, texts []string
	switch room := columns - ansi.StringWidth(lead); {
	case columns == 0 || ansi.StringWidth(text) <= room:
		texts = []string{text}
	case room < leastText:
		const indent = 6
		under = strings.Repeat(" ", max(0, min(len(under), indent, columns-leastText)))
		lines = strings.Split(ansi.Wrap(strings.TrimRight(lead, " "), columns, "/-."), "\n")
		lead = under
		texts = wrap(text, max(columns-len(under), 1))
	default:
		texts = wrap(text, room)
	}
	for i, text := range texts {
		if i > 0 {
			lead = under
		}
		lines = append(lines, lead+paint(text))
	}
	return lines
}

// wrap splits a text into lines. A command that is split stays one command for a shell.
func wrap(text string, width int, role layout.Role) []string {
	if role != layout.RoleNext {
		lines := strings.Split(ansi.Wrap(text, width, "./,:="), "\n")
		if slices.ContainsFunc(lines, func(line string) bool { return ansi.StringWidth(line) > width }) {
			// Wrap may put one of these characters beyond the width.
			lines = strings.Split(ansi.Wrap(text, width, ""), "\n")
		}
		return lines
	}
	const goesOn = ` \`
	var all []string
	line := ""
	for _, word := range words(text) {
		switch {
		case line == "":
			line = word
		case ansi.StringWidth(line)+1+ansi.StringWidth(word) > width-len(goesOn):
			all = append(all, line+goesOn)
			line = "  " + word
		default:
			line += " " + word
		}
	}
	return append(all, line)
}

// words cuts a command at blanks, but not inside of quotes.
func words(command string) (all []string) {
	quote, start := rune(0), 0
	for i, c := range command {
		switch {
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '\'', c == '"':
			quote = c
		case c == ' ':
			all = append(all, command[start:i])
			start = i + 1
		}
	}
	return append(all, command[start:])
}

// paint returns a text in the colour of its role. The colour only repeats the words.
func (p Page) paint(role layout.Role, text string) string {
	if !p.Colour || text == "" {
		return text
	}
	style := ansi.NewStyle()
	switch role {
	case layout.RoleTitle, layout.RoleCause:
		style = style.Bold()
	case layout.RoleLog:
		style = style.Faint()
	case layout.RoleNext:
		style = style.ForegroundColor(ansi.Cyan)
	case layout.RoleGap:
		style = style.ForegroundColor(ansi.Yellow)
	default:
		return text
	}
	return style.Styled(text)
}
