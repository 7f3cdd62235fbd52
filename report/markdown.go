package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kstatus.dev/explain"
	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
)

// Markdown writes the run as a page of Markdown for GitHub and GitLab. The page has at most
// limit bytes; zero means no limit. It omits and counts rows that do not fit. If not even a
// heading fits, it writes nothing.
func (r *Run) Markdown(w io.Writer, limit int) error {
	p := &markdownPage{limit: limit}
	p.row("heading", fmt.Sprintf("## %s %s: %s\n\n%s\n", r.outcomeMark(), escapeMarkdown(r.name()), r.Result.Outcome, r.facts()))
	if p.text.Len() == 0 {
		return nil
	}
	if r.Result.Error != "" {
		p.row("error", "\n> "+md(r.Result.Error)+"\n")
	}
	p.head = "\n### Why\n"
	for i, c := range r.Causes {
		p.row("cause", markdownCause(c, i == 0))
	}
	const columns = "\n| Status | Object | Since (min:sec of the wait) | Why |\n|---|---|---|---|\n"
	p.head = "\n### Goals not met\n" + columns
	for _, o := range r.Objects {
		if o.isCounted() && o.Progress != observe.ProgressReached {
			p.row("object", r.markdownRow(o))
		}
	}
	p.head = "\n### Goals met, or ignored\n" + columns
	for _, o := range r.Objects {
		if o.Progress == observe.ProgressReached && !o.Removed || o.Progress == observe.ProgressIgnored {
			p.row("object", r.markdownRow(o))
		}
	}
	p.head = "\n### Warnings\n\n"
	for _, warning := range r.warnings() {
		p.row("warning", "- "+md(warning)+"\n")
	}
	for i, g := range r.Gaps {
		if i == 0 {
			p.head = "\n### Not read\n\n"
		}
		p.row("gap", "- "+md(g.String())+"\n")
	}
	p.head = "\n### Annotations of objects\n\n"
	for _, note := range r.notes() {
		p.row("note", "- "+md(note)+"\n")
	}
	p.add(p.cut())
	_, err := io.WriteString(w, p.text.String())
	return err
}

// A markdownPage grows until its limit.
type markdownPage struct {
	text  strings.Builder
	limit int
	head  string // the head of the next row
	left  map[string]int
}

// omittedRowsSpace is the space for the number of omitted rows.
const omittedRowsSpace = 200

func (p *markdownPage) add(text string) { p.text.WriteString(text) }

// row adds a row of a kind, if it fits, with its head if that is pending.
func (p *markdownPage) row(sort, text string) {
	if p.limit > 0 && p.text.Len()+len(p.head)+len(text) > p.limit-omittedRowsSpace {
		if p.left == nil {
			p.left = map[string]int{}
		}
		p.left[sort]++
		return
	}
	p.add(p.head + text)
	p.head = ""
}

// cut returns the numbers of omitted rows.
func (p *markdownPage) cut() string {
	var parts []string
	for _, sort := range []string{"error", "cause", "object", "warning", "gap", "note"} {
		if n := p.left[sort]; n > 0 {
			parts = append(parts, text.Count(n, sort))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("\n*Left out, since this page may be no longer: %s.*\n", strings.Join(parts, ", "))
}

// outcomeMark returns a mark for the outcome; the word beside it says the same.
func (r *Run) outcomeMark() string {
	switch r.Result.Outcome {
	case "ok":
		return "✅"
	case "failed":
		return "❌"
	}
	return "⚠️"
}

// facts returns the outcome and the request in one line.
func (r *Run) facts() string {
	parts := []string{"**" + r.summary() + "**", "took " + duration.Text(r.waitDuration()), fmt.Sprintf("exit %d", r.Result.ExitCode)}
	if goal := r.goal(); goal != "" {
		parts = append(parts, "goal "+md(goal))
	}
	switch timeout := r.timeout(); timeout {
	case "":
	case "0s":
		parts = append(parts, "looking once")
	default:
		parts = append(parts, "timeout "+md(timeout))
	}
	switch len(r.Start.Contexts) {
	case 0:
	case 1:
		parts = append(parts, "context "+md(r.contexts()))
	default:
		parts = append(parts, "contexts "+md(r.contexts()))
	}
	return strings.Join(parts, " · ")
}

func (r *Run) markdownRow(o *Object) string {
	why := o.text()
	if cause := r.firstCause(o); cause != "" && !strings.Contains(why, cause) {
		why = cause + " (" + why + ")"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", md(o.word()), code(o.String()), r.clock(r.subjectOf(o).Since), md(why))
}

// markdownCause returns a cause, collapsed unless open is true.
func markdownCause(c explain.Cause, open bool) string {
	var b strings.Builder
	opened := ""
	if open {
		opened = " open"
	}
	fmt.Fprintf(&b, "\n<details%s>\n<summary><b>%s</b>%s</summary>\n", opened, plainHTML(causeText(c)), plainHTML(affected(c)))
	if len(c.Chain) > 0 {
		b.WriteString("\n" + fence("text", chainText(c.Chain)))
	}
	b.WriteString("\n")
	for _, e := range c.Evidence {
		fmt.Fprintf(&b, "- %s: %s\n", md(layout.EvidenceLabel(string(e.From))), code(factText(c, e)))
		if len(e.Lines) > 0 {
			b.WriteString("\n" + fence("text", lines(strings.Join(e.Lines, "\n"))) + "\n")
		}
	}
	for _, text := range c.Changed {
		fmt.Fprintf(&b, "- changed: %s\n", md(text))
	}
	if len(c.Next) > 0 {
		b.WriteString("\nNext:\n\n" + fence("sh", lines(strings.Join(c.Next, "\n"))))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// chainText returns a chain as a tree, with the texts in one column.
func chainText(chain []explain.Step) string {
	names, width := make([]string, len(chain)), 0
	for i, l := range chain {
		name := text.Safe(l.ID.String())
		if i > 0 {
			name = strings.Repeat("   ", i-1) + "`- " + name
		}
		names[i] = name
		width = max(width, utf8.RuneCountInString(name))
	}
	var b strings.Builder
	for i, l := range chain {
		b.WriteString(names[i] + strings.Repeat(" ", width-utf8.RuneCountInString(names[i])) + "  " + linkText(l) + "\n")
	}
	return b.String()
}

// affected returns the objects that a cause affects: ", affects Deployment/shop/api and 2 more".
func affected(c explain.Cause) string {
	switch n := len(c.Blocks); n {
	case 0:
		return ""
	case 1:
		return ", affects " + c.Blocks[0].String()
	default:
		return fmt.Sprintf(", affects %s and %d more", c.Blocks[0], n-1)
	}
}

// md returns a text as Markdown that shows it literally, on one line, also in a cell of a table.
// It mentions no user, and addresses are code, so they do not become links.
func md(s string) string {
	return outsideAddresses(strings.TrimSpace(text.Safe(s)), escapeMarkdown, code)
}

// outsideAddresses converts the addresses in a text with address, and the rest with rest.
func outsideAddresses(s string, rest, address func(string) string) string {
	var b strings.Builder
	at := 0
	for _, found := range addresses.FindAllStringIndex(s, -1) {
		b.WriteString(rest(s[at:found[0]]) + address(s[found[0]:found[1]]))
		at = found[1]
	}
	b.WriteString(rest(s[at:]))
	return b.String()
}

// addresses matches what Markdown renderers turn into links: URLs, web sites and mail addresses.
var addresses = regexp.MustCompile(`(?i)[a-z0-9+.-]*://[^\s"'<>` + "`" + `]*[^\s"'<>` + "`" + `.,;:!?)\]}]|\bwww\.[^\s"'<>` + "`" + `]*[^\s"'<>` + "`" + `.,;:!?)\]}]|[a-z0-9._+-]+@[a-z0-9_-]+(\.[a-z0-9_-]+)+`)

// escapeMarkdown escapes characters with a meaning in Markdown.
func escapeMarkdown(s string) string {
	var b strings.Builder
	all := []rune(s)
	for i, r := range all {
		inside := isAlphanumeric(runeAt(all, i-1)) && isAlphanumeric(runeAt(all, i+1))
		switch {
		case r == '_' && inside:
			b.WriteRune(r)
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]<#|~$", r), i == 0 && strings.ContainsRune("-+>=", r), (r == '.' || r == ')') && isNumber(all[:i]):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		if startsReference(all, i) {
			b.WriteString(zeroWidthSpace)
		}
	}
	return b.String()
}

// escapeHTML escapes a text for a block of HTML, in which Markdown has no effect.
func escapeHTML(s string) string {
	var b strings.Builder
	all := []rune(s)
	for i, r := range all {
		b.WriteString(htmlEscapes.Replace(string(r)))
		if startsReference(all, i) {
			b.WriteString(zeroWidthSpace)
		}
	}
	return b.String()
}

// htmlEscapes escape markup in the text of a page.
var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// plainHTML returns text as HTML that shows it literally, on one line, with addresses as code.
func plainHTML(s string) string {
	return outsideAddresses(text.Safe(s), escapeHTML, func(address string) string { return "<code>" + escapeHTML(address) + "</code>" })
}

// zeroWidthSpace separates a sign from the name after it, so that GitHub and GitLab do not read
// both as a reference.
const zeroWidthSpace = "\u200b"

// startsReference reports whether a rune begins a mention or a reference, such as @octocat, #12,
// GH-12 or !12. It also reports the rest of an address.
func startsReference(all []rune, i int) bool {
	next := runeAt(all, i+1)
	switch all[i] {
	case '@':
		return !isAlphanumeric(runeAt(all, i-1))
	case '#', '!':
		return isDigit(next)
	case '-':
		return isDigit(next) && i >= 2 && strings.EqualFold(string(all[i-2:i]), "GH")
	case ':':
		return next == '/'
	}
	return false
}

func runeAt(all []rune, i int) rune {
	if i < 0 || i >= len(all) {
		return ' '
	}
	return all[i]
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isAlphanumeric(r rune) bool { return isDigit(r) || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }

// isNumber reports whether runes are a number, which may begin a list item.
func isNumber(all []rune) bool {
	return len(all) > 0 && len(all) < 10 && !slices.ContainsFunc(all, func(r rune) bool { return !isDigit(r) })
}

// plainCode matches text that backquotes show literally, even in a table.
var plainCode = regexp.MustCompile("^[^`|\\\\\\s]([^`|\\\\]*[^`|\\\\\\s])?$")

// code returns text as code.
func code(s string) string {
	if s = text.Safe(s); plainCode.MatchString(s) {
		return "`" + s + "`"
	}
	return "<code>" + escapeMarkdown(s) + "</code>"
}

// fence returns lines as a block of code that none of the lines can end.
func fence(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + fence + "\n"
}
