package report

import (
	"fmt"
	"net/url"
	"strings"

	"kstatus.dev/explain"
	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An htmlPage writes the parts of page.html.
type htmlPage struct{ run *Run }

// values returns the values of page.html. The data is JSON.
func (p htmlPage) values(data []byte) map[string]any {
	style, script := pageFile("page.css"), script()
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(script), digest(style))
	return map[string]any{
		"Name": p.run.name(), "Outcome": p.outcome(), "Tone": p.tone(), "Mark": p.mark(), "Summary": p.run.summary(), "Icon": p.icon(),
		"Policy": policy, "Style": markup(style), "Script": markup(script), "Data": markup(data),
		"Error": p.error(), "Facts": p.facts(), "Command": p.command(), "Causes": p.causes(), "Unmet": p.unmet(),
		"Gaps":     p.gaps(),
		"Warnings": section("warnings", "Warnings", " open", p.run.warnings()),
		"Notes":    section("notes", "Annotations of objects", " open", p.run.notes()),
	}
}

// outcome returns the outcome for a heading.
func (p htmlPage) outcome() string {
	text := p.run.Result.Outcome
	if text == "ok" {
		return "All goals met"
	}
	if text == "" {
		return "Ended"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// tone returns the colour class of the outcome. The words say the same.
func (p htmlPage) tone() string {
	switch p.run.Result.Outcome {
	case "ok", "failed":
		return p.run.Result.Outcome
	}
	return "open"
}

// mark returns the sign for the outcome.
func (p htmlPage) mark() string { return map[string]string{"ok": "✓", "failed": "✗"}[p.tone()] }

// icon returns the URL of the favicon.
func (p htmlPage) icon() string {
	colour := map[string]string{"ok": "#2e8b57", "failed": "#c62f3e"}[p.run.Result.Outcome]
	if colour == "" {
		colour = "#c2770c"
	}
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="%s"/></svg>`
	return "data:image/svg+xml," + url.PathEscape(fmt.Sprintf(svg, colour))
}

// error returns the error of the wait itself.
func (p htmlPage) error() markup {
	if p.run.Result.Error == "" {
		return ""
	}
	return elements(`<p class="error">%s</p>`, text.Safe(p.run.Result.Error))
}

// facts returns the request as terms with texts.
func (p htmlPage) facts() (all markup) {
	add := func(term, is string) {
		if is != "" {
			all += elements("<div><dt>%s</dt><dd>%s</dd></div>\n    ", term, text.Safe(is))
		}
	}
	start, result := p.run.Start, p.run.Result
	add("Took", duration.Text(p.run.waitDuration()))
	add("Goal", p.run.goal())
	add("Timeout", p.run.timeout())
	add("Started", start.Time.Format("2006-01-02 15:04:05 UTC"))
	add("Context", p.run.contexts())
	add("Exit code", fmt.Sprint(result.ExitCode))
	add("Version", start.Version)
	return all
}

// command returns the command line.
func (p htmlPage) command() markup {
	line := text.Safe(strings.Join(p.run.Start.Command, " "))
	if line == "" {
		return ""
	}
	return elements(`<p class="command"><span class="sr">Command: </span><code>%s</code></p>`, line)
}

// gaps returns the section of what could not be read.
func (p htmlPage) gaps() markup {
	var all []string
	for _, g := range p.run.Gaps {
		all = append(all, text.Safe(g.String()))
	}
	return section("gaps", "Not read", "", all)
}

// section returns a section with a list. Without items it is empty.
func section(id, title string, open markup, items []string) markup {
	if len(items) == 0 {
		return ""
	}
	return elements(`<section aria-labelledby="%s"><details class="cause"%s><summary><h2 id="%[1]s">%[3]s</h2></summary><ul>%[4]s</ul></details></section>`,
		id, open, title, each(items, listItem))
}

func listItem(text string) markup { return elements("<li>%s</li>", text) }

// unmet returns the objects that do not meet their goals, for browsers without scripts.
func (p htmlPage) unmet() markup {
	const most = 500
	var unmet []*Object
	for _, o := range p.run.Objects {
		if o.isCounted() && o.Progress != observe.ProgressReached && len(unmet) < most {
			unmet = append(unmet, o)
		}
	}
	return each(unmet, func(o *Object) markup {
		return elements(`<tr><th scope="row">%s</th><td>%s</td></tr>`, text.Safe(o.String()), o.word()+": "+o.text())
	})
}

// causes returns the section of the causes.
func (p htmlPage) causes() markup {
	if len(p.run.Causes) == 0 {
		return ""
	}
	var all markup
	for i, c := range p.run.Causes {
		all += htmlCause{c}.details(i) + "\n  "
	}
	return elements("<section aria-labelledby=\"why\">\n  <h2 id=\"why\">Why</h2>\n  %s\n</section>", all)
}

// An htmlCause writes the parts of cause.html.
type htmlCause struct{ cause explain.Cause }

// details returns the cause.
func (c htmlCause) details(number int) markup {
	return fill(strings.TrimSuffix(pageFile("cause.html"), "\n"), c.values(number))
}

// values returns the values of cause.html. Only the first cause is open.
func (c htmlCause) values(number int) map[string]any {
	var open, terminal markup
	if number == 0 {
		open = " open"
	}
	if c.cause.Terminal {
		terminal = ` <span class="tag">does not recover by itself</span>`
	}
	return map[string]any{
		"Number": number, "Open": open, "Text": causeText(c.cause), "Terminal": terminal,
		"Affects": text.Safe(strings.TrimPrefix(affected(c.cause), ", ")),
		"Chain":   c.chain(), "Affected": c.affected(), "Evidence": c.evidence(), "Changed": c.changed(), "Next": c.next(),
	}
}

// chain returns the objects from the requested one to the cause.
func (c htmlCause) chain() markup {
	if len(c.cause.Chain) == 0 {
		return ""
	}
	return elements("<h3>Where</h3>\n        <ol class=\"chain\">%s</ol>", each(c.cause.Chain, func(l explain.Step) markup {
		return elements(`<li><span class="name">%s</span> <span class="text">%s</span></li>`, text.Safe(l.ID.String()), linkText(l))
	}))
}

const maxLinks = 20

// affected returns links to the first objects that the cause affects, and the number of others.
func (c htmlCause) affected() markup {
	shown := min(len(c.cause.Blocks), maxLinks)
	if shown == 0 {
		return ""
	}
	links := each(c.cause.Blocks[:shown], func(id status.ID) markup {
		return elements(`<li><a href="%s">%s</a></li>`, "#"+url.PathEscape(anchor(id)), text.Safe(id.String()))
	})
	if more := len(c.cause.Blocks) - shown; more > 0 {
		links += elements("<li>and %s more</li>", more)
	}
	return elements("<h3>Affects</h3>\n        <ul class=\"affects\">%s</ul>", links)
}

// evidence returns each fact with the lines of its log.
func (c htmlCause) evidence() markup {
	return each(c.cause.Evidence, func(e explain.Evidence) markup {
		var log markup
		if all := lines(strings.Join(e.Lines, "\n")); all != "" {
			log = elements(`<pre tabindex="0" aria-label="log">%s</pre>`, all)
		}
		return elements(`<li><span class="tag">%s</span> <code>%s</code>%s</li>`,
			text.Safe(layout.EvidenceLabel(string(e.From))), factText(c.cause, e), log)
	})
}

// changed returns the changes before.
func (c htmlCause) changed() markup {
	if len(c.cause.Changed) == 0 {
		return ""
	}
	return elements("<h3>Changed before</h3><ul>%s</ul>", each(eachSafe(c.cause.Changed), listItem))
}

// next returns the commands to run next.
func (c htmlCause) next() markup {
	if len(c.cause.Next) == 0 {
		return ""
	}
	return elements("<h3>Next</h3>%s", each(eachSafe(c.cause.Next), func(command string) markup {
		return elements(`<pre class="next" tabindex="0" aria-label="command">%s</pre>`, command)
	}))
}

// anchor returns the URL fragment of an object, as page.js does.
func anchor(id status.ID) string {
	text := id.Kind.String() + "/"
	if id.Cluster != "" {
		text = id.Cluster + ":" + text
	}
	if id.Namespace != "" {
		text += id.Namespace + "/"
	}
	return text + id.Name
}

func eachSafe(texts []string) (all []string) {
	for _, s := range texts {
		all = append(all, text.Safe(s))
	}
	return all
}
