package terminal

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"kstatus.dev/internal/text"
)

// NewEncoder returns an encoder that writes values as lines of JSON that are safe on a terminal. It
// escapes control characters, and characters that change the direction of text.
func NewEncoder(w io.Writer) *json.Encoder {
	encode := json.NewEncoder(EscapingWriter{w})
	encode.SetEscapeHTML(false)
	return encode
}

// An EscapingWriter writer escapes what encoding/json does not. Each write is a whole
// value.
type EscapingWriter struct{ io.Writer }

// Write writes a value.
func (w EscapingWriter) Write(value []byte) (int, error) {
	if _, err := w.Writer.Write(text.EscapeJSON(value)); err != nil {
		return 0, err
	}
	return len(value), nil
}

// MarshalYAML returns a value as a YAML document that is safe on a terminal, as [NewEncoder]
// does for JSON. Values that YAML cannot represent are written as JSON, which is YAML too.
func MarshalYAML(v any) ([]byte, error) {
	document, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	decode := json.NewDecoder(bytes.NewReader(document))
	decode.UseNumber()
	var value any
	if err := decode.Decode(&value); err != nil {
		return nil, err
	}
	m := markers{prefix: "m" + rand.Text()}
	written, err := yaml.Marshal(m.mark(value))
	if err != nil {
		return append(text.EscapeJSON(document), '\n'), nil
	}
	return []byte(strings.NewReplacer(m.replacements...).Replace(string(written))), nil
}

// markers replace texts that YAML would not escape while a document is written.
type markers struct {
	prefix       string   // no text of others begins with it
	replacements []string // markers and what replaces them, in turn
}

// mark returns a value of JSON with markers instead of such texts.
func (m *markers) mark(v any) any {
	switch v := v.(type) {
	case map[string]any:
		all := make(map[string]any, len(v))
		for key, value := range v {
			all[m.text(key)] = m.mark(value)
		}
		return all
	case []any:
		for i := range v {
			v[i] = m.mark(v[i])
		}
	case string:
		return m.text(v)
	}
	return v
}

// text returns a marker for a text that YAML would not escape, and any other text as it is.
func (m *markers) text(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x7f && text.Unsafe(r) }) < 0 && !commands.MatchString(s) {
		return s
	}
	marker := fmt.Sprintf("%s-%d-", m.prefix, len(m.replacements))
	m.replacements = append(m.replacements, marker, quoteYAML(s))
	return marker
}

// commands matches what CI systems treat as a command: a line that begins with :: and ##[…]
// anywhere.
var commands = regexp.MustCompile(`(?m)^\s*::|##[A-Za-z]*\[`)

// quoteYAML returns a text in double quotes, with all that is unsafe escaped.
func quoteYAML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	previous := ' '
	for _, r := range s {
		switch {
		case r == '[', r == ':' && previous == ':':
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r > 0xffff && text.Unsafe(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case text.Unsafe(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		previous = r
	}
	b.WriteByte('"')
	return b.String()
}
