package crd

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// encode returns a mapping or a sequence as lines of a block, in the style of
// the text.
func (t *text) encode(v any) (string, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(t.step)
	if t.compact {
		e.CompactSeqIndent()
	}
	if err := e.Encode(v); err != nil {
		return "", err
	}
	err := e.Close()
	return b.String(), err
}

// scalar returns a value on one line, with the quotes of another node.
func (t *text) scalar(v any, like *yaml.Node) string {
	s, ok := v.(string)
	switch {
	case !ok:
		return jsonText(v)
	case like.Style == yaml.DoubleQuotedStyle:
		return jsonText(s)
	case like.Style == yaml.SingleQuotedStyle && !strings.ContainsAny(s, "\n\r\t\u0085\u2028\u2029"):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return plainScalar(s)
}

// plainScalar returns text without quotes if it needs none.
func plainScalar(s string) string {
	encoded, err := yaml.Marshal(s)
	line := strings.TrimSuffix(string(encoded), "\n")
	if err != nil || strings.Contains(line, "\n") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, ">") {
		return jsonText(s)
	}
	return line
}

// sorted returns the sorted keys of a map.
func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
