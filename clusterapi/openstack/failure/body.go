package failure

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
)

// maxBody is the largest body that is decoded.
const maxBody = 1 << 20

// maxDepth is how deep the text of an error may be in a JSON document.
const maxDepth = 4

// Text returns the text for people in the body of a response, as the service wrote it. That is the
// message of a JSON document, the text of a page, or the body itself. Use [Clean] before you show
// it.
func Text(body []byte) string {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || bytes.IndexByte(body, 0) >= 0 {
		return "" // not a text
	}
	if len(body) <= maxBody && (body[0] == '{' || body[0] == '[' || body[0] == '"') {
		var document any
		if json.Unmarshal(body, &document) == nil {
			return markup(messageOf(document, maxDepth))
		}
	}
	return markup(string(body[:min(len(body), maxText)]))
}

// markup returns the text of a page, and of a text with line breaks as in a page.
func markup(s string) string {
	if strings.HasPrefix(s, "<") {
		return pageText(s)
	}
	return lineBreak.ReplaceAllString(s, " ")
}

// textKeys are the names of the text for people, the best first. They are those of RFC 9457, of
// OAuth, of OpenStack's services and of most other clouds.
var textKeys = []string{"message", "faultstring", "error_description", "detail", "description", "msg", "title"}

// messageOf returns the text for people in a JSON document. If the document does not have it, an
// object or a list in it has: {"error": {…}}, {"errors": […]}, {"badRequest": {…}}.
func messageOf(document any, depth int) string {
	if depth == 0 {
		return ""
	}
	switch v := document.(type) {
	case string:
		return v
	case []any:
		for _, element := range v {
			if m := messageOf(element, depth-1); m != "" {
				return m
			}
		}
	case map[string]any:
		for _, key := range textKeys {
			if s, ok := v[key].(string); ok && strings.TrimSpace(s) != "" {
				return s
			}
		}
		for name, value := range v {
			if s, ok := value.(string); ok && (name == "error" || len(v) == 1) {
				return s
			}
		}
		for _, key := range sortedKeys(v) {
			switch v[key].(type) {
			case map[string]any, []any:
				if m := messageOf(v[key], depth-1); m != "" {
					return m
				}
			}
		}
	}
	return ""
}

// sortedKeys returns the names in an object, those of errors first.
func sortedKeys(object map[string]any) []string {
	var names []string
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if first, second := strings.HasPrefix(a, "error"), strings.HasPrefix(b, "error"); first != second {
			if first {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

var (
	lineBreak = regexp.MustCompile(`(?i)<br ?/?>`)
	hidden    = regexp.MustCompile(`(?is)<(script|style|head)\b.*?(?:</(?:script|style|head)>|$)`)
	heading   = regexp.MustCompile(`(?is)<h1[^>]*>(.*?)</h1>(.*)`)
	tag       = regexp.MustCompile(`(?s)<[^>]*(?:>|$)`)
	title     = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
)

// pageText returns the text of an HTML page: what follows its heading, else its heading or title.
func pageText(page string) string {
	plain := func(s string) string {
		return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(s, " "))), " ")
	}
	visible := hidden.ReplaceAllString(page, " ")
	if parts := heading.FindStringSubmatch(visible); parts != nil {
		if below := plain(parts[2]); below != "" {
			return below
		}
		return plain(parts[1])
	}
	if t := title.FindStringSubmatch(page); t != nil && plain(t[1]) != "" {
		return plain(t[1])
	}
	return plain(visible)
}
