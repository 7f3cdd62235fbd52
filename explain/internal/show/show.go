// Package show renders text from a cluster for users. Each text is on one line of
// limited length, and cannot change how the text around it is displayed.
package show

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"kstatus.dev/internal/text"
)

// MaxText is the maximum length of one text, in bytes.
const MaxText = 500

// Value returns the value of a field on one line. For maps and long lists it returns only
// the size.
func Value(v any) string {
	switch v := v.(type) {
	case nil:
		return "not set"
	case string:
		if v == "" {
			return `""`
		}
	case map[string]any:
		return text.Count(len(v), "field")
	case []any:
		var texts []string
		for _, item := range v {
			switch item.(type) {
			case map[string]any, []any, nil:
				return text.Count(len(v), "item")
			}
			if len(texts) == 8 {
				return text.Count(len(v), "item")
			}
			texts = append(texts, fmt.Sprint(item))
		}
		return Line("[" + strings.Join(texts, " ") + "]")
	}
	return Line(fmt.Sprint(v))
}

// Quoted returns a name in quotation marks.
func Quoted(name string) string { return `"` + Line(name) + `"` }

// colours matches the escape sequences with which programs colour their output.
var colours = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// LogLine returns a line of a container's log without colours.
func LogLine(line string) string { return Line(colours.ReplaceAllString(line, "")) }

// Line returns text from a cluster on one line, safe to print, and cut where it
// is too long.
func Line(s string) string {
	if len(s) <= MaxText && isPlain(s) {
		return s
	}
	kept := strings.Join(strings.FieldsFunc(text.Safe(text.CutWith(s, MaxText, "")), unicode.IsSpace), " ")
	if len(s) > MaxText {
		kept += text.Ellipsis
	}
	return kept
}

// isPlain reports whether a text is printable ASCII with single blanks between words.
func isPlain(text string) bool {
	blank := true
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return !blank || text == ""
}

// Widths of the columns of an explanation. All lines except titles are indented. The
// columns of labels and of the origins of evidence have a fixed width.
const (
	Indent      = "  "
	LabelWidth  = 12 // with the indentation
	OriginWidth = 8
)

// Shorten returns at most so many characters of a message, from its beginning.
func Shorten(text string, most int) string {
	text = Line(text)
	n := 0
	for i := range text {
		if n++; n == most {
			return strings.TrimSuffix(text[:i], "…") + "…"
		}
	}
	return text
}

// Title returns the name of an object as "Deployment/api in shop", and "of CLUSTER" if the
// cluster is set.
func Title(kind, name, namespace, cluster string) string {
	title := kind + "/" + name
	if namespace != "" {
		title += " in " + namespace
	}
	if cluster != "" {
		title += " of " + cluster
	}
	return title
}
