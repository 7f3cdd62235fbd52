package report

import (
	"html/template"
	"strings"
	"testing"
)

// html/template is the reference for what must be escaped.
func TestElementsEscapesAsHTMLTemplateDoes(t *testing.T) {
	rows := []struct {
		it     string
		layout markup
		page   string
	}{
		{"escapes the text of an element", "<p>%s</p>", "<p>{{.}}</p>"},
		{"escapes a title", "<title>%s</title>", "<title>{{.}}</title>"},
		{"escapes a quoted attribute", `<p title="%s"></p>`, `<p title="{{.}}"></p>`},
	}
	var ascii strings.Builder
	for c := range rune(0x80) {
		ascii.WriteRune(c)
	}
	texts := []string{"", "plain", ascii.String(), hostileText, `"onload='alert(1)'`, "<script>", "&lt;&amp;&#34;", "\xff\xfe", "\u2028\u00a0"}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			page := template.Must(template.New("page").Parse(row.page))
			for _, text := range texts {
				var want strings.Builder
				if err := page.Execute(&want, text); err != nil {
					t.Fatal(err)
				}
				if have := string(elements(row.layout, text)); have != want.String() {
					t.Errorf("%q: have %q, want %q", text, have, want.String())
				}
			}
		})
	}
}

func TestFillEscapesAllButMarkup(t *testing.T) {
	const file = `<p class="{{.Class}}">{{.Text}} {{.Number}} {{.Inner}}{{.Text}}</p>`
	have := fill(file, map[string]any{"Class": `"x`, "Text": "<{{.Number}}>", "Number": 3, "Inner": markup("<b>")})
	const want = `<p class="&#34;x">&lt;{{.Number}}&gt; 3 <b>&lt;{{.Number}}&gt;</p>`
	if string(have) != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// A place without a value would be empty.
func TestPageHasAValueForEachPlace(t *testing.T) {
	for file, values := range map[string]map[string]any{"page.html": htmlPage{&Run{}}.values(nil), "cause.html": htmlCause{}.values(0)} {
		places := map[string]bool{}
		for _, found := range placeholder.FindAllStringSubmatch(pageFile(file), -1) {
			places[found[1]] = true
			if _, has := values[found[1]]; !has {
				t.Errorf("%s: no value for %s", file, found[0])
			}
		}
		for name := range values {
			if !places[name] {
				t.Errorf("%s: no place for %s", file, name)
			}
		}
	}
}
