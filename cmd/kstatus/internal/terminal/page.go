package terminal

import (
	"bufio"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/text"
)

// A Page is where an explanation is shown to people.
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

// What is left for text at least. Where what stands before it leaves less, the
// text begins on a line of its own.
const leastText = 24

// lines returns a line as it is shown: what does not fit goes on under the text.
func (p Page) lines(l layout.Line) []string {
	lead, said := text.Line(l.Prefix(p.UTF8)+l.Lead), text.Line(l.Text)
	under := strings.Repeat(" ", ansi.StringWidth(lead))
	if l.Role == layout.RoleLog {
		under = lead
	}
	var texts, before []string
	room := p.Width - ansi.StringWidth(lead)
	switch {
	case p.Width == 0 || ansi.StringWidth(said) <= room:
		texts = []string{said}
	case room < leastText:
		under = strings.Repeat(" ", min(len(under), 6))
		before = []string{lead}
		lead = under
		texts = wrap(said, max(p.Width-len(under), leastText), l.Role)
	default:
		texts = wrap(said, room, l.Role)
	}
	for i, text := range texts {
		if i > 0 {
			lead = under
		}
		before = append(before, lead+p.paint(l.Role, text))
	}
	return before
}

// wrap cuts a text into lines. A command stays one for a shell.
func wrap(text string, width int, role layout.Role) []string {
	if role != layout.RoleNext {
		return strings.Split(ansi.Wrap(text, width, "./,:="), "\n")
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

// paint returns a text in its colour, which only repeats what the words say.
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
