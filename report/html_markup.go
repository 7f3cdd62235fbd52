package report

import (
	"fmt"
	"regexp"
	"strings"
)

// markup is HTML.
type markup string

// htmlEscaper replaces what has a meaning in the text of an element or in a quoted attribute, as
// html/template does. Package template calls methods by name. The linker then keeps every exported
// method, and the command is a fifth larger.
var htmlEscaper = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

// toMarkup escapes a value that is not markup.
func toMarkup(value any) markup {
	if m, is := value.(markup); is {
		return m
	}
	return markup(htmlEscaper.Replace(fmt.Sprint(value)))
}

// elements formats HTML with values, as fmt.Sprintf does with %s. It escapes values that are not
// markup.
func elements(layout markup, values ...any) markup {
	for i, value := range values {
		values[i] = toMarkup(value)
	}
	return markup(fmt.Sprintf(string(layout), values...))
}

// each joins the HTML of each item.
func each[T any](items []T, element func(T) markup) markup {
	var b strings.Builder
	for _, item := range items {
		b.WriteString(string(element(item)))
	}
	return markup(b.String())
}

// placeholder matches the place of a value in a file of the page.
var placeholder = regexp.MustCompile(`{{\.(\w+)}}`)

// fill replaces each {{.Name}} with a value. It escapes values that are not markup.
func fill(file string, values map[string]any) markup {
	return markup(placeholder.ReplaceAllStringFunc(file, func(at string) string {
		return string(toMarkup(values[placeholder.FindStringSubmatch(at)[1]]))
	}))
}
