package crd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/author/lint"
)

// A span is a range of the text.
type span struct{ from, to int }

// entries returns the parts of the flow collection that begins at an offset,
// without the blanks around them, and the offset of its end.
func (t *text) entries(at int) (parts []span, end int, err error) {
	depth, from, last := 0, at+1, at+1
	token := true // a quote here begins a string
	for i := at; i < len(t.bytes); i++ {
		c := t.bytes[i]
		switch {
		case c == '#' && i > 0 && strings.ContainsRune(" \t\r\n", rune(t.bytes[i-1])):
			i = t.lineEnd(i) - 1
			continue
		case (c == '"' || c == '\'') && token:
			if i = stringEnd(t.bytes, i); i < 0 {
				return nil, 0, errors.New("a string has no end")
			}
			i--
			token, last = false, i+1
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return append(parts, t.part(from, last)...), i + 1, nil
			}
		case c == ',' && depth == 1:
			parts = append(parts, t.part(from, last)...)
			from, last, token = i+1, i+1, true
			continue
		}
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			token = strings.ContainsRune("{[,:", rune(c))
			if i > at {
				last = i + 1
			}
		} else if i > 0 && t.bytes[i-1] == '-' {
			token = true
		}
	}
	return nil, 0, errors.New("a collection has no end")
}

// part returns a part without blanks and comments before it. The result is
// empty for an empty part.
func (t *text) part(from, to int) []span {
	for from < to {
		switch c := t.bytes[from]; {
		case strings.ContainsRune(" \t\r\n", rune(c)):
			from++
		case c == '#':
			from = t.lineEnd(from)
		default:
			return []span{{from, to}}
		}
	}
	return nil
}

// stringEnd returns the end of a quoted string, or -1 if it does not end.
func stringEnd(text []byte, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return -1
}

// valueEnd returns the end of a value in a flow collection or on one line, or
// -1 if it is not known.
func (t *text) valueEnd(n *yaml.Node) int {
	at := t.offset(n)
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || at >= len(t.bytes) || n.Kind == yaml.AliasNode {
		return -1
	}
	if n.Kind != yaml.ScalarNode {
		if n.Style&yaml.FlowStyle == 0 {
			return -1
		}
		_, end, err := t.entries(at)
		if err != nil {
			return -1
		}
		return end
	}
	switch n.Style {
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		if c := t.bytes[at]; c == '"' || c == '\'' {
			return stringEnd(t.bytes, at)
		}
	case 0:
		if n.Value != "" && bytes.HasPrefix(t.bytes[at:], []byte(n.Value)) {
			return at + len(n.Value)
		}
	}
	return -1
}

// flowSplice adds to a flow collection, or removes from it.
func (t *text) flowSplice(in *valuePosition, e lint.Edit) (splice, error) {
	parts, _, err := t.entries(t.offset(in.value))
	if err != nil {
		return splice{}, err
	}
	each := 1
	if in.value.Kind == yaml.MappingNode {
		each = 2
	}
	if len(parts) != len(in.value.Content)/each {
		return splice{}, errors.New("the boundaries of its parts are not known")
	}
	last := e.Path[len(e.Path)-1]
	if e.Op == lint.OpRemove {
		i, ok := last.(int)
		if index, key, _ := t.keys.Child(in.value, last); key != nil {
			i, ok = index/2, true
		}
		switch {
		case !ok || i >= len(parts):
			return splice{}, errMerged
		case i+1 < len(parts):
			return splice{parts[i].from, parts[i+1].from, ""}, nil
		}
		return splice{parts[i-1].to, parts[i].to, ""}, nil
	}
	i, ok := last.(int)
	if !ok {
		i = len(parts)
	}
	with := t.flowValue(e.Value, in)
	if name, ok := last.(string); ok && each == 2 {
		with = t.flowText(name) + ": " + with
	}
	if i < len(parts) {
		return splice{parts[i].from, parts[i].from, with + ", "}, nil
	}
	gap := " "
	if end := parts[len(parts)-1]; !bytes.Contains(t.bytes[t.lineStart(end.from):end.from], []byte("{")) && t.first(end.from) {
		gap = t.newline(end.from) + string(t.bytes[t.lineStart(end.from):end.from]) // one item per line
	}
	at := parts[len(parts)-1].to
	return splice{at, at, "," + gap + with}, nil
}

// flowValue returns the text of a value inside of a flow collection. In JSON it
// has several lines if its siblings are on lines of their own.
func (t *text) flowValue(v any, in *valuePosition) string {
	begin := t.offset(in.value.Content[0])
	if t.quoted && t.first(begin) {
		var b bytes.Buffer
		encode := json.NewEncoder(&b)
		encode.SetEscapeHTML(false)
		before := string(t.bytes[t.lineStart(begin):begin])
		encode.SetIndent(before, strings.Repeat(" ", max(1, t.indent())))
		if encode.Encode(v) == nil {
			return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", t.newline(begin))
		}
	}
	return t.flowText(v)
}

// indent returns the indentation of JSON: the column of its first key.
func (t *text) indent() int {
	for line := range bytes.Lines(t.bytes) {
		if n := indentation(line); n > 0 {
			return n
		}
	}
	return 2
}

var plainInFlow = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9./_-]*$`)

// flowText returns a value on one line.
func (t *text) flowText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, key := range sorted(v) {
			parts = append(parts, t.flowText(key)+": "+t.flowText(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, t.flowText(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		if !t.quoted && plainInFlow.MatchString(v) {
			return plainScalar(v)
		}
	}
	return jsonText(v)
}

// jsonText returns a value as JSON on one line.
func jsonText(v any) string {
	var b bytes.Buffer
	encode := json.NewEncoder(&b)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}
