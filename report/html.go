package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"

	"kstatus.dev/explain"
	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
)

//go:embed page
var pageFiles embed.FS

// scriptFiles are the files of the page's script, in order: a file uses definitions of earlier
// ones.
var scriptFiles = []string{"words.js", "rows.js", "filter.js", "timeline.js", "tree.js", "page.js"}

// pageFile returns a file of the page.
func pageFile(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		return "" // all parts are embedded, which the tests verify
	}
	return string(text)
}

// script returns the page's script, which defines no global names.
func script() string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range scriptFiles {
		b.WriteString(pageFile(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// HTML writes the run as one self-contained page, which needs no network and no server. It has
// the JSON report as its data. Its security policy permits only its own scripts, and no
// requests.
func (r *Run) HTML(w io.Writer) error {
	page, err := template.New("page").Parse(pageFile("page.html"))
	if err != nil {
		return fmt.Errorf("report as HTML: %w", err)
	}
	data, err := r.document("")
	if err != nil {
		return err
	}
	style, script := pageFile("page.css"), script()
	var b bytes.Buffer
	err = page.Execute(&b, htmlPage{
		Run: r, Data: template.JS(data), Style: template.CSS(style), Script: template.JS(script), Icon: r.icon(),
		Policy: fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			digest(script), digest(style)),
	})
	if err != nil {
		return fmt.Errorf("report as HTML: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// digest returns the digest of a script or a style in the syntax of a security policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// An htmlPage is the data of page.html.
type htmlPage struct {
	Run    *Run
	Data   template.JS
	Style  template.CSS
	Script template.JS
	Icon   template.URL
	Policy string
}

// Name returns the command for a heading.
func (p htmlPage) Name() string { return p.Run.name() }

// Outcome returns the outcome for a heading.
func (p htmlPage) Outcome() string {
	text := p.Run.Result.Outcome
	if text == "ok" {
		return "All goals met"
	}
	if text == "" {
		return "Ended"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Tone returns the colour class of the outcome. The words say the same.
func (p htmlPage) Tone() string {
	switch p.Run.Result.Outcome {
	case "ok", "failed":
		return p.Run.Result.Outcome
	}
	return "open"
}

// Mark returns the sign for the outcome.
func (p htmlPage) Mark() string { return map[string]string{"ok": "✓", "failed": "✗"}[p.Tone()] }

// Summary counts the objects.
func (p htmlPage) Summary() string { return p.Run.summary() }

// Error returns the error of the wait itself.
func (p htmlPage) Error() string { return text.Safe(p.Run.Result.Error) }

// An htmlFact is a term with its text.
type htmlFact struct{ Term, Text string }

// Facts returns the request.
func (p htmlPage) Facts() (all []htmlFact) {
	add := func(term, is string) {
		if is != "" {
			all = append(all, htmlFact{term, text.Safe(is)})
		}
	}
	start, result := p.Run.Start, p.Run.Result
	add("Took", duration.Text(p.Run.waitDuration()))
	add("Goal", p.Run.goal())
	add("Timeout", p.Run.timeout())
	add("Started", start.Time.Format("2006-01-02 15:04:05 UTC"))
	add("Context", p.Run.contexts())
	add("Exit code", fmt.Sprint(result.ExitCode))
	add("Version", start.Version)
	return all
}

// Command returns the command line.
func (p htmlPage) Command() string { return text.Safe(strings.Join(p.Run.Start.Command, " ")) }

// Causes returns the causes.
func (p htmlPage) Causes() (all []htmlCause) {
	for _, c := range p.Run.Causes {
		all = append(all, htmlCause{c})
	}
	return all
}

// Gaps returns what could not be read.
func (p htmlPage) Gaps() (all []string) {
	for _, g := range p.Run.Gaps {
		all = append(all, text.Safe(g.String()))
	}
	return all
}

// Warnings returns the caveats of objects that are Current.
func (p htmlPage) Warnings() []string { return p.Run.warnings() }

// Notes returns the notes about kstatus annotations of the objects.
func (p htmlPage) Notes() []string { return p.Run.notes() }

// Unmet returns the objects that do not meet their goals, for browsers without scripts.
func (p htmlPage) Unmet() (all []htmlFact) {
	const most = 500
	for _, o := range p.Run.Objects {
		if o.isCounted() && o.Progress != observe.ProgressReached && len(all) < most {
			all = append(all, htmlFact{text.Safe(o.String()), o.word() + ": " + o.text()})
		}
	}
	return all
}

// icon returns the favicon.
func (r *Run) icon() template.URL {
	colour := map[string]string{"ok": "#2e8b57", "failed": "#c62f3e"}[r.Result.Outcome]
	if colour == "" {
		colour = "#c2770c"
	}
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="%s"/></svg>`
	return template.URL("data:image/svg+xml," + url.PathEscape(fmt.Sprintf(svg, colour)))
}

// An htmlCause is the data of a cause in page.html.
type htmlCause struct{ cause explain.Cause }

// Text describes the cause.
func (c htmlCause) Text() string { return causeText(c.cause) }

// Affects returns which objects the cause affects, in a few words.
func (c htmlCause) Affects() string { return text.Safe(strings.TrimPrefix(affected(c.cause), ", ")) }

// Terminal reports whether the cause does not recover by itself.
func (c htmlCause) Terminal() bool { return c.cause.Terminal }

// Chain returns the objects from the requested one to the cause.
func (c htmlCause) Chain() (all []htmlFact) {
	for _, l := range c.cause.Chain {
		all = append(all, htmlFact{text.Safe(l.ID.String()), linkText(l)})
	}
	return all
}

// An htmlEvidence is one fact with the lines of its log.
type htmlEvidence struct {
	From, Text string
	Log        string
}

// Evidence returns the evidence of the cause.
func (c htmlCause) Evidence() (all []htmlEvidence) {
	for _, e := range c.cause.Evidence {
		all = append(all, htmlEvidence{text.Safe(layout.EvidenceLabel(string(e.From))), factText(c.cause, e), lines(strings.Join(e.Lines, "\n"))})
	}
	return all
}

// Changed returns the changes before.
func (c htmlCause) Changed() []string { return eachSafe(c.cause.Changed) }

// Next returns the commands to run next.
func (c htmlCause) Next() []string { return eachSafe(c.cause.Next) }

// An htmlLink is a link to an object of the page.
type htmlLink struct {
	Text string
	Href template.URL
}

// Affected returns the first objects that the cause affects.
func (c htmlCause) Affected() (all []htmlLink) {
	for _, id := range c.cause.Blocks[:min(len(c.cause.Blocks), maxLinks)] {
		all = append(all, htmlLink{text.Safe(id.String()), template.URL("#" + url.PathEscape(anchor(id)))})
	}
	return all
}

// More returns the number of other objects that the cause affects.
func (c htmlCause) More() int { return max(0, len(c.cause.Blocks)-maxLinks) }

const maxLinks = 20

// anchor returns the URL fragment of an object, as page.js does.
func anchor(id explain.ID) string {
	text := id.GroupKind().String() + "/"
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
